import type { Advert } from "../market/advert.ts";
import type { Market } from "../market/market.ts";
import { ANYWHERE, countBefore } from "../market/shelves.ts";
import type { FilterValue, SearchRequest } from "./read-request.ts";

const HOUR_MS = 3_600_000;
const WINDOWS: Readonly<Record<string, number>> = {
  T: 24 * HOUR_MS,
  Y: 48 * HOUR_MS,
  W: 7 * 24 * HOUR_MS,
  M: 30 * 24 * HOUR_MS,
};
const TYPE_FLAGS = ["flat", "penthouse", "duplex", "studio", "chalet", "countryHouse"];

type Test = (advert: Advert) => boolean;

/** All adverts the request asks for, in its order; the caller cuts the page. */
export function selectAdverts(market: Market, request: SearchRequest): Advert[] {
  const shelf = market.shelf(request.operation, request.propertyType, request.locationId ?? ANYWHERE);
  const windowMs = request.sinceDate === null ? undefined : WINDOWS[request.sinceDate];
  const recent = windowMs === undefined ? shelf : shelf.slice(countBefore(shelf, market.now - windowMs));
  const tests = testsOf(request);
  const found = recent.filter((advert) => tests.every((test) => test(advert)));
  if (request.order !== "publicationDate") {
    const key = sortKeyOf(request);
    found.sort((a, b) => key(a) - key(b));
  }
  return request.sort === "asc" ? found : found.reverse();
}

export function distanceM(
  a: { latitude: number; longitude: number },
  b: { latitude: number; longitude: number },
): number {
  const radians = Math.PI / 180;
  const halfLatitude = Math.sin(((b.latitude - a.latitude) * radians) / 2);
  const halfLongitude = Math.sin(((b.longitude - a.longitude) * radians) / 2);
  const chord =
    halfLatitude ** 2 + Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians) * halfLongitude ** 2;
  return 2 * 6_371_000 * Math.asin(Math.sqrt(chord));
}

export function distanceTo(advert: Advert, circle: NonNullable<SearchRequest["circle"]>): number {
  return distanceM(circle, { latitude: advert.shownLatitude, longitude: advert.shownLongitude });
}

function testsOf(request: SearchRequest): Test[] {
  const tests: Test[] = [];
  const { circle, filters } = request;
  if (circle !== null) {
    tests.push((advert) => distanceTo(advert, circle) <= circle.distanceM);
  }
  const types = TYPE_FLAGS.filter((name) => filters.has(name));
  if (types.length > 0) {
    tests.push((advert) => types.some((name) => isOfType(advert, name)));
  }
  for (const [name, value] of filters) {
    if (!TYPE_FLAGS.includes(name)) {
      tests.push(testOf(name, value));
    }
  }
  return tests;
}

function isOfType(advert: Advert, name: string): boolean {
  return advert.typology === name || (advert.typology === "flat" && advert.subTypology === name);
}

function testOf(name: string, value: FilterValue): Test {
  const limit = typeof value === "number" ? value : 0;
  const list = Array.isArray(value) ? value : [];
  switch (name) {
    case "minPrice":
      return (advert) => advert.priceEur >= limit;
    case "maxPrice":
      return (advert) => advert.priceEur <= limit;
    case "minSize":
      return (advert) => advert.sizeM2 !== null && advert.sizeM2 >= limit;
    case "maxSize":
      return (advert) => advert.sizeM2 !== null && advert.sizeM2 <= limit;
    case "bedrooms":
      return (advert) => list.includes(String(Math.min(advert.rooms ?? -1, 4)));
    case "bathrooms":
      return (advert) => list.includes(String(Math.min(advert.bathrooms ?? -1, 3)));
    case "housemates":
      return (advert) => list.includes(String(Math.min(advert.traits.tenants, 4)));
    case "adIds":
      return (advert) => list.includes(advert.code);
    case "subTypology":
      return (advert) => advert.subTypology === value;
    case "preservation":
      return (advert) => advert.condition === value;
    case "furnished":
      return furnishedTest(value);
    case "newGender":
      return (advert) => advert.traits.gender === "mixed" || advert.traits.gender === value;
    default:
      return stateTest(name, value);
  }
}

function stateTest(name: string, value: FilterValue): Test {
  switch (name) {
    case "newDevelopment":
      return (advert) => advert.condition === "newdevelopment";
    case "elevator":
      return (advert) => advert.hasLift === true;
    case "exterior":
      return (advert) => advert.isExterior === true;
    case "garage":
      return (advert) => advert.parking !== null;
    case "virtualTour":
      return (advert) => advert.has3DTour || advert.has360;
    case "hasMultimedia":
      return (advert) => advert.hasVideo || advert.has3DTour || advert.has360 || advert.hasPlan;
    default:
      return (advert) => Reflect.get(advert.traits, name) === value;
  }
}

function furnishedTest(value: FilterValue): Test {
  return (advert) =>
    advert.traits.furnished === value ||
    // On sale "furnished" takes in the equipped kitchens.
    (advert.operation === "sale" && value === "furnished" && advert.traits.furnished !== null);
}

function sortKeyOf(request: SearchRequest): (advert: Advert) => number {
  const { circle } = request;
  switch (request.order) {
    case "distance":
      return (advert) => (circle === null ? 0 : distanceTo(advert, circle));
    case "price":
      return (advert) => advert.priceEur;
    case "photos":
      return (advert) => advert.photoCount;
    case "modificationDate":
      return (advert) => advert.modifiedAt;
    case "size":
      return (advert) => advert.sizeM2 ?? 0;
    case "floor":
      return (advert) => Number(advert.floor) || 0;
    case "rooms":
      return (advert) => advert.rooms ?? 0;
    case "ratioeurm2":
      return (advert) => advert.priceEur / (advert.sizeM2 ?? 1);
    case "pricedown":
    case "priceDown":
      return (advert) => (advert.formerPriceEur === null ? 0 : 1 - advert.priceEur / advert.formerPriceEur);
    case "street":
      return (advert) => (advert.street ?? "").charCodeAt(0) || 0;
    default:
      return (advert) => (advert.highlight === null ? 0 : 1000) + advert.photoCount;
  }
}
