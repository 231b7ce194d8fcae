import { drawnAreaOf } from "../geo/drawn-area.ts";
import type { Point } from "../geo/polyline.ts";
import { contains } from "../places/places.ts";
import type { Search } from "../search/search.ts";
import type { Zone } from "../zones/city-shapes.ts";
import { TOWN_PARTS, townOfPlace } from "../zones/towns.ts";

/** The area of a search, if it can be drawn. */
export interface SearchedArea {
  /** The portal's location id; null for a drawn area. */
  readonly placeId: string | null;
  readonly rings: readonly (readonly Point[])[];
}

/** Undefined if only the portal knows the area: zone codes, a station, free text. */
export function searchedAreaOf({ where }: Search): SearchedArea | undefined {
  if (where.type === "place") return { placeId: where.placeId, rings: [] };
  if (where.type === "drawn") return { placeId: null, rings: drawnAreaOf(where.rings).rings };
  return undefined;
}

export function holdsZone({ placeId }: SearchedArea, zone: Zone): boolean {
  if (placeId === null) return false;
  return contains(placeId, zone.placeId) || (zone.town !== undefined && isTown(placeId, zone.placeId));
}

function isTown(placeId: string, townId: string): boolean {
  return placeId.split("-").length === TOWN_PARTS && townOfPlace(placeId) === townId;
}
