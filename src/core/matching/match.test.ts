import { expect, test } from "vitest";
import { sampleListing } from "#test/fixtures/listing.ts";
import { encodePolyline } from "../geo/polyline.ts";
import type { Listing } from "../listing/listing.ts";
import { requestOnlyFilters } from "../search/official-request.ts";
import { type Search, searchFor, type Where } from "../search/search.ts";
import { listingFactsOf } from "./listing-facts.ts";
import { matches } from "./match.ts";

const MADRID = "0-EU-ES-28-07-001-079";
const IN_MADRID: Where = { type: "place", placeId: MADRID };

function answer(wishes: Partial<Search>, said: Partial<Listing> = {}): string {
  const kind = wishes.kind ?? "homes";
  const search = { ...searchFor(wishes.operation ?? "rent", kind, IN_MADRID), ...wishes };
  return matches(search, listingFactsOf(sampleListing({ operation: search.operation, kind, ...said })));
}

test.each<[string, Partial<Search>, Partial<Listing>, string]>([
  ["exactly the greatest price", { maxPriceEur: 1250 }, { priceEur: 1250 }, "yes"],
  ["a cent above the greatest price", { maxPriceEur: 1250 }, { priceEur: 1250.01 }, "no"],
  ["exactly the least price", { minPriceEur: 1250 }, { priceEur: 1250 }, "yes"],
  ["a cent below the least price", { minPriceEur: 1250 }, { priceEur: 1249.99 }, "no"],
  ["exactly the least area", { minAreaM2: 58 }, { areaM2: 58 }, "yes"],
  ["just under the least area", { minAreaM2: 58 }, { areaM2: 57.9 }, "no"],
  ["exactly the greatest area", { maxAreaM2: 58 }, { areaM2: 58 }, "yes"],
  ["above the greatest area", { maxAreaM2: 57 }, { areaM2: 58 }, "no"],
  ["an area nobody stated", { minAreaM2: 58 }, { areaM2: null }, "cannot-tell"],
  ["COVER-08 an area of 0, which nobody stated", { minAreaM2: 58 }, { areaM2: 0 }, "cannot-tell"],
  ["COVER-08 a price of 0, which nobody stated", { minPriceEur: 1250 }, { priceEur: 0 }, "cannot-tell"],
  ["the wrong operation", { operation: "rent" }, { operation: "sale" }, "no"],
  ["the wrong kind", { kind: "rooms" }, { kind: "homes" }, "no"],
])("a listing of %s", (_, wishes, said, expected) => {
  expect(answer(wishes, said)).toBe(expected);
});

test.each<[string, Partial<Search>, Partial<Listing>, string]>([
  ["2 of 2 or 3", { bedrooms: [2, 3] }, { rooms: 2 }, "yes"],
  ["1 of 2 or 3", { bedrooms: [2, 3] }, { rooms: 1 }, "no"],
  ["6 of four or more", { bedrooms: [4] }, { rooms: 6 }, "yes"],
  ["none of studios", { bedrooms: [0] }, { rooms: 0 }, "yes"],
  [
    "a studio advertised with one room matches studios",
    { bedrooms: [0] },
    { rooms: 1, subTypology: "studio" },
    "yes",
  ],
  ["unstated", { bedrooms: [2, 3] }, { rooms: null }, "cannot-tell"],
  ["5 baths of three or more", { bathrooms: [3] }, { bathrooms: 5 }, "yes"],
  ["1 bath of 2 or more", { bathrooms: [2, 3] }, { bathrooms: 1 }, "no"],
  ["unstated baths", { bathrooms: [1] }, { bathrooms: null }, "cannot-tell"],
])("rooms: %s", (_, wishes, said, expected) => {
  expect(answer(wishes, said)).toBe(expected);
});

test.each<[string, Partial<Search>, Partial<Listing>, string]>([
  ["a penthouse is a flat", { homeTypes: ["flat"] }, { subTypology: "penthouse" }, "yes"],
  ["a penthouse is no plain flat", { homeTypes: ["plain-flat"] }, { subTypology: "penthouse" }, "no"],
  ["a studio is a plain flat", { homeTypes: ["plain-flat"] }, { subTypology: "studio" }, "yes"],
  [
    "a search for penthouses or duplexes matches a duplex",
    { homeTypes: ["duplex", "penthouse"] },
    { subTypology: "duplex" },
    "yes",
  ],
  ["a plain flat is no penthouse", { homeTypes: ["penthouse"] }, {}, "no"],
  [
    "a terraced house is a house",
    { homeTypes: ["house"] },
    { typology: "chalet", subTypology: "terracedHouse" },
    "yes",
  ],
  [
    "a terraced house is not detached",
    { homeTypes: ["detached-house"] },
    { typology: "chalet", subTypology: "terracedHouse" },
    "no",
  ],
  ["a house without a subtype", { homeTypes: ["detached-house"] }, { typology: "chalet" }, "cannot-tell"],
  [
    "a village house",
    { homeTypes: ["country-house"] },
    { typology: "countryHouse", subTypology: "casaDePueblo" },
    "yes",
  ],
  ["a label proves a villa", { homeTypes: ["villa"] }, { typology: "chalet", labels: ["villaType"] }, "yes"],
  ["a missing label proves nothing", { homeTypes: ["villa"] }, { typology: "chalet" }, "cannot-tell"],
  ["new or good takes good", { conditions: ["new", "good"] }, { condition: "good" }, "yes"],
  ["to renew is not good", { conditions: ["good"] }, { condition: "renew" }, "no"],
  ["an unstated condition", { conditions: ["good"] }, { condition: null }, "cannot-tell"],
])("types and condition: %s", (_, wishes, said, expected) => {
  expect(answer(wishes, said)).toBe(expected);
});

test.each<[string, Partial<Search>, Partial<Listing>, string]>([
  ["the third floor may be the top one", { floors: ["top"] }, { floor: "3" }, "cannot-tell"],
  ["the third floor is top or middle", { floors: ["top", "middle"] }, { floor: "3" }, "yes"],
  ["the ground floor is neither top nor middle", { floors: ["top", "middle"] }, { floor: "bj" }, "no"],
  ["a semi-basement is a ground floor", { floors: ["ground"] }, { floor: "ss" }, "yes"],
  ["the first floor is no ground floor", { floors: ["ground"] }, { floor: "1" }, "no"],
  ["a mezzanine is unclear", { floors: ["ground"] }, { floor: "en" }, "cannot-tell"],
  ["a penthouse is on top", { floors: ["top"] }, { subTypology: "penthouse", floor: null }, "yes"],
  [
    "a penthouse is not in the middle",
    { floors: ["middle"] },
    { subTypology: "penthouse", floor: "6" },
    "no",
  ],
  ["a house has no floor", { floors: ["top"] }, { typology: "chalet", floor: null }, "cannot-tell"],
])("floors: %s", (_, wishes, said, expected) => {
  expect(answer(wishes, said)).toBe(expected);
});

test.each<[Partial<Search>, Partial<Listing>, string]>([
  [{ features: ["lift"] }, { hasLift: true }, "yes"],
  [{ features: ["lift"] }, { hasLift: false }, "no"],
  [{ features: ["lift"] }, { hasLift: null }, "cannot-tell"],
  [{ features: ["exterior"] }, { isExterior: null }, "cannot-tell"],
  [{ features: ["garage"] }, { parking: null }, "no"],
  [{ features: ["garage"] }, { parking: { isIncludedInPrice: false, priceEur: 40_000 } }, "yes"],
  [{ features: ["floor-plan"] }, { hasPlan: true }, "yes"],
  [{ features: ["luxury"] }, { labels: ["luxuryType"] }, "yes"],
  [{ features: ["luxury"] }, {}, "cannot-tell"],
  [{ features: ["terrace"] }, {}, "cannot-tell"],
  [{ features: ["terrace"] }, { amenities: { terrace: false } }, "no"],
  [{ features: ["balcony-or-terrace"] }, { amenities: { terrace: true } }, "yes"],
  [{ features: ["balcony-or-terrace"] }, {}, "cannot-tell"],
  [{ features: ["swimming-pool", "garden"] }, {}, "cannot-tell"],
  [{ features: ["air-conditioning"] }, {}, "cannot-tell"],
  [{ features: ["storage-room"] }, {}, "cannot-tell"],
  [{ features: ["built-in-wardrobes"] }, {}, "cannot-tell"],
  [{ operation: "sale", features: ["bank-owned"] }, {}, "cannot-tell"],
  [{ operation: "rent", features: ["bank-owned"] }, {}, "cannot-tell"],
  [{ features: ["pets-allowed"] }, {}, "cannot-tell"],
  [{ features: ["private-advertiser"] }, {}, "cannot-tell"],
  [{ furnishing: "furnished" }, {}, "cannot-tell"],
  [{ furnishing: "equipped-kitchen" }, {}, "cannot-tell"],
  [{ operation: "rent", publishedWithin: "24-hours" }, {}, "cannot-tell"],
  [{ operation: "sale", publishedWithin: "48-hours" }, {}, "cannot-tell"],
  [{ operation: "sale", publishedWithin: "24-hours" }, {}, "cannot-tell"],
  [{ operation: "rent", publishedWithin: "48-hours" }, {}, "cannot-tell"],
  [{ publishedWithin: "month" }, {}, "cannot-tell"],
  [{ rentalTypes: ["long-term"] }, {}, "cannot-tell"],
  [{ operation: "sale", saleSituations: ["vacant"] }, {}, "cannot-tell"],
  [{ energyClasses: ["high"] }, {}, "cannot-tell"],
  [{ unknownTokens: ["zz"] }, {}, "cannot-tell"],
  [{ unknownTokens: ["zz"], maxPriceEur: 1 }, {}, "no"],
])("%j against %j is %s", (wishes, said, expected) => {
  expect(answer(wishes, said)).toBe(expected);
});

test.each<[Partial<Search>, Listing["sharing"], string]>([
  [{ admits: ["woman"] }, { tenantGender: "mixed", isSmokingAllowed: null }, "yes"],
  [{ admits: ["woman"] }, { tenantGender: "male", isSmokingAllowed: null }, "no"],
  [{ admits: ["man"] }, null, "cannot-tell"],
  [{ features: ["non-smoking"] }, { tenantGender: null, isSmokingAllowed: false }, "yes"],
  [{ features: ["non-smoking"] }, { tenantGender: null, isSmokingAllowed: true }, "no"],
  [{ features: ["non-smoking"] }, null, "cannot-tell"],
  [{ flatmates: ["students"] }, null, "cannot-tell"],
])("rooms in shared flats: %j against %j is %s", (wishes, sharing, expected) => {
  expect(answer({ kind: "rooms", ...wishes }, { sharing, typology: "room" })).toBe(expected);
});

const UNNAMED = { district: null, neighborhood: null };
test.each<[string, Where, Partial<Listing>, string]>([
  ["its barrio", { type: "place", placeId: `${MADRID}-07-003` }, {}, "yes"],
  ["its district", { type: "place", placeId: `${MADRID}-07` }, {}, "yes"],
  ["its province", { type: "place", placeId: "0-EU-ES-28" }, {}, "yes"],
  ["another barrio of the district", { type: "place", placeId: `${MADRID}-07-004` }, {}, "no"],
  ["a district, the listing naming none", { type: "place", placeId: `${MADRID}-07` }, UNNAMED, "cannot-tell"],
  [
    "a barrio, for a listing in an unknown barrio",
    { type: "place", placeId: `${MADRID}-07-003` },
    { neighborhood: "Nuevo Barrio" },
    "cannot-tell",
  ],
  [
    "a town, for a listing in a town outside the catalogue",
    { type: "place", placeId: "0-EU-ES-08-13-001-019" },
    { province: "Barcelona", municipality: "Mataró", ...UNNAMED },
    "no",
  ],
  [
    "a comarca, for a listing whose town is in no known comarca",
    { type: "place", placeId: "0-EU-ES-08-01" },
    { province: "Barcelona", municipality: "Mataró", ...UNNAMED },
    "cannot-tell",
  ],
  [
    "the location id that the source states",
    { type: "place", placeId: `${MADRID}-07` },
    { ...UNNAMED, placeId: `${MADRID}-07-001` },
    "yes",
  ],
  [
    "an unlisted town by its names",
    { type: "unlisted-place", path: ["galdakao-vizcaya"] },
    { province: "Vizcaya", municipality: "Galdakao", ...UNNAMED },
    "yes",
  ],
  ["an unlisted town of another province", { type: "unlisted-place", path: ["galdakao-vizcaya"] }, {}, "no"],
  [
    "an unlisted town, for a listing in the next town",
    { type: "unlisted-place", path: ["galdakao-vizcaya"] },
    { province: "Vizcaya", municipality: "Basauri", ...UNNAMED },
    "no",
  ],
  [
    "an unlisted barrio by its names",
    { type: "unlisted-place", path: ["madrid", "villa-de-vallecas", "valdecarros"] },
    { district: "Villa de Vallecas", neighborhood: "Valdecarros" },
    "yes",
  ],
  [
    "what may be a comarca",
    { type: "unlisted-place", path: ["lleida", "segria"] },
    { province: "Lleida", municipality: "Alcarràs", ...UNNAMED },
    "cannot-tell",
  ],
  ["zones only the portal knows", { type: "zones", codes: ["ac0"] }, {}, "cannot-tell"],
])("a search in %s", (_, where, said, expected) => {
  expect(answer({ where }, said)).toBe(expected);
});

/** About a square kilometre around Trafalgar, and another one to the south. */
function square(south: number, west: number): string {
  const north = south + 0.01;
  const east = west + 0.012;
  const corners = [
    [south, west],
    [south, east],
    [north, east],
    [north, west],
    [south, west],
  ] as const;
  return encodePolyline(corners.map(([latitude, longitude]) => ({ latitude, longitude })));
}
const DRAWN: Where = { type: "drawn", rings: [square(40.43, -3.708), square(40.4, -3.708)] };

test.each<[string, Partial<Listing>, string]>([
  ["well inside, hidden", { latitude: 40.435, longitude: -3.702 }, "yes"],
  ["well inside the other ring", { latitude: 40.405, longitude: -3.702 }, "yes"],
  ["far outside", { latitude: 40.5, longitude: -3.702 }, "no"],
  ["between the rings", { latitude: 40.42, longitude: -3.702 }, "no"],
  ["100 m inside the border, hidden", { latitude: 40.4309, longitude: -3.702 }, "cannot-tell"],
  ["100 m outside the border, hidden", { latitude: 40.4291, longitude: -3.702 }, "cannot-tell"],
  ["300 m outside the border, hidden", { latitude: 40.4272, longitude: -3.702 }, "no"],
  ["100 m inside the border, shown", { latitude: 40.4309, longitude: -3.702, isAddressShown: true }, "yes"],
  ["100 m outside the border, shown", { latitude: 40.4291, longitude: -3.702, isAddressShown: true }, "no"],
  ["nowhere stated", { latitude: null, longitude: null }, "cannot-tell"],
])("a drawing and a listing %s", (_, said, expected) => {
  expect(answer({ where: DRAWN }, said)).toBe(expected);
});

test("the request carries only the filters that answers do not state", () => {
  const search: Search = {
    ...searchFor("sale", "homes", IN_MADRID),
    features: ["lift", "garage", "terrace", "garden", "swimming-pool", "bank-owned"],
    furnishing: "furnished",
    maxPriceEur: 300_000,
  };
  expect(requestOnlyFilters(search)).toEqual([
    { parameter: "terrance", value: "true" },
    { parameter: "swimmingPool", value: "true" },
    { parameter: "bankOffer", value: "true" },
    { parameter: "furnished", value: "furnished" },
  ]);
});

test.each<[Partial<Search>, string]>([
  [
    { features: ["air-conditioning", "storage-room", "built-in-wardrobes"] },
    "airConditioning=true storeRoom=true builtinWardrobes=true",
  ],
  [{ operation: "rent", features: ["bank-owned"] }, ""],
  [{ features: ["pets-allowed", "lift"] }, ""],
  [{ furnishing: "equipped-kitchen" }, "furnished=furnishedKitchen"],
  [{ kind: "rooms", features: ["non-smoking"] }, ""],
  [{ kind: "premises", features: ["industrial", "street-level"] }, "location=street"],
])("a request for %j carries %j", (wishes, expected) => {
  const filters = requestOnlyFilters({ ...searchFor("sale", "homes", IN_MADRID), ...wishes });
  expect(filters.map(({ parameter, value }) => `${parameter}=${value}`).join(" ")).toBe(expected);
});

test("EASY-01 a search of an island takes the towns of that island, and no others of its province", () => {
  const onIsland = (path: readonly string[], municipality: string, province = "Balears (Illes)") =>
    answer({ where: { type: "unlisted-place", path } }, { placeId: null, province, municipality });
  expect(onIsland(["balears-illes", "mallorca"], "Calvià")).toBe("yes");
  expect(onIsland(["balears-illes", "mallorca"], "Maó")).toBe("no");
  expect(onIsland(["balears-illes", "menorca"], "Maó")).toBe("yes");
  expect(onIsland(["balears-illes", "mallorca"], "Formentera")).toBe("no");
  expect(onIsland(["santa-cruz-de-tenerife", "la-palma"], "Adeje", "Santa Cruz de Tenerife")).toBe("no");
});
