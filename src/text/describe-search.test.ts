import { expect, test } from "vitest";
import { LANGUAGES, type Language } from "#core/languages.ts";
import { shownLimitsOf } from "#core/matching/search-limits.ts";
import { type Search, searchFor, type Where } from "#core/search/search.ts";
import { describeLimits, describeSearch } from "./describe-search.ts";
import { wordsOf } from "./translator.ts";

const CHAMBERI: Where = { type: "place", placeId: "0-EU-ES-28-07-001-079-07" };
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");
const rent: Search = {
  ...searchFor("rent", "homes", CHAMBERI),
  maxPriceEur: 1500,
  minAreaM2: 40,
  bedrooms: [1, 2],
  features: ["lift"],
};

test.each<[Language, string]>([
  ["en", "Homes to rent in Chamberí, Madrid, up to €1,500, from 40 m², 1 or 2 bedrooms, with a lift"],
  [
    "es",
    "Viviendas en alquiler en Chamberí, Madrid, hasta 1.500 €, desde 40 m², con 1 o 2 dormitorios y ascensor",
  ],
  ["ru", "Жильё в аренду в Chamberí, Madrid, до 1 500 €, от 40 м², 1 или 2 спальни, с лифтом"],
  [
    "de",
    "Wohnungen und Häuser zur Miete in Chamberí, Madrid, bis 1.500 €, ab 40 m², 1 oder 2 Schlafzimmer, mit Aufzug",
  ],
  [
    "fr",
    "Logements à louer à Chamberí, Madrid, jusqu’à 1 500 €, à partir de 40 m², 1 ou 2 chambres, avec ascenseur",
  ],
])("WIZ-10 LANG-08 in %s a search reads as one sentence", (language, text) => {
  expect(plain(describeSearch(rent, wordsOf("search", language)).text)).toBe(text);
});

test("WIZ-10 each chip names its part of the search, and each feature has a chip", () => {
  const { chips } = describeSearch(
    { ...rent, features: ["lift", "terrace"], unknownTokens: ["zz"] },
    wordsOf("search", "en"),
  );
  expect(chips.map(({ part }) => part)).toEqual([
    "operation",
    "kind",
    "where",
    "maxPriceEur",
    "minAreaM2",
    "bedrooms",
    "features",
    "features",
    "unknownTokens",
  ]);
  expect(chips.at(-1)?.text).toBe("“zz”");
});

test.each<[Partial<Search>, Language, string]>([
  [{ bedrooms: [0] }, "en", "studio"],
  [{ bedrooms: [1] }, "en", "1 bedroom"],
  [{ bedrooms: [2, 3, 4] }, "en", "2 or more bedrooms"],
  [{ bedrooms: [0, 1] }, "en", "studio or 1 bedroom"],
  [{ bedrooms: [1, 4] }, "en", "1 or 4+ bedrooms"],
  [{ bedrooms: [1] }, "ru", "1 спальня"],
  [{ bedrooms: [3] }, "ru", "3 спальни"],
  [{ bedrooms: [4] }, "ru", "от 4 спален"],
  [{ bedrooms: [1, 2, 3, 4] }, "ru", "от 1 спальни"],
  [{ bathrooms: [1] }, "de", "1 Bad"],
  [{ bathrooms: [2] }, "de", "2 Bäder"],
  [{ bathrooms: [2, 3] }, "es", "2 o más baños"],
  [{ minPriceEur: 500, maxPriceEur: 900 }, "fr", "de 500 à 900 €"],
  [{ minPriceEur: 500, maxPriceEur: 900 }, "en", "€500 to €900"],
  [{ minAreaM2: 40, maxAreaM2: 90 }, "ru", "от 40 до 90 м²"],
  [{ bedrooms: [0, 1, 2] }, "de", "Studio, 1 oder 2 Schlafzimmer"],
  [{ bedrooms: [0, 3, 4] }, "de", "Studio oder mindestens 3 Schlafzimmer"],
  [{ minPriceEur: 500 }, "de", "ab 500 €"],
  [{ floors: ["top", "middle"] }, "en", "top floor or middle floors"],
  [{ publishedWithin: "24-hours" }, "ru", "опубликовано за последние 24 часа"],
])("%j in %s reads %j", (wishes, language, text) => {
  const search = { ...searchFor("sale", "homes", CHAMBERI), ...wishes };
  const { chips } = describeSearch(search, wordsOf("search", language));
  expect(plain(chips.at(-1)?.text ?? "")).toBe(text);
});

test.each<[Where, string]>([
  [{ type: "place", placeId: "0-EU-ES-28" }, "Madrid province"],
  [{ type: "place", placeId: "0-EU-ES-28-07-001-079" }, "Madrid"],
  [{ type: "place", placeId: "0-EU-ES-28-07-001-079-07-003" }, "Trafalgar, Chamberí, Madrid"],
  [{ type: "place", placeId: "0-EU-ES-28-01-002-006" }, "Alcobendas, Madrid"],
  [{ type: "unlisted-place", path: ["galdakao-vizcaya"] }, "Galdakao, Vizcaya"],
  [
    { type: "unlisted-place", path: ["las-palmas-de-gran-canaria-las-palmas"] },
    "Las Palmas de Gran Canaria, Las Palmas",
  ],
  [{ type: "unlisted-place", path: ["lleida-lleida"] }, "Lleida"],
  [{ type: "unlisted-place", path: ["lleida", "mariola"] }, "Mariola, Lleida"],
  [{ type: "drawn", rings: ["a", "b"] }, "2 areas drawn on the map"],
  [{ type: "zones", codes: ["ac0"] }, "1 area picked on Idealista"],
  [{ type: "point-of-interest", slug: "metro-moncloa" }, "Metro Moncloa"],
  [{ type: "point-of-interest", slug: "codigo-postal-28002" }, "postcode 28002"],
  [{ type: "unlisted-place", path: ["javeaxabia", "adsubia"] }, "Adsubia, Jávea/Xàbia"],
  [
    { type: "unlisted-place", path: ["l-hospitalet-de-llobregat-barcelona"] },
    "L'Hospitalet de Llobregat, Barcelona",
  ],
  [{ type: "unlisted-place", path: ["el-masnou-barcelona"] }, "El Masnou, Barcelona"],
  [{ type: "unlisted-place", path: ["la-coruna-la-coruna"] }, "La Coruña, A Coruña"],
  [{ type: "unlisted-place", path: ["palma-de-mallorca-balears-illes"] }, "Palma de Mallorca, Illes Balears"],
  [{ type: "unlisted-place", path: ["madrid", "madrid"] }, "Madrid"],
  [{ type: "unlisted-place", path: ["alicante-alacant-alicante"] }, "Alicante / Alacant, Alicante"],
  [{ type: "text", text: "casa_con_jardin", path: ["denia-alicante"] }, "“casa con jardin”, Dénia, Alicante"],
])("%j is named %s", (where, text) => {
  expect(describeSearch(searchFor("sale", "homes", where), wordsOf("search", "en")).chips[2]?.text).toBe(
    text,
  );
});

test("WIZ-10 each limit of the data has a code and a sentence in every language", () => {
  const search: Search = {
    ...searchFor("sale", "homes", { type: "drawn", rings: ["a"] }),
    homeTypes: ["plain-flat", "villa"],
    features: ["lift", "terrace", "garden"],
    floors: ["top"],
    saleSituations: ["vacant"],
    unknownTokens: ["zz"],
    minPriceEur: 9,
    maxPriceEur: 8,
  };
  expect(shownLimitsOf(search, false).map(({ code, value }) => [code, value])).toEqual([
    ["hidden-addresses-approximate", undefined],
    ["impossible-range", undefined],
    ["seldom-in-data", "villa"],
    ["not-in-data", "garden"],
    ["building-height-unknown", undefined],
    ["not-in-data", "vacant"],
    ["unknown-word", "zz"],
  ]);
  for (const language of LANGUAGES) {
    for (const { text } of describeLimits(search, wordsOf("search", language)))
      expect(text).not.toMatch(/\{|undefined|“”|«»|„“|« »/);
  }
  expect(describeLimits(search, wordsOf("search", "en"))[3]?.text).toBe(
    "“garden”: we can't check this, so some alerts may not match.",
  );
});

test("a search that the data can decide completely has no limits", () => {
  const search: Search = {
    ...rent,
    floors: ["top", "middle"],
    furnishing: "furnished",
    features: ["lift", "terrace", "swimming-pool"],
    conditions: ["good"],
  };
  expect(shownLimitsOf(search, false)).toEqual([]);
});

test("limits that only a search by URL can lift are marked as blocking", () => {
  const blocking = (search: Search) =>
    shownLimitsOf(search, false)
      .filter((limit) => limit.isBlocking)
      .map(({ code }) => code);
  expect(blocking(searchFor("sale", "land", CHAMBERI))).toEqual(["kind-not-offered"]);
  expect(blocking(searchFor("sale", "homes", { type: "zones", codes: ["ac0"] }))).toEqual(["zones-unknown"]);
  expect(blocking(searchFor("sale", "homes", { type: "unlisted-place", path: ["xanadu"] }))).toEqual([
    "place-unknown",
  ]);
  expect(blocking(searchFor("sale", "homes", { type: "unlisted-place", path: ["lleida-lleida"] }))).toEqual(
    [],
  );
});
