import { expect, test } from "vitest";
import { LANGUAGES } from "#core/languages.ts";
import { newestFirst } from "#core/search/url/newest-first.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { describeLimits, describeSearch } from "#text/describe-search.ts";
import { testWords } from "#web/lib/i18n/test-words.ts";
import { EXAMPLE_SEARCH } from "./understands.tsx";

test("LINK-01 the search shown on the landing page has its newest listings first", () => {
  expect(newestFirst(EXAMPLE_SEARCH)).toBe(EXAMPLE_SEARCH);
});

test.each(LANGUAGES)(
  "WIZ-10 the landing page says of the example search what the product shows for its link, and all of it (%s)",
  (language) => {
    const parsed = parseSearchUrl(EXAMPLE_SEARCH);
    expect(parsed).toMatchObject({ ok: true, canonicalUrl: EXAMPLE_SEARCH, repairs: [] });
    if (!parsed.ok) return;
    const onPage = testWords("landing", language).t("understands.sentence");
    expect(describeSearch(parsed.search, testWords("search", language)).text).toBe(onPage);
    expect(describeLimits(parsed.search, testWords("search", language), false)).toEqual([]);
  },
);
