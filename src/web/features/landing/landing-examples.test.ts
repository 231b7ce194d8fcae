import { expect, test } from "vitest";
import { LANGUAGES } from "#core/languages.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { advertiserMessage } from "#text/advertiser-message.ts";
import { describeLimits, describeSearch } from "#text/describe-search.ts";
import { testWords } from "#web/lib/i18n/test-words.ts";
import { SAMPLE_MESSAGE } from "./after-alert.tsx";
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

test("FIND-05 the message on the landing page is the beginning of a real one", () => {
  const home = {
    listingId: "7",
    operation: "rent" as const,
    kind: "homes" as const,
    typology: "flat",
    subTypology: null,
    address: "Calle de Fuencarral",
    neighborhood: null,
    district: null,
    municipality: null,
    priceEur: 1250,
    areaM2: null,
    rooms: null,
    floor: null,
    hasLift: null,
    pricePerM2Eur: null,
    comparison: null,
  };
  const profile = { who: null, job: null, movingFrom: null, about: null };
  const message = advertiserMessage({ home, profile }, testWords("home", "es")).replaceAll("\n\n", " ");
  expect(message.startsWith(SAMPLE_MESSAGE)).toBe(true);
});
