import { ancestorsOf, enclosingPlaceOf, findPlace, type Place } from "./places.ts";
import { slugOf } from "./slug.ts";

const SMALL_WORDS = new Set([
  "a",
  "al",
  "d",
  "de",
  "del",
  "dels",
  "e",
  "el",
  "els",
  "i",
  "l",
  "la",
  "las",
  "les",
  "los",
  "o",
  "y",
]);

/** "Chamberí, Madrid". A province is left to the caller, whose language has a word for it. */
export function placeLabel(placeId: string): { name: string; isProvince: boolean } {
  const place = findPlace(placeId);
  if (!place) return { name: placeId, isProvince: false };
  const around = ancestorsOf(placeId).filter((outer) => isWorthSaying(outer, place));
  const names = [place, ...around].map(({ name }) => name);
  return { name: [...new Set(names)].join(", "), isProvince: place.level === "province" };
}

/** A place our catalogue lacks, read off its path: galdakao-vizcaya is "Galdakao, Vizcaya". */
export function pathLabel(path: readonly string[]): string {
  const [first = "", ...inside] = path;
  if (inside.length > 0) return [...inside].reverse().concat(first).map(wordsOf).join(", ");
  const province = enclosingPlaceOf(path);
  const suffix = province ? `-${slugOf(province.name)}` : "";
  if (!province || !first.endsWith(suffix) || first === suffix.slice(1)) return wordsOf(first);
  const town = wordsOf(first.slice(0, -suffix.length));
  return slugOf(town) === slugOf(province.name) ? province.name : `${town}, ${province.name}`;
}

/** "las-palmas-de-gran-canaria" is "Las Palmas de Gran Canaria". */
export function wordsOf(slug: string): string {
  return slug
    .split("-")
    .map((word, index) =>
      index > 0 && SMALL_WORDS.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join(" ");
}

/** A comarca, or the province of a district's town, would only lengthen the name. */
function isWorthSaying(outer: Place, place: Place): boolean {
  if (outer.level === "comarca") return false;
  return outer.level !== "province" || place.level === "municipality" || place.level === "comarca";
}
