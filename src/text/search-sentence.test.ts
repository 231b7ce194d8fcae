import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { LANGUAGES, type Language } from "#core/languages.ts";
import { allPlaces } from "#core/places/places.ts";
import {
  BATHROOMS,
  BEDROOMS,
  CONDITIONS,
  ENERGY_CLASSES,
  FEATURES,
  FLATMATES,
  FLOOR_BANDS,
  FURNISHINGS,
  HOME_TYPES,
  KINDS,
  LAND_CLASSES,
  OPERATIONS,
  PUBLISHED_WITHIN,
  RENTAL_TYPES,
  SALE_SITUATIONS,
  type Search,
  searchFor,
  TENANTS,
  type Where,
} from "#core/search/search.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { drawn } from "#test/seeded.ts";
import { describeSearch, nameSearch } from "./describe-search.ts";
import { formatArea, formatNumber, formatPrice } from "./labels.ts";
import { wordsOf } from "./translator.ts";

const CHAMBERI: Where = { type: "place", placeId: "0-EU-ES-28-07-001-079-07" };
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");
const said = (search: Search, language: Language) =>
  plain(describeSearch(search, wordsOf("search", language)).text);

const flat: Search = {
  ...searchFor("rent", "homes", CHAMBERI),
  maxPriceEur: 1500,
  homeTypes: ["plain-flat"],
  bedrooms: [2],
  features: ["lift", "terrace"],
};

test.each<[Language, string]>([
  ["en", "Flats to rent in Chamberí, Madrid, up to €1,500, 2 bedrooms, with a lift and a terrace"],
  ["es", "Pisos en alquiler en Chamberí, Madrid, hasta 1.500 €, con 2 dormitorios, ascensor y terraza"],
  ["ru", "Квартиры в аренду в Chamberí, Madrid, до 1 500 €, 2 спальни, с лифтом и террасой"],
  ["de", "Wohnungen zur Miete in Chamberí, Madrid, bis 1.500 €, 2 Schlafzimmer, mit Aufzug und Terrasse"],
  ["fr", "Appartements à louer à Chamberí, Madrid, jusqu’à 1 500 €, 2 chambres, avec ascenseur et terrasse"],
])("WIZ-10 LANG-08 in %s a search is one natural sentence", (language, sentence) => {
  expect(said(flat, language)).toBe(sentence);
});

test.each<[Search, Language, string]>([
  [searchFor("sale", "transfers", CHAMBERI), "en", "Business transfers in Chamberí, Madrid"],
  [
    { ...searchFor("sale", "new-developments", CHAMBERI), homeTypes: ["penthouse"] },
    "en",
    "Penthouses in new developments for sale in Chamberí, Madrid",
  ],
  [
    { ...searchFor("sale", "homes", CHAMBERI), homeTypes: ["flat", "penthouse", "house"] },
    "en",
    "Flats, penthouses, duplexes and houses for sale in Chamberí, Madrid",
  ],
  [
    {
      ...searchFor("sale", "homes", { type: "place", placeId: "0-EU-ES-03" }),
      energyClasses: ["high", "medium"],
    },
    "fr",
    "Logements à vendre dans la province d’Alicante, avec une performance énergétique bonne ou moyenne",
  ],
  [
    searchFor("rent", "rooms", { type: "drawn", rings: ["a", "b"] }),
    "ru",
    "Комнаты в аренду в 2 обведённых на карте областях",
  ],
  [
    searchFor("rent", "garages", { type: "point-of-interest", slug: "codigo-postal-28002" }),
    "de",
    "Stellplätze und Garagen zur Miete im Postleitzahlgebiet 28002",
  ],
  [
    { ...searchFor("rent", "homes", CHAMBERI), bedrooms: [0] },
    "es",
    "Estudios en alquiler en Chamberí, Madrid",
  ],
  [
    { ...searchFor("rent", "homes", CHAMBERI), homeTypes: ["flat"], furnishing: "furnished" },
    "fr",
    "Appartements, derniers étages et duplex à louer à Chamberí, Madrid, en meublé",
  ],
  [
    searchFor("sale", "homes", { type: "point-of-interest", slug: "mallorca" }),
    "de",
    "Wohnungen und Häuser zum Kauf auf Mallorca",
  ],
  [
    searchFor("sale", "homes", { type: "point-of-interest", slug: "costa-del-sol" }),
    "de",
    "Wohnungen und Häuser zum Kauf an der Costa del Sol",
  ],
  [
    {
      ...searchFor("sale", "homes", CHAMBERI),
      floors: ["top", "middle"],
      energyClasses: ["medium", "low"],
    },
    "ru",
    "Жильё на продажу в Chamberí, Madrid, на среднем или последнем этаже, энергоэффективность средняя или низкая",
  ],
])("LANG-01 %j in %s is %j", (search, language, sentence) => {
  expect(said(search, language)).toBe(sentence);
});

const some = <Value>(values: readonly Value[]) => fc.subarray([...values]);
const limit = fc.option(fc.integer({ min: 1, max: 9_999_999 }));
const searches: fc.Arbitrary<Search> = fc.record({
  operation: fc.constantFrom(...OPERATIONS),
  kind: fc.constantFrom(...KINDS),
  where: fc.oneof(
    fc.constantFrom(...allPlaces()).map(({ id }): Where => ({ type: "place", placeId: id })),
    fc
      .array(fc.stringMatching(/^[a-z0-9]{1,9}(-[a-z]{1,8}){0,3}$/), { minLength: 1, maxLength: 3 })
      .map((path): Where => ({ type: "unlisted-place", path })),
    fc.constantFrom<Where>(
      { type: "drawn", rings: ["a"] },
      { type: "zones", codes: ["ac0", "ac1"] },
      { type: "point-of-interest", slug: "cp-08001" },
      { type: "text", text: "casa_con__jardin", path: ["denia-alicante"] },
    ),
  ),
  minPriceEur: limit,
  maxPriceEur: limit,
  minAreaM2: limit,
  maxAreaM2: limit,
  homeTypes: some(HOME_TYPES),
  bedrooms: some(BEDROOMS),
  bathrooms: some(BATHROOMS),
  furnishing: fc.option(fc.constantFrom(...FURNISHINGS)),
  features: some(FEATURES),
  publishedWithin: fc.option(fc.constantFrom(...PUBLISHED_WITHIN)),
  floors: some(FLOOR_BANDS),
  conditions: some(CONDITIONS),
  saleSituations: some(SALE_SITUATIONS),
  rentalTypes: some(RENTAL_TYPES),
  energyClasses: some(ENERGY_CLASSES),
  landClasses: some(LAND_CLASSES),
  admits: some(TENANTS),
  flatmates: some(FLATMATES),
  unknownTokens: fc.subarray(["zz", "tres-o-mas"]),
});

test("WIZ-10 for any search the sentence contains every number and is well-formed", () => {
  fc.assert(
    fc.property(searches, fc.constantFrom(...LANGUAGES), (search, language) => {
      expectWhole(search, language);
    }),
    drawn(400),
  );
});

const REAL_URLS = "../shared/data/portal-urls.json";
test.skipIf(!existsSync(REAL_URLS))(
  "every real search is a complete sentence in every language (skipped without the data)",
  () => {
    const links: { url: string }[] = JSON.parse(readFileSync(REAL_URLS, "utf8"));
    for (const { url } of links) {
      const parsed = parseSearchUrl(url);
      if (parsed.ok) for (const language of LANGUAGES) expectWhole(parsed.search, language);
    }
  },
);

/** A range may name its unit once. */
function figuresOf(
  min: number | null,
  max: number | null,
  format: (value: number) => string,
  language: Language,
): string[] {
  const first = min === null ? [] : [max === null ? format(min) : formatNumber(min, language)];
  return [...first, ...(max === null ? [] : [format(max)])];
}

function expectWhole(search: Search, language: Language): void {
  const { text } = describeSearch(search, wordsOf("search", language));
  const figures = [
    ...figuresOf(search.minPriceEur, search.maxPriceEur, (eur) => formatPrice(eur, language), language),
    ...figuresOf(search.minAreaM2, search.maxAreaM2, (m2) => formatArea(m2, language), language),
    ...search.unknownTokens,
  ];
  for (const figure of figures) expect(text).toContain(figure);
  expect(text).not.toMatch(/ {2}|,,| ,|, *$|undefined|null|\{|#|·/);
  expect(text).not.toMatch(/\b(with|con|mit|avec|и|in|en|à|of|de)$/i);
  expect(text.charAt(0)).toBe(text.charAt(0).toLocaleUpperCase());
  expect(nameSearch(search, wordsOf("search", language))).not.toMatch(/ {2}|undefined|\{|^$/);
}
