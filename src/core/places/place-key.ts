/** Short names of the places that questions offer, for the callback data of buttons. */
import type { Where } from "../search/search.ts";
import { KNOWN_TOWNS, type KnownTown } from "./known-names.ts";
import { findPlace } from "./places.ts";

/** A place of the catalogue, or a town that only our list of towns knows. */
export type KnownWhere = Extract<Where, { type: "place" | "unlisted-place" }>;

const ROOT = "0-EU-ES-";

/** "28-07-001-079" for a location id, "galdakao_48" for a town without one. Undefined for other areas. */
export function placeKeyOf(where: Where): string | undefined {
  if (where.type === "place") {
    return where.placeId.startsWith(ROOT) ? where.placeId.slice(ROOT.length) : undefined;
  }
  const path = where.type === "unlisted-place" ? where.path.join("/") : "";
  const town = KNOWN_TOWNS.find((one) => one.path.join("/") === path);
  return town && keyOfTown(town);
}

/** Returns undefined if no place that we know has this key. */
export function findPlaceByKey(key: string): KnownWhere | undefined {
  const place = findPlace(ROOT + key);
  if (place !== undefined) return { type: "place", placeId: place.id };
  const town = KNOWN_TOWNS.find((one) => keyOfTown(one) === key);
  return town && { type: "unlisted-place", path: town.path };
}

function keyOfTown({ slug, provinceId }: KnownTown): string {
  return `${slug}_${provinceId.slice(ROOT.length)}`;
}
