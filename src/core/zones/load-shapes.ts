import { METRES_PER_DEGREE, radians } from "../geo/box.ts";
import type { Point } from "../geo/polyline.ts";
import type { CityShapes } from "./city-shapes.ts";

interface DrawnCity {
  readonly middle: Point;
  readonly load: () => Promise<CityShapes>;
}

/** By the province whose capital has shapes. */
const CITIES: Readonly<Record<string, DrawnCity>> = {
  "0-EU-ES-28": {
    middle: { latitude: 40.4168, longitude: -3.7038 },
    load: async () => (await import("./madrid.ts")).MADRID,
  },
  "0-EU-ES-08": {
    middle: { latitude: 41.3874, longitude: 2.1686 },
    load: async () => (await import("./barcelona.ts")).BARCELONA,
  },
  "0-EU-ES-46": {
    middle: { latitude: 39.4699, longitude: -0.3763 },
    load: async () => (await import("./valencia.ts")).VALENCIA,
  },
};
const NEAR_M = 45_000;

export const DRAWN_PROVINCES: readonly string[] = Object.keys(CITIES);
export const CITY_MIDDLES = Object.entries(CITIES).map(([provinceId, { middle }]) => ({
  provinceId,
  middle,
}));

/** The shapes of the city on a province's map; undefined if there are none. Each city is a file of its own, loaded on demand. */
export function loadShapes(provinceId: string): Promise<CityShapes | undefined> {
  return CITIES[provinceId]?.load() ?? Promise.resolve(undefined);
}

/** The province whose map shows a point, among those that have shapes. */
export function provinceNear(
  point: Point,
  maps: readonly { readonly provinceId: string; readonly middle: Point }[] = CITY_MIDDLES,
): string | null {
  let nearest: { provinceId: string | null; away: number } = { provinceId: null, away: NEAR_M };
  for (const { provinceId, middle } of maps) {
    const away = distanceM(middle, point);
    if (away < nearest.away) nearest = { provinceId, away };
  }
  return nearest.provinceId;
}

function distanceM(one: Point, other: Point): number {
  const x = (other.longitude - one.longitude) * Math.cos(radians(one.latitude));
  return Math.hypot(x, other.latitude - one.latitude) * METRES_PER_DEGREE;
}
