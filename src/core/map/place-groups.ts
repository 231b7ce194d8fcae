import type { FindPoint } from "../finds/find.ts";
import type { Zone } from "../zones/city-shapes.ts";
import { zoneAt } from "../zones/zone-at.ts";
import { pointOf } from "./sheets.ts";

/** The finds of one zone (or of what place is known), as the list beside the map shows them. */
export interface PlaceGroup {
  readonly placeId: string | null;
  readonly finds: readonly FindPoint[];
}

/** The fullest first. A zone that was named counts more than the point, which may lie a street off. */
export function placeGroupsOf(finds: readonly FindPoint[], zones: readonly Zone[]): PlaceGroup[] {
  const named = new Set(zones.map(({ placeId }) => placeId));
  const groups = Map.groupBy(finds, (find) => {
    if (find.placeId !== null && named.has(find.placeId)) return find.placeId;
    const point = pointOf(find);
    return (point && zoneAt(zones, point)?.placeId) ?? find.placeId;
  });
  return [...groups]
    .map(([placeId, inside]) => ({ placeId, finds: inside }))
    .sort((one, other) => other.finds.length - one.finds.length);
}
