import { boundsOf, isInside, type Point } from "./by-url/polygon.ts";
import { fitsSearch, groupsOf, readSearchUrl, type UrlSearch } from "./by-url/read-search-url.ts";
import type { Advert, Operation, PropertyType } from "./market/advert.ts";
import type { Spot } from "./market/geography.ts";
import type { Market } from "./market/market.ts";
import { distanceM } from "./official/select-adverts.ts";

export interface PublishOrder {
  /** A search URL of the site: the advert will match it. */
  readonly url?: string | undefined;
  readonly operation?: Operation | undefined;
  readonly propertyType?: PropertyType | undefined;
  readonly locationId?: string | undefined;
  /** Names and point of a place the simulator's own catalogue lacks. */
  readonly place?: Partial<Spot> | undefined;
  readonly fields?: Partial<Advert> | undefined;
  /** How many, where the caller asks for more than one. */
  readonly count?: number | undefined;
}

type PublishOutcome =
  | { readonly isPublished: true; readonly advert: Advert; readonly ignoredTokens: readonly string[] }
  | { readonly isPublished: false; readonly reason: string; readonly detail: readonly string[] };

const FALLBACK = { latitude: 40.4168, longitude: -3.7038, eurPerM2: 2500, weight: 1 };

/** Publishes an advert made to fit the order, now. */
export function publishMatching(market: Market, order: PublishOrder): PublishOutcome {
  const search = searchOf(market, order);
  if (typeof search === "string") {
    return { isPublished: false, reason: search, detail: [] };
  }
  const spot = spotFor(market, search, order.place);
  const advert = market.draw(search.operation, search.propertyType, spot);
  if (search.rings.length > 0) {
    moveInside(market, search, advert);
  }
  grantWishes(market, search, advert);
  Object.assign(advert, order.fields ?? {});
  advert.publishedAt = market.now;
  if (!fitsSearch(search, advert, market.now)) {
    const unmet = groupsOf(search).filter((group) => !group.some((wish) => wish.fits(advert, market.now)));
    return {
      isPublished: false,
      reason: "contradictory",
      detail: unmet.flat().map((wish) => wish.token),
    };
  }
  market.publish(advert);
  return { isPublished: true, advert, ignoredTokens: search.unknownTokens };
}

function searchOf(market: Market, order: PublishOrder): UrlSearch | string {
  if (order.url !== undefined) {
    const reading = readSearchUrl(order.url, market.geography);
    if (reading.isRead) {
      return reading.search;
    }
    if (reading.reason !== "place-unknown" || order.place?.id === undefined) {
      return reading.reason;
    }
    const elsewhere = readSearchUrl(withoutPlace(order.url), market.geography);
    return elsewhere.isRead ? { ...elsewhere.search, placeId: order.place.id } : reading.reason;
  }
  const placeId = order.place?.id ?? order.locationId ?? "0-EU-ES-28-07-001-079";
  if (!market.geography.isSearchable(placeId)) {
    return "place-unknown";
  }
  return {
    operation: order.operation ?? "sale",
    propertyType: order.propertyType ?? "homes",
    placeId,
    rings: [],
    wishes: [],
    unknownTokens: [],
    isNewestFirst: true,
  };
}

/** Swaps the place of a URL for one the catalogue holds, to read the rest of it. */
function withoutPlace(text: string): string {
  const url = new URL(text);
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  const category = segments.findIndex((segment) => /^(venta|alquiler)-/.test(segment));
  const filters = segments.filter((segment) => segment.startsWith("con-"));
  url.pathname = [segments[category] ?? "", "madrid-madrid", ...filters].join("/");
  return url.href;
}

function spotFor(market: Market, search: UrlSearch, place: Partial<Spot> | undefined): Spot {
  const { spots, findPlace } = market.geography;
  const random = market.controlRandom;
  if (search.rings.length > 0) {
    const centre = search.rings[0]?.[0] ?? FALLBACK;
    return spots.toSorted((a, b) => distanceM(a, centre) - distanceM(b, centre))[0] ?? bareSpot("", "", {});
  }
  const placeId = search.placeId ?? "";
  const inside = spots.filter((spot) => spot.id === placeId || spot.id.startsWith(`${placeId}-`));
  const drawn = inside[random.integer(0, inside.length - 1)];
  return place === undefined && drawn !== undefined
    ? drawn
    : bareSpot(placeId, findPlace(placeId)?.name ?? "", place ?? {});
}

function bareSpot(id: string, name: string, place: Partial<Spot>): Spot {
  const names = { province: name, municipality: name, district: null, neighborhood: null };
  return { ...FALLBACK, ...names, ...place, id };
}

/** A point of the drawn area, address shown: the answers give it exactly. */
function moveInside(market: Market, search: UrlSearch, advert: Advert): void {
  const { south, north, west, east } = boundsOf(search.rings);
  const random = market.controlRandom;
  let point: Point = search.rings[0]?.[0] ?? FALLBACK;
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const candidate = { latitude: random.between(south, north), longitude: random.between(west, east) };
    if (isInside(search.rings, candidate)) {
      point = candidate;
      break;
    }
  }
  const { spots } = market.geography;
  const nearest = spots.toSorted((a, b) => distanceM(a, point) - distanceM(b, point))[0];
  advert.spot = nearest ?? advert.spot;
  Object.assign(advert, {
    ...point,
    shownLatitude: point.latitude,
    shownLongitude: point.longitude,
    isAddressShown: true,
    street: advert.street ?? "Calle Mayor",
  });
}

/** Twice, because one wish may undo another: a new type of home comes with its own floor and lift. */
function grantWishes(market: Market, search: UrlSearch, advert: Advert): void {
  for (let round = 0; round < 2; round += 1) {
    for (const group of groupsOf(search)) {
      if (!group.some((wish) => wish.fits(advert, market.now))) {
        group[market.controlRandom.integer(0, group.length - 1)]?.grant(advert, market.controlRandom);
      }
    }
  }
}
