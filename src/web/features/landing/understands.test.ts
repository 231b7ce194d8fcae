import { expect, test } from "vitest";
import { newestFirst } from "#core/search/url/newest-first.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { EXAMPLE_SEARCH } from "./understands.tsx";

test("LINK-01 the search shown on the landing page has its newest listings first", () => {
  expect(newestFirst(EXAMPLE_SEARCH)).toBe(EXAMPLE_SEARCH);
});

test("the words beside the example search are what Sereno reads in it", () => {
  const parsed = parseSearchUrl(EXAMPLE_SEARCH);
  expect(parsed).toMatchObject({
    ok: true,
    search: {
      operation: "rent",
      kind: "homes",
      where: { type: "place" },
      maxPriceEur: 1400,
      minAreaM2: 50,
      bedrooms: [2, 3, 4],
      features: ["lift"],
      unknownTokens: [],
    },
  });
});
