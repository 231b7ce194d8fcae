import type { Advert } from "../market/advert.ts";
import type { Market } from "../market/market.ts";
import { SPAIN } from "../market/places.ts";
import type { FilterValue, SearchRequest } from "./read-request.ts";

const HOUR_MS = 3_600_000;
const WINDOWS: Readonly<Record<string, number>> = {
  T: 24 * HOUR_MS,
  Y: 48 * HOUR_MS,
  W: 7 * 24 * HOUR_MS,
  M: 30 * 24 * HOUR_MS,
};
const TYPE_FLAGS = ["flat", "penthouse", "duplex", "studio", "chalet", "countryHouse"];
const SORT_KEYS: Readonly<Record<string, (advert: Advert) => number>> = {
  price: (advert) => advert.priceEur,
  photos: (advert) => advert.photoCount,
  modificationDate: (advert) => advert.modifiedAt,
  size: (advert) => advert.sizeM2 ?? 0,
  floor: (advert) => Number(advert.floor) || 0,
  rooms: (advert) => advert.rooms ?? 0,
  ratioeurm2: (advert) => advert.priceEur / (advert.sizeM2 ?? 1),
};

type Test = (advert: Advert) => boolean;

/** All matching adverts in the requested order. The caller takes a page. */
export function selectAdverts(market: Market, request: SearchRequest): Advert[] {
  const tests = testsOf(request, market.now);
  const found = market
    .select(request.operation, request.propertyType, request.locationId ?? SPAIN)
    .filter((advert) => tests.every((test) => test(advert)));
  if (request.order !== "publicationDate") {
    const key = sortKeyOf(request);
    found.sort((a, b) => key(a) - key(b));
  }
  return request.sort === "asc" ? found : found.reverse();
}

export function relevanceOf(advert: Advert): number {
  return (advert.highlight === null ? 0 : 1000) + advert.photoCount;
}

/** In metres, from the centre to the published position. */
export function distanceTo(advert: Advert, centre: NonNullable<SearchRequest["circle"]>): number {
  const radians = Math.PI / 180;
  const halfLatitude = Math.sin(((advert.shownLatitude - centre.latitude) * radians) / 2);
  const halfLongitude = Math.sin(((advert.shownLongitude - centre.longitude) * radians) / 2);
  const parallels = Math.cos(centre.latitude * radians) * Math.cos(advert.shownLatitude * radians);
  return 2 * 6_371_000 * Math.asin(Math.sqrt(halfLatitude ** 2 + parallels * halfLongitude ** 2));
}

function sortKeyOf({ order, circle }: SearchRequest): (advert: Advert) => number {
  if (order === "distance" && circle !== null) {
    return (advert) => distanceTo(advert, circle);
  }
  return SORT_KEYS[order] ?? relevanceOf;
}

function testsOf({ circle, filters, sinceDate }: SearchRequest, now: number): Test[] {
  const since = now - (WINDOWS[sinceDate ?? ""] ?? 0);
  const types = TYPE_FLAGS.filter((name) => filters.has(name));
  const others = [...filters].filter(([name]) => !TYPE_FLAGS.includes(name));
  return [
    ...(sinceDate === null ? [] : [(advert: Advert) => advert.publishedAt >= since]),
    ...(circle === null ? [] : [(advert: Advert) => distanceTo(advert, circle) <= circle.distanceM]),
    ...(types.length === 0 ? [] : [(advert: Advert) => types.some((name) => isOfType(advert, name))]),
    ...others.map(([name, value]) => testOf(name, value)),
  ];
}

function isOfType(advert: Advert, name: string): boolean {
  return advert.typology === name || (advert.typology === "flat" && advert.subTypology === name);
}

function testOf(name: string, value: FilterValue): Test {
  const limit = Number(value);
  const oneOf = (count: number | null, highest: number) =>
    (value as readonly string[]).includes(String(Math.min(count ?? -1, highest)));
  const tests: Readonly<Record<string, Test>> = {
    minPrice: (advert) => advert.priceEur >= limit,
    maxPrice: (advert) => advert.priceEur <= limit,
    minSize: (advert) => advert.sizeM2 !== null && advert.sizeM2 >= limit,
    maxSize: (advert) => advert.sizeM2 !== null && advert.sizeM2 <= limit,
    bedrooms: (advert) => oneOf(advert.rooms, 4),
    bathrooms: (advert) => oneOf(advert.bathrooms, 3),
    housemates: (advert) => oneOf(advert.tenants, 4),
    adIds: (advert) => String(value).split(",").includes(advert.code),
    preservation: (advert) => advert.condition === value,
    newDevelopment: (advert) => advert.condition === "newdevelopment",
    // For sale, "furnished" includes homes with just an equipped kitchen.
    furnished: ({ furnished, operation }) =>
      furnished === value || (operation === "sale" && value === "furnished" && furnished !== null),
    newGender: ({ gender }) => gender === "mixed" || gender === value,
    elevator: (advert) => advert.hasLift === true,
    exterior: (advert) => advert.isExterior === true,
    garage: (advert) => advert.hasParking,
    virtualTour: (advert) => advert.has3DTour,
    hasMultimedia: (advert) => advert.hasVideo || advert.has3DTour || advert.hasPlan,
  };
  return tests[name] ?? ((advert) => Reflect.get(advert, name) === value);
}
