import { type Box, isInBox } from "../geo/box.ts";
import { isInRing } from "../geo/drawn-area.ts";
import type { Point } from "../geo/polyline.ts";
import type { Zone } from "./city-shapes.ts";

/** The smallest zone at a point: a neighbourhood before its city, a town before the one that surrounds it. */
export function zoneAt(zones: readonly Zone[], point: Point): Zone | undefined {
  let smallest: Zone | undefined;
  for (const zone of zones) {
    if (smallest && sizeOf(zone.box) >= sizeOf(smallest.box)) continue;
    if (isInBox(zone.box, point) && isInRing(zone.ring, point)) smallest = zone;
  }
  return smallest;
}

function sizeOf({ south, north, west, east }: Box): number {
  return (north - south) * (east - west);
}
