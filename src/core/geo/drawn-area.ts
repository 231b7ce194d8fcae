import { type Box, boxOf, isInBox, METRES_PER_DEGREE, radians, widened } from "./box.ts";
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

export type Position = "inside" | "outside" | "near-border";

/** Contains no point. */
const NOWHERE: Box = { south: 90, north: -90, west: 180, east: -180 };

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
  const box = boxOf(decoded.flat()) ?? NOWHERE;
  return { rings: decoded, box, reach: widened(box, HIDDEN_ADDRESS_TOLERANCE_M) };
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

/** Accurate near the point: see squaredDistanceToBorder. */
export function distanceToBorderM(ring: readonly Point[], point: Point): number {
  return Math.sqrt(squaredDistanceToBorder(ring, point));
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
