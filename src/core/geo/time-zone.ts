import type { Search } from "../search/search.ts";
import { drawnAreaOf } from "./drawn-area.ts";

/** The two zones of Spain. */
export const TIME_ZONES = ["Europe/Madrid", "Atlantic/Canary"] as const;
export type TimeZone = (typeof TIME_ZONES)[number];

export function timeZoneOr(value: string | null, other: TimeZone): TimeZone {
  return TIME_ZONES.find((zone) => zone === value) ?? other;
}

/** The provinces of Las Palmas and Santa Cruz de Tenerife. */
const CANARY_PLACE = /^0-EU-ES-(?:35|38)(?:-|$)/;
const CANARY_SLUG =
  /^(?:las-palmas(?:-de-gran-canaria.*)?|santa-cruz-de-tenerife(?:-provincia)?|canarias|tenerife|gran-canaria|lanzarote.*|fuerteventura.*|la-palma.*|la-gomera.*|el-hierro.*)$/;
/** No other part of Spain lies as far to the west. */
const CANARY_LONGITUDE = -12;

/** The zone of the searched place; undefined if that is unknown. */
export function timeZoneOf({ where }: Pick<Search, "where">): TimeZone | undefined {
  switch (where.type) {
    case "place":
      return CANARY_PLACE.test(where.placeId) ? "Atlantic/Canary" : "Europe/Madrid";
    case "drawn": {
      const [point] = drawnAreaOf(where.rings).rings.flat();
      if (point === undefined) return undefined;
      return point.longitude < CANARY_LONGITUDE ? "Atlantic/Canary" : "Europe/Madrid";
    }
    case "unlisted-place":
    case "text":
      return where.path.some((part) => CANARY_SLUG.test(part)) ? "Atlantic/Canary" : "Europe/Madrid";
    default:
      return undefined;
  }
}
