/** The distance of a home from a person's own places, in a straight line. */
import { radians } from "../geo/box.ts";
import type { Point } from "../geo/polyline.ts";
import type { OwnPlace, TravelTime } from "./find.ts";

export interface DistanceTo extends TravelTime {
  readonly name: string;
  readonly metres: number;
  /** The portal shows only an approximate position of the home. */
  readonly isApproximate: boolean;
}

/** The coordinates of a home; null if unknown. */
export interface Located {
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly isAddressShown: boolean;
}

/** In the order of the places; empty if the position of the home is unknown. */
export function distancesTo(
  home: Located,
  places: readonly OwnPlace[],
  travelTimes: readonly TravelTime[],
): DistanceTo[] {
  const { latitude, longitude, isAddressShown } = home;
  if (latitude === null || longitude === null) return [];
  return places.map((place) => ({
    ...travelTimes.find(({ placeId }) => placeId === place.id),
    placeId: place.id,
    name: place.name,
    metres: metresBetween({ latitude, longitude }, place),
    isApproximate: !isAddressShown,
  }));
}

const EARTH_RADIUS_METRES = 6_371_009;

/** Great-circle distance, accurate to half a percent. */
export function metresBetween(a: Point, b: Point): number {
  const [latA, latB] = [radians(a.latitude), radians(b.latitude)];
  const chord =
    Math.sin((latB - latA) / 2) ** 2 +
    Math.cos(latA) * Math.cos(latB) * Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(chord)));
}
