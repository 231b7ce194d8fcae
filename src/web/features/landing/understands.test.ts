import { expect, test } from "vitest";
import { LANGUAGES } from "#core/languages.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { describeLimits, describeSearch } from "#text/describe-search.ts";
import de from "#text/locales/de/landing.json" with { type: "json" };
import en from "#text/locales/en/landing.json" with { type: "json" };
import es from "#text/locales/es/landing.json" with { type: "json" };
import fr from "#text/locales/fr/landing.json" with { type: "json" };
import ru from "#text/locales/ru/landing.json" with { type: "json" };
import { EXAMPLE_SEARCH } from "./understands.tsx";

const SENTENCES = {
  en: en.understands.sentence,
  es: es.understands.sentence,
  ru: ru.understands.sentence,
  de: de.understands.sentence,
  fr: fr.understands.sentence,
};

test("LINK-01 the search on the landing page shows its newest listings first", () => {
  expect(EXAMPLE_SEARCH).toContain("ordenado-por=fecha-publicacion-desc");
  expect(parseSearchUrl(EXAMPLE_SEARCH)).toMatchObject({ ok: true, canonicalUrl: EXAMPLE_SEARCH });
});

test.each(LANGUAGES)(
  "WIZ-10 the landing page describes the example search completely, as the product does (%s)",
  (language) => {
    const parsed = parseSearchUrl(EXAMPLE_SEARCH);
    expect(parsed).toMatchObject({ ok: true, canonicalUrl: EXAMPLE_SEARCH, repairs: [] });
    if (!parsed.ok) return;
    expect(describeSearch(parsed.search, language).text).toBe(SENTENCES[language]);
    expect(describeLimits(parsed.search, language, false)).toEqual([]);
  },
);
