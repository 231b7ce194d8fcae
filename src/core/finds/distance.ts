import type { Point } from "../geo/polyline.ts";
/** How far a home is from a person's own places, in a straight line. */
import type { OwnPlace, TravelTime } from "./find.ts";

export interface DistanceTo extends TravelTime {
  /** What the person calls the place. */
  readonly name: string;
  readonly metres: number;
  /** The portal shows only about where the home is. */
  readonly isApproximate: boolean;
}

/** A home as far as it is known where it is. */
export interface Located {
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly isAddressShown: boolean;
}

/** In the order of the places; none where it is not known where the home is. */
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

/** Along the surface of a round earth, which is right to half a percent. */
export function metresBetween(a: Point, b: Point): number {
  const [latA, latB] = [radians(a.latitude), radians(b.latitude)];
  const chord =
    Math.sin((latB - latA) / 2) ** 2 +
    Math.cos(latA) * Math.cos(latB) * Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(chord)));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
