import { islandOfPath } from "./catalogue/islands.ts";
import { nameOfSlug, provinceName } from "./known-names.ts";
import { ancestorsOf, findPlace, type Place, type PlaceLevel, townAndProvince } from "./places.ts";
import { slugOf } from "./slug.ts";

/** "Chamberí, Madrid". The caller adds the word for "province" in its language. */
export function placeLabel(placeId: string): { name: string; level: PlaceLevel | null } {
  const place = findPlace(placeId);
  if (!place) return { name: placeId, level: null };
  const around = ancestorsOf(placeId).filter((outer) => isWorthSaying(outer, place));
  return { name: joined([place, ...around].map(nameOf)), level: place.level };
}

/** The label of a place that the catalogue lacks: galdakao-vizcaya is "Galdakao, Vizcaya". An island needs no province. */
export function pathLabel(path: readonly string[]): string {
  const [first = "", ...inside] = path;
  const island = islandOfPath(path);
  if (island) return island.name;
  if (inside.length > 0) return joined([...inside].reverse().concat(first).map(nameOfSlug));
  const { town, province } = townAndProvince(first);
  return joined([
    ...(town === "" ? [] : [nameOfSlug(town)]),
    ...(province ? [provinceName(province.id)] : []),
  ]);
}

function nameOf(place: Place): string {
  return place.level === "province" ? provinceName(place.id) : place.name;
}

/** Each name once, ignoring spelling differences. */
function joined(names: readonly string[]): string {
  const slugs = names.map(slugOf);
  return names.filter((_, index) => slugs.indexOf(slugs[index] ?? "") === index).join(", ");
}

/** The name of a comarca, or of the province of a district's town, adds only length. */
function isWorthSaying(outer: Place, place: Place): boolean {
  if (outer.level === "comarca") return false;
  return outer.level !== "province" || place.level === "municipality" || place.level === "comarca";
}
