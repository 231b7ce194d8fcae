import type { Point } from "./polyline.ts";

export interface Box {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
}

export const METRES_PER_DEGREE = 111_320;

/** The smallest box around all points; undefined if there are none. */
export function boxOf(points: readonly Point[]): Box | undefined {
  let [south, north, west, east] = [90, -90, 180, -180];
  for (const { latitude, longitude } of points) {
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
  }
  return points.length === 0 ? undefined : { south, north, west, east };
}

export function widened(box: Box, metres: number): Box {
  const latitude = metres / METRES_PER_DEGREE;
  const widestLatitude = Math.max(Math.abs(box.south), Math.abs(box.north)) + latitude;
  const longitude = latitude / Math.max(0.01, Math.cos(radians(Math.min(89, widestLatitude))));
  return {
    south: box.south - latitude,
    north: box.north + latitude,
    west: box.west - longitude,
    east: box.east + longitude,
  };
}

export function isInBox(box: Box, { latitude, longitude }: Point): boolean {
  return latitude >= box.south && latitude <= box.north && longitude >= box.west && longitude <= box.east;
}

export function overlap(one: Box, other: Box): boolean {
  return (
    one.west <= other.east && other.west <= one.east && one.south <= other.north && other.south <= one.north
  );
}

export function middleOf({ south, north, west, east }: Box): Point {
  return { latitude: (south + north) / 2, longitude: (west + east) / 2 };
}

export function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
