/** Groups finds and searched areas into one map per province, because no screen shows Madrid and Barcelona at once. */
import type { FindPoint } from "../finds/find.ts";
import type { Point } from "../geo/polyline.ts";
import { CITY_MIDDLES, provinceNear } from "../zones/load-shapes.ts";
import type { SearchedArea } from "./searched-area.ts";

export interface Sheet {
  /** The province's location id; null if unknown. */
  readonly provinceId: string | null;
  readonly points: readonly FindPoint[];
  readonly areas: readonly SearchedArea[];
}

interface Draft {
  readonly provinceId: string | null;
  readonly points: FindPoint[];
  readonly areas: SearchedArea[];
}

/** The one with the most finds first. */
export function sheetsOf(points: readonly FindPoint[], areas: readonly SearchedArea[]): Sheet[] {
  const maps = [...CITY_MIDDLES];
  for (const point of points) {
    const middle = pointOf(point);
    const provinceId = provinceOf(point.placeId);
    if (middle && provinceId && !maps.some((map) => map.provinceId === provinceId)) {
      maps.push({ provinceId, middle });
    }
  }
  const near = (point: Point | undefined) => (point ? provinceNear(point, maps) : null);
  const drafts = new Map<string | null, Draft>();
  const draftOf = (provinceId: string | null): Draft => {
    const draft = drafts.get(provinceId) ?? { provinceId, points: [], areas: [] };
    drafts.set(provinceId, draft);
    return draft;
  };
  for (const area of areas) {
    draftOf(provinceOf(area.placeId) ?? near(area.rings[0]?.[0])).areas.push(area);
  }
  for (const point of points) {
    draftOf(provinceOf(point.placeId) ?? near(pointOf(point))).points.push(point);
  }
  return [...drafts.values()].sort((one, other) => other.points.length - one.points.length);
}

export function pointOf({ latitude, longitude }: FindPoint): Point | undefined {
  return latitude === null || longitude === null ? undefined : { latitude, longitude };
}

function provinceOf(placeId: string | null): string | null {
  const parts = placeId?.split("-") ?? [];
  return parts.length >= 4 ? parts.slice(0, 4).join("-") : null;
}
