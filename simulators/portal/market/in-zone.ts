import { isInRing } from "#core/geo/drawn-area.ts";
import type { Point } from "#core/geo/polyline.ts";
import { BARCELONA } from "#core/zones/barcelona.ts";
import { type Zone, zonesOf } from "#core/zones/city-shapes.ts";
import { MADRID } from "#core/zones/madrid.ts";
import { VALENCIA } from "#core/zones/valencia.ts";
import type { Spot } from "./places.ts";

const STEPS = 24;
const zones = new Map([MADRID, BARCELONA, VALENCIA].flatMap(zonesOf).map((zone) => [zone.placeId, zone]));
const inside = new Map<string, readonly Point[]>();

/** The point itself or, if it is outside the spot's neighbourhood, one inside: adverts lie where they say. */
export function inZone({ id }: Pick<Spot, "id">, point: Point): Point {
  const zone = zones.get(id);
  if (!zone || isInRing(zone.ring, point)) return point;
  const points = inside.get(id) ?? pointsIn(zone);
  inside.set(id, points);
  const at = Math.floor(Math.abs(point.latitude + point.longitude) * 1e7) % points.length;
  return points[at] ?? point;
}

function pointsIn({ ring, box }: Zone): Point[] {
  const along = (from: number, to: number, step: number) =>
    Math.round((from + ((to - from) * (step + 0.5)) / STEPS) * 1e7) / 1e7;
  const steps = Array.from({ length: STEPS }, (_, step) => step);
  return steps
    .flatMap((up) =>
      steps.map((right) => ({
        latitude: along(box.south, box.north, up),
        longitude: along(box.west, box.east, right),
      })),
    )
    .filter((point) => isInRing(ring, point));
}
