import { expect, test } from "vitest";
import { newestFirst } from "#core/newest-first.ts";
import { parseSearchUrl } from "#core/parse-search-url.ts";
import { EXAMPLE_SEARCH } from "./example-search.ts";

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
