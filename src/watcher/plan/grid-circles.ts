/**
 * Circles of a few sizes on a grid. A drawn area is requested by one of these instead of its own circle, so that drawn areas of
 * many people around the same place share a feed.
 */
import { metresBetween } from "#core/finds/distance.ts";
import { METRES_PER_DEGREE, radians } from "#core/geo/box.ts";
import { drawnAreaOf, HIDDEN_ADDRESS_TOLERANCE_M } from "#core/geo/drawn-area.ts";
import type { Circle } from "#core/search/official-request.ts";

const RADII_M = [4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000];
/** The largest circle that two drawn areas are merged into: a city with its suburbs. */
const LARGEST_SHARED_M = 32_000;

/** Contains all rings of a drawing and the hidden addresses around it; undefined if it is larger than any circle. */
export function circleOfDrawing(rings: readonly string[]): Circle | undefined {
  const area = drawnAreaOf(rings);
  const latitude = (area.box.south + area.box.north) / 2;
  const longitude = (area.box.west + area.box.east) / 2;
  const centre = { latitude, longitude, distanceM: 0 };
  const points = area.rings.flat();
  const reach = Math.max(...points.map((point) => metresBetween(centre, point)));
  return gridCircleAround([{ ...centre, distanceM: reach + HIDDEN_ADDRESS_TOLERANCE_M }], Infinity);
}

export function sharedCircleOf(one: Circle, other: Circle): Circle | undefined {
  return gridCircleAround([one, other], LARGEST_SHARED_M);
}

export function circleHolds(outer: Circle, inner: Circle): boolean {
  return metresBetween(outer, inner) + inner.distanceM <= outer.distanceM;
}

function gridCircleAround(circles: readonly Circle[], largestM: number): Circle | undefined {
  const mean = (pick: (circle: Circle) => number) =>
    circles.reduce((sum, circle) => sum + pick(circle), 0) / circles.length;
  const latitude = mean((circle) => circle.latitude);
  const longitude = mean((circle) => circle.longitude);
  for (const radiusM of RADII_M) {
    if (radiusM > largestM) return undefined;
    const candidate = snapped(latitude, longitude, radiusM);
    if (circles.every((circle) => circleHolds(candidate, circle))) return candidate;
  }
  return undefined;
}

function snapped(latitude: number, longitude: number, radiusM: number): Circle {
  const step = radiusM / 2 / METRES_PER_DEGREE;
  const row = Math.round(latitude / step) * step;
  const column = step / Math.max(0.1, Math.cos(radians(row)));
  return {
    latitude: rounded(row),
    longitude: rounded(Math.round(longitude / column) * column),
    distanceM: radiusM,
  };
}

/** Ten centimetres, so that equal circles are written equally. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}
