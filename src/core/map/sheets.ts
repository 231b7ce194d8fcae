/** Finds and searched areas by province, because no screen shows Madrid and Barcelona at once, and by zone for the list. */
import type { FindPoint } from "../finds/find.ts";
import type { Point } from "../geo/polyline.ts";
import type { Zone } from "../zones/city-shapes.ts";
import { CITY_MIDDLES, provinceNear } from "../zones/load-shapes.ts";
import { zoneAt } from "../zones/zone-at.ts";
import type { SearchedArea } from "./searched-area.ts";

export interface Sheet {
  /** The province's location id; null if unknown. */
  readonly provinceId: string | null;
  readonly points: readonly FindPoint[];
  readonly areas: readonly SearchedArea[];
}

/** The one with the most finds first. */
export function sheetsOf(points: readonly FindPoint[], areas: readonly SearchedArea[]): Sheet[] {
  const maps = [...CITY_MIDDLES];
  for (const point of points) {
    const provinceId = provinceIdOf(point.placeId);
    if (!provinceId || maps.some((map) => map.provinceId === provinceId)) continue;
    const middle = pointOf(point);
    if (middle) maps.push({ provinceId, middle });
  }
  const near = (point: Point | undefined) => (point ? provinceNear(point, maps) : null);
  const areasIn = Map.groupBy(areas, ({ placeId, rings }) => provinceIdOf(placeId) ?? near(rings[0]?.[0]));
  const pointsIn = Map.groupBy(points, (point) => provinceIdOf(point.placeId) ?? near(pointOf(point)));
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
