import { decodePolyline, type Point } from "./polyline.ts";

/**
 * How far a hidden address may lie from the point the portal shows. Of 749 hidden addresses measured against
 * their barrio's border the farthest lay 229 m outside it.
 */
export const HIDDEN_ADDRESS_TOLERANCE_M = 250;

export interface DrawnArea {
  readonly rings: readonly (readonly Point[])[];
  readonly box: Box;
  /** The box widened by the tolerance: points outside it are neither inside the area nor near its border. */
  readonly reach: Box;
}

export interface Box {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
}

export type Position = "inside" | "outside" | "near-border";

export const METRES_PER_DEGREE = 111_320;

const areas = new WeakMap<readonly string[], DrawnArea>();

/** The area of a search's rings. Decoded once per search. */
export function drawnAreaOf(rings: readonly string[]): DrawnArea {
  const known = areas.get(rings);
  if (known) return known;
  const area = decodeArea(rings);
  areas.set(rings, area);
  return area;
}

function decodeArea(rings: readonly string[]): DrawnArea {
  const decoded = rings.map((ring) => decodePolyline(ring) ?? []);
  const points = decoded.flat();
  const latitudes = points.map((point) => point.latitude);
  const longitudes = points.map((point) => point.longitude);
  const box = {
    south: Math.min(...latitudes),
    north: Math.max(...latitudes),
    west: Math.min(...longitudes),
    east: Math.max(...longitudes),
  };
  return { rings: decoded, box, reach: widened(box, HIDDEN_ADDRESS_TOLERANCE_M) };
}

function widened(box: Box, metres: number): Box {
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

/** A drawing of several rings is their union. The tolerance is at most 250 m. */
export function positionIn(area: DrawnArea, point: Point, toleranceM: number): Position {
  let position: Position = "outside";
  if (!isInBox(area.reach, point)) return position;
  for (const ring of area.rings) {
    const isInside = isInRing(ring, point);
    const isNear = toleranceM > 0 && squaredDistanceToBorder(ring, point) <= toleranceM ** 2;
    if (isInside && !isNear) return "inside";
    if (isNear) position = "near-border";
  }
  return position;
}

function isInBox(box: Box, { latitude, longitude }: Point): boolean {
  return latitude >= box.south && latitude <= box.north && longitude >= box.west && longitude <= box.east;
}

/** Counts the ring's edges to the east of the point; an odd number means it is inside. */
export function isInRing(ring: readonly Point[], point: Point): boolean {
  let isInside = false;
  let previous = ring.at(-1);
  for (const corner of ring) {
    if (previous && corner.latitude > point.latitude !== previous.latitude > point.latitude) {
      const share = (point.latitude - corner.latitude) / (previous.latitude - corner.latitude);
      const crossing = corner.longitude + share * (previous.longitude - corner.longitude);
      if (point.longitude < crossing) isInside = !isInside;
    }
    previous = corner;
  }
  return isInside;
}

/** In square metres, on a plane around the point: accurate to centimetres at the few hundred metres that matter. */
function squaredDistanceToBorder(ring: readonly Point[], point: Point): number {
  const metresPerLongitude = METRES_PER_DEGREE * Math.cos(radians(point.latitude));
  let nearest = Number.POSITIVE_INFINITY;
  let previous = ring.at(-1);
  for (const corner of ring) {
    if (previous) {
      const x1 = (previous.longitude - point.longitude) * metresPerLongitude;
      const y1 = (previous.latitude - point.latitude) * METRES_PER_DEGREE;
      const x2 = (corner.longitude - point.longitude) * metresPerLongitude;
      const y2 = (corner.latitude - point.latitude) * METRES_PER_DEGREE;
      nearest = Math.min(nearest, squaredDistanceFromOrigin(x1, y1, x2, y2));
    }
    previous = corner;
  }
  return nearest;
}

function squaredDistanceFromOrigin(x1: number, y1: number, x2: number, y2: number): number {
  const dx = x2 - x1;
  const dy = y2 - y1;
  const lengthSquared = dx * dx + dy * dy;
  const share = lengthSquared === 0 ? 0 : Math.min(1, Math.max(0, -(x1 * dx + y1 * dy) / lengthSquared));
  return (x1 + share * dx) ** 2 + (y1 + share * dy) ** 2;
}

export function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
