import type { FindPoint } from "../finds/find.ts";
import type { Zone } from "../zones/city-shapes.ts";
import { zoneAt } from "../zones/zone-at.ts";
import { pointOf } from "./sheets.ts";

/** The finds of one zone or other place, as the list beside the map shows them. */
export interface PlaceGroup {
  readonly placeId: string | null;
  readonly finds: readonly FindPoint[];
}

/** The largest first. The stated zone takes precedence over the coordinates, which may be a street off. */
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
