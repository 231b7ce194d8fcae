import { expect, test } from "vitest";
import { LANGUAGES } from "#core/languages.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { describeLimits, describeSearch } from "#text/describe-search.ts";
import { testWords } from "#web/lib/i18n/test-words.ts";
import { EXAMPLE_SEARCH } from "./understands.tsx";

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
    const onPage = testWords("landing", language).t("understands.sentence");
    expect(describeSearch(parsed.search, testWords("search", language)).text).toBe(onPage);
    expect(describeLimits(parsed.search, testWords("search", language), false)).toEqual([]);
  },
);
