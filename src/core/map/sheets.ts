/** Finds and searched areas by province, because no screen shows Madrid and Barcelona at once, and by zone for the list. */
import type { FindPoint } from "../finds/find.ts";
import type { Point } from "../geo/polyline.ts";
import type { Zone } from "../zones/city-shapes.ts";
import { type Land, provinceAt } from "../zones/land.ts";
import { townOfPlace } from "../zones/towns.ts";
import { zoneAt } from "../zones/zone-at.ts";
import type { SearchedArea } from "./searched-area.ts";

export interface Sheet {
  /** The province's location id; null if unknown. */
  readonly provinceId: string | null;
  readonly points: readonly FindPoint[];
  readonly areas: readonly SearchedArea[];
}

/** The one with the most finds first. */
export function sheetsOf(
  land: Land,
  { points, areas }: { points: readonly FindPoint[]; areas: readonly SearchedArea[] },
): Sheet[] {
  const at = (point: Point | undefined) => (point ? provinceAt(land, point) : null);
  const areasIn = Map.groupBy(areas, ({ placeId, rings }) => provinceIdOf(placeId) ?? at(rings[0]?.[0]));
  const pointsIn = Map.groupBy(points, (point) => provinceIdOf(point.placeId) ?? at(pointOf(point)));
  return [...new Set([...areasIn.keys(), ...pointsIn.keys()])]
    .map((provinceId) => ({
      provinceId,
      points: pointsIn.get(provinceId) ?? [],
      areas: areasIn.get(provinceId) ?? [],
    }))
    .sort((one, other) => other.points.length - one.points.length);
}

export function pointOf({ latitude, longitude }: FindPoint): Point | undefined {
  return latitude === null || longitude === null ? undefined : { latitude, longitude };
}

export function provinceIdOf(placeId: string | null): string | null {
  return /^\w+-\w+-\w+-\w+/.exec(placeId ?? "")?.[0] ?? null;
}

/** The finds of one zone or other place, as the list beside the map shows them. */
export interface PlaceGroup {
  readonly placeId: string | null;
  readonly finds: readonly FindPoint[];
}

/** The largest first. The stated neighbourhood takes precedence over the coordinates, which may be a street off. */
export function placeGroupsOf(finds: readonly FindPoint[], zones: readonly Zone[]): PlaceGroup[] {
  const named = new Set(zones.map(({ placeId }) => placeId));
  const quarters = new Set(zones.filter(({ town }) => !town).map(({ placeId }) => placeId));
  const groups = Map.groupBy(finds, (find) => {
    if (find.placeId !== null && quarters.has(find.placeId)) return find.placeId;
    const point = pointOf(find);
    const zone = point && zoneAt(zones, point);
    if (zone) return zone.placeId;
    const townId = find.placeId === null ? null : townOfPlace(find.placeId);
    return townId !== null && named.has(townId) ? townId : find.placeId;
  });
  return [...groups]
    .map(([placeId, inside]) => ({ placeId, finds: inside }))
    .sort((one, other) => other.finds.length - one.finds.length);
}
