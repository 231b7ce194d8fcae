import { isInBox } from "../geo/box.ts";
import { isInRing } from "../geo/drawn-area.ts";
import type { Point } from "../geo/polyline.ts";
import type { Zone } from "./city-shapes.ts";

export function zoneAt(zones: readonly Zone[], point: Point): Zone | undefined {
  return zones.find(({ box, ring }) => isInBox(box, point) && isInRing(ring, point));
}
