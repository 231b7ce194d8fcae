import { drawnAreaOf } from "./drawn-area.ts";
import type { ListingFacts } from "./listing-facts.ts";
import { provinceIdOfPath } from "./match-place.ts";
import { provinceOf } from "./places.ts";
import type { Where } from "./search.ts";

/** Tiles of some two kilometres: most drawings cover a handful. */
const TILE_DEGREES = 0.02;
const MOST_TILES = 100;
const ANYWHERE = "anywhere";
const WIDE = "drawn wide";

/** The neighbourhoods of the index in which a search stands. A drawing stands in every tile it may reach. */
export function keysOfWhere(where: Where): string[] {
  switch (where.type) {
    case "place":
      return [where.placeId];
    case "unlisted-place":
      return [unlistedKey(provinceIdOfPath(where.path))];
    case "drawn":
      return tileKeys(where.rings);
    default:
      return [ANYWHERE];
  }
}

/** Neighbourhoods of searches that look in a place the listing is known to lie in. */
export function keysAround(facts: ListingFacts): string[] {
  const keys: string[] = [];
  for (let id = facts.placeId ?? ""; id !== ""; id = id.slice(0, Math.max(0, id.lastIndexOf("-"))))
    keys.push(id);
  return keys;
}

/** Neighbourhoods of searches whose place has yet to be compared with the listing's. */
export function keysToCompare(facts: ListingFacts): string[] {
  const { latitude, longitude } = facts.listing;
  const keys = [ANYWHERE, WIDE, unlistedKey(null)];
  if (facts.placeId !== null) keys.push(unlistedKey(provinceOf(facts.placeId)?.id ?? null));
  if (latitude !== null && longitude !== null) keys.push(tileKey(tileOf(latitude), tileOf(longitude)));
  return [...new Set(keys)];
}

/** Whether a listing of which the place or the point is not known must look into a neighbourhood all the same. */
export function mayHold(key: string, { placeId, listing }: ListingFacts): boolean {
  if (key.startsWith("tile")) return listing.latitude === null || listing.longitude === null;
  if (key.startsWith("unlisted")) return placeId === null;
  if (key === ANYWHERE || key === WIDE) return false;
  return placeId === null || key.startsWith(`${placeId}-`);
}

function tileKeys(rings: readonly string[]): string[] {
  const { reach } = drawnAreaOf(rings);
  const [south, north, west, east] = [
    tileOf(reach.south),
    tileOf(reach.north),
    tileOf(reach.west),
    tileOf(reach.east),
  ];
  if ((north - south + 1) * (east - west + 1) > MOST_TILES) return [WIDE];
  const keys: string[] = [];
  for (let row = south; row <= north; row++) {
    for (let column = west; column <= east; column++) keys.push(tileKey(row, column));
  }
  return keys;
}

function tileOf(degrees: number): number {
  return Math.floor(degrees / TILE_DEGREES);
}

function tileKey(row: number, column: number): string {
  return `tile ${row} ${column}`;
}

function unlistedKey(provinceId: string | null): string {
  return `unlisted ${provinceId ?? ""}`;
}
