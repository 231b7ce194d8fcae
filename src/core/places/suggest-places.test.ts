import { expect, test } from "vitest";
import { normaliseSearch } from "../search/normalise-search.ts";
import { searchFor } from "../search/search.ts";
import { parseSearchUrl } from "../search/url/parse-search-url.ts";
import { suggestPlaces } from "./suggest-places.ts";

const labels = (typed: string) => suggestPlaces(typed, 5).map(({ label }) => label);

test("CALM-07 a typed name suggests towns before their parts, without accents, and by any of its words", () => {
  expect(labels("madrid")[0]).toBe("Madrid");
  expect(labels("CHAMBER")[0]).toBe("Chamberí, Madrid");
  expect(labels("javea")[0]).toBe("Jávea/Xàbia, Alicante");
  expect(labels("sebastian de los reyes")).toContain("San Sebastián de los Reyes, Madrid");
  expect(labels("m")).toEqual([]);
  expect(labels("qqqq")).toEqual([]);
  expect(suggestPlaces("ma", 3)).toHaveLength(3);
});

test("CALM-07 every suggestion is the place of a link that parses to the same place", () => {
  const suggestions = "abcdefghijklmnopqrstuvwxyz"
    .split("")
    .flatMap((letter) => [..."aeiou"].flatMap((vowel) => suggestPlaces(letter + vowel, 40)));
  expect(suggestions.length).toBeGreaterThan(1_000);
  for (const { where } of suggestions) {
    const { canonicalUrl } = normaliseSearch(searchFor("rent", "homes", where));
    expect(parseSearchUrl(canonicalUrl)).toMatchObject({ ok: true, search: { where } });
  }
});
