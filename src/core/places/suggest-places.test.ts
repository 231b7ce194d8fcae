import { expect, test } from "vitest";
import { normaliseSearch } from "../search/normalise-search.ts";
import { searchFor } from "../search/search.ts";
import { parseSearchUrl } from "../search/url/parse-search-url.ts";
import { findPlaceByKey, placeKeyOf } from "./place-key.ts";
import { placesAt } from "./places-at.ts";
import { nearestPlaces, suggestPlaces } from "./suggest-places.ts";

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

test("START-03 a capital outside the catalogue is suggested before its province", () => {
  expect(suggestPlaces("Sevilla", 2).map(({ where }) => where)).toEqual([
    { type: "unlisted-place", path: ["sevilla-sevilla"] },
    { type: "place", placeId: "0-EU-ES-41" },
  ]);
});

test("START-03 a misspelt name finds the nearest places, and a text that is no name finds none", () => {
  expect(nearestPlaces("Madird", 3)[0]).toEqual({
    label: "Madrid",
    where: { type: "place", placeId: "0-EU-ES-28-07-001-079" },
  });
  expect(nearestPlaces("Chamberri", 3)[0]?.label).toBe("Chamberí, Madrid");
  expect(nearestPlaces("xqzwkjv", 3)).toEqual([]);
  expect(nearestPlaces("m".repeat(100_000), 3)).toEqual([]);
  expect(suggestPlaces("m".repeat(100_000), 3)).toEqual([]);
});

test("START-03 every suggested place has a short key that leads back to it", () => {
  for (const { where } of ["a", "e", "i", "o", "u"].flatMap((vowel) =>
    [..."bcdfglmnprstv"].flatMap((letter) => suggestPlaces(letter + vowel, 1_000)),
  )) {
    const key = placeKeyOf(where) ?? "";
    expect(key.length).toBeLessThanOrEqual(50);
    expect(key).toMatch(/^[a-z0-9-]+(_\d\d)?$/);
    expect(findPlaceByKey(key)).toEqual(where);
  }
  expect(findPlaceByKey("28-99")).toBeUndefined();
  expect(findPlaceByKey("nowhere_28")).toBeUndefined();
  expect(placeKeyOf({ type: "text", text: "x", path: [] })).toBeUndefined();
});

test("START-03 a shared location is in its zone, its district and its town; outside the known cities in none", async () => {
  const namesAt = async (latitude: number, longitude: number) =>
    (await placesAt({ latitude, longitude })).map(({ name, level }) => `${level} ${name}`);
  expect(await namesAt(40.4326, -3.7001)).toEqual([
    expect.stringMatching(/^barrio /),
    "district Chamberí",
    "municipality Madrid",
  ]);
  expect(await namesAt(37.3886, -5.9823)).toEqual([]);
  expect(await namesAt(52.52, 13.405)).toEqual([]);
});
