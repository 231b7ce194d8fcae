import { isInside, type Point, type Ring } from "./by-url/polygon.ts";
import { fitsSearch, readSearchUrl, type UrlSearch } from "./by-url/read-search-url.ts";
import type { Advert } from "./market/advert.ts";
import type { Market } from "./market/market.ts";
import { nearestSpot, placesAround, spotAt, stockedSpots } from "./market/places.ts";
import type { Random } from "./market/random.ts";

export interface PublishOrder {
  /** A search URL that the advert will match. */
  readonly url: string;
  readonly fields?: Partial<Advert> | undefined;
}

type PublishOutcome =
  | { readonly isPublished: true; readonly advert: Advert; readonly unknownTokens: readonly string[] }
  | { readonly isPublished: false; readonly reason: string; readonly detail: string };

/** A chalet has no floor, so what is drawn may be impossible to change into what is asked for, and something else is drawn. */
const DRAWS = 20;

/** Publishes a new advert that matches the request. */
export function publishMatching(market: Market, { url, fields = {} }: PublishOrder): PublishOutcome {
  const reading = readSearchUrl(url);
  if (!reading.isRead) {
    return { isPublished: false, reason: reading.reason, detail: "" };
  }
  const { search } = reading;
  let unmet: string[] = [];
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const advert = Object.assign(drawFor(search, market), fields);
    if (fitsSearch(search, advert, market.now)) {
      market.publish(advert);
      return { isPublished: true, advert, unknownTokens: search.unknownTokens };
    }
    unmet = unmetIn(search, advert, market.now).flatMap((group) => group.map((filter) => filter.token));
  }
  return { isPublished: false, reason: "contradictory", detail: unmet.join(", ") };
}

function drawFor(search: UrlSearch, market: Market): Advert {
  const { random, now } = market;
  const point = search.rings.length === 0 ? undefined : pointInside(search.rings, random);
  const spots = stockedSpots.filter(([spot]) => placesAround(spot.id).includes(search.placeId));
  const named = () => (spots.length > 0 ? random.weighted(spots) : spotAt(search.placeId));
  const spot = point === undefined ? named() : nearestSpot(point);
  const advert = market.draw(search.operation, search.propertyType, spot);
  if (point !== undefined) {
    const shown = { shownLatitude: point.latitude, shownLongitude: point.longitude };
    Object.assign(advert, { ...point, ...shown, isAddressShown: true, street: "Calle Mayor" });
  }
  // Apply the filters twice, because one may undo another: a new type of home changes floor and lift.
  for (let round = 0; round < 2; round += 1) {
    for (const group of unmetIn(search, advert, now)) {
      group[random.integer(0, group.length - 1)]?.change(advert, random);
    }
  }
  return advert;
}

function unmetIn(search: UrlSearch, advert: Advert, now: number): UrlSearch["groups"] {
  return search.groups.filter((group) => !group.some((filter) => filter.fits(advert, now)));
}

/** A point in the drawn area, or on its border if the area is too thin to hit. */
function pointInside(rings: readonly Ring[], random: Random): Point {
  const points = rings.flat();
  const [latitudes, longitudes] = [
    points.map(({ latitude }) => latitude),
    points.map(({ longitude }) => longitude),
  ];
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const point = {
      latitude: random.between(Math.min(...latitudes), Math.max(...latitudes)),
      longitude: random.between(Math.min(...longitudes), Math.max(...longitudes)),
    };
    if (rings.some((ring) => isInside(ring, point))) {
      return point;
    }
  }
  return points[0] ?? { latitude: 0, longitude: 0 };
}
