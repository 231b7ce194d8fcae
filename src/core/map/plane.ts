import { METRES_PER_DEGREE, radians } from "../geo/drawn-area.ts";
import type { Point } from "../geo/polyline.ts";

/** Metres east and south of the centre of a map. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** A local projection around a point, accurate to half a percent within a province. */
export interface Plane {
  readonly spotOf: (point: Point) => Spot;
  readonly pointOf: (spot: Spot) => Point;
}

export function planeAround(middle: Point): Plane {
  const perLongitude = METRES_PER_DEGREE * Math.cos(radians(middle.latitude));
  return {
    spotOf: ({ latitude, longitude }) => ({
      x: (longitude - middle.longitude) * perLongitude,
      y: (middle.latitude - latitude) * METRES_PER_DEGREE,
    }),
    pointOf: ({ x, y }) => ({
      latitude: middle.latitude - y / METRES_PER_DEGREE,
      longitude: middle.longitude + x / perLongitude,
    }),
  };
}

export interface Bounds {
  readonly west: number;
  readonly east: number;
  readonly north: number;
  readonly south: number;
}

/** The smallest bounds around all spots; undefined if there are none. */
export function boundsOf(spots: Iterable<Spot>): Bounds | undefined {
  let bounds: Bounds | undefined;
  for (const { x, y } of spots) {
    bounds ??= { west: x, east: x, north: y, south: y };
    if (x < bounds.west) bounds = { ...bounds, west: x };
    if (x > bounds.east) bounds = { ...bounds, east: x };
    if (y < bounds.north) bounds = { ...bounds, north: y };
    if (y > bounds.south) bounds = { ...bounds, south: y };
  }
  return bounds;
}
