/** Short names of the places that questions offer, for the callback data of buttons. */
import type { Where } from "../search/search.ts";
import { ISLANDS } from "./catalogue/islands.ts";
import { REGION_SEARCHES } from "./catalogue/regions.ts";
import { KNOWN_TOWNS } from "./known-names.ts";
import { findPlace } from "./places.ts";

/** A place of the catalogue, a town or an island that only our lists know, or a region that the portal searches by name. */
export type KnownWhere = Extract<Where, { type: "place" | "unlisted-place" | "point-of-interest" }>;

const ROOT = "0-EU-ES-";

/** By key. A town is "galdakao_48", an island "mallorca_07", a region "galicia_geo". */
const WITHOUT_ID: ReadonlyMap<string, KnownWhere> = new Map<string, KnownWhere>([
  ...[...KNOWN_TOWNS, ...ISLANDS].map(
    ({ slug, provinceId, path }) =>
      [`${slug}_${provinceId.slice(ROOT.length)}`, { type: "unlisted-place", path }] as const,
  ),
  ...REGION_SEARCHES.map(({ slug }) => [`${slug}_geo`, { type: "point-of-interest", slug }] as const),
]);

/** "28-07-001-079" for a location id. Undefined for areas that no question offers. */
export function placeKeyOf(where: Where): string | undefined {
  if (where.type === "place") {
    return where.placeId.startsWith(ROOT) ? where.placeId.slice(ROOT.length) : undefined;
  }
  const known = [...WITHOUT_ID].find(([, one]) => isSamePlace(one, where));
  return known?.[0];
}

/** Returns undefined if no place that we know has this key. */
export function findPlaceByKey(key: string): KnownWhere | undefined {
  const place = findPlace(ROOT + key);
  return place === undefined ? WITHOUT_ID.get(key) : { type: "place", placeId: place.id };
}

function isSamePlace(one: KnownWhere, other: Where): boolean {
  if (one.type === "unlisted-place") {
    return other.type === "unlisted-place" && other.path.join("/") === one.path.join("/");
  }
  return one.type === "point-of-interest" && other.type === "point-of-interest" && other.slug === one.slug;
}
