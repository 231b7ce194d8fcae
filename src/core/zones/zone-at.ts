import { isInRing } from "../geo/drawn-area.ts";
import type { Point } from "../geo/polyline.ts";
import type { Zone } from "./city-shapes.ts";

export function zoneAt(zones: readonly Zone[], point: Point): Zone | undefined {
  return zones.find(({ ring }) => isInRing(ring, point));
}
