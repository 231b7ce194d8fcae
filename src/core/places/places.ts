/**
 * The places that have a location id on the portal, and the two ways they are named: URL paths and names in API answers.
 * A place missing here is not an error of the user: lookups return a value that says so.
 */
import { PLACE_ALIASES } from "./aliases.ts";
import type { PlaceTree } from "./catalogue/place-tree.ts";
import { SPAIN } from "./catalogue/spain.ts";
import { slugOf } from "./slug.ts";

export type PlaceLevel = "province" | "comarca" | "municipality" | "district" | "barrio";

export interface Place {
  /** The portal's location id; an ancestor's id is a prefix of it. */
  readonly id: string;
  readonly level: PlaceLevel;
  readonly name: string;
  /** Its segments in a search URL. */
  readonly path: readonly string[];
  readonly parentId: string | null;
}

export interface PlaceNames {
  readonly province: string | null;
  readonly municipality: string | null;
  readonly district: string | null;
  readonly neighborhood: string | null;
}

export type ResolvedPlace =
  | { readonly ok: true; readonly place: Place }
  | { readonly ok: false; readonly reason: "unknown-place" };

const ROOT = "0-EU-ES";
const LEVEL_BY_PARTS: Readonly<Record<number, PlaceLevel>> = {
  4: "province",
  5: "comarca",
  7: "municipality",
  8: "district",
  9: "barrio",
};

// Provinces that the portal writes without "-provincia".
const WRITTEN_BARE = new Set(["alava", "asturias", "cantabria", "las-palmas", "malaga"]);
// Provinces whose name no town shares, so that the bare word is unambiguous.
const READ_BARE = new Set([
  ...WRITTEN_BARE,
  "balears-illes",
  "ceuta",
  "cerdanya-francesa",
  "guipuzcoa",
  "la-rioja",
  "melilla",
  "navarra",
  "pais-vasco-frances",
  "vizcaya",
]);

const placesById = new Map<string, Place>();
const idsByPath = new Map<string, string>();
/** Parent id and name slug to id. Towns are listed under their province here, also if they belong to a comarca. */
const idsByName = new Map<string, string>();

plant(SPAIN, null);

export function findPlace(id: string): Place | undefined {
  return placesById.get(id);
}

export function allPlaces(): Iterable<Place> {
  return placesById.values();
}

/** The place that URL segments name. If a district and a comarca share a path, the district is meant. */
export function resolvePlacePath(path: readonly string[]): ResolvedPlace {
  const place = placesById.get(idsByPath.get(path.join("/")) ?? "");
  return place ? { ok: true, place } : { ok: false, reason: "unknown-place" };
}

/** The smallest place that the names in an API answer certainly mean. */
export function placeOfNames(names: PlaceNames): Place | undefined {
  const province = childNamed(ROOT, names.province);
  if (!province) return undefined;
  const municipality = childNamed(province.id, names.municipality);
  if (!municipality) return province;
  const district = childNamed(municipality.id, names.district);
  if (!district) return municipality;
  return childNamed(district.id, names.neighborhood) ?? district;
}

/** From the nearest to the province, without the place itself. */
export function ancestorsOf(id: string): Place[] {
  const ancestors: Place[] = [];
  let parent = placesById.get(placesById.get(id)?.parentId ?? "");
  while (parent) {
    ancestors.push(parent);
    parent = placesById.get(parent.parentId ?? "");
  }
  return ancestors;
}

/** Whether one id is the other or lies within it. Also works for ids outside the catalogue. */
export function contains(outerId: string, innerId: string): boolean {
  return (
    innerId.startsWith(outerId) && (innerId.length === outerId.length || innerId[outerId.length] === "-")
  );
}

export function provinceOf(id: string): Place | undefined {
  return placesById.get(id.split("-").slice(0, 4).join("-"));
}

/**
 * The smallest place of the catalogue that certainly contains the place of an unknown path: galdakao-vizcaya lies in
 * Vizcaya, and madrid/x somewhere in the province of Madrid.
 */
export function enclosingPlaceOf(path: readonly string[]): Place | undefined {
  for (let length = path.length - 1; length >= 2; length--) {
    const outer = resolvePlacePath(path.slice(0, length));
    if (outer.ok) return outer.place;
  }
  const [first = ""] = path;
  return path.length > 1 ? provinceOfFirst(first) : townAndProvince(first).province;
}

/** Splits a segment into the town and its province, if it ends with one of the province's names. */
export function townAndProvince(segment: string): { town: string; province: Place | undefined } {
  const words = segment.split("-");
  for (let from = 0; from < words.length; from++) {
    const id = idsByName.get(`${ROOT}/${words.slice(from).join("-")}`);
    if (id) return { town: words.slice(0, from).join("-"), province: placesById.get(id) };
  }
  return { town: segment, province: undefined };
}

function provinceOfFirst(first: string): Place | undefined {
  const provinceId = idsByName.get(`${ROOT}/${first}`);
  if (provinceId) return placesById.get(provinceId);
  for (const place of placesById.values()) {
    if (place.level === "municipality" && slugOf(place.name) === first) return provinceOf(place.id);
  }
  return undefined;
}

function childNamed(parentId: string, name: string | null): Place | undefined {
  return name === null ? undefined : placesById.get(idsByName.get(`${parentId}/${slugOf(name)}`) ?? "");
}

function plant(tree: PlaceTree | string, parent: Place | null): void {
  for (const [suffix, branch] of branchesOf(tree)) {
    const [name, inside] = typeof branch === "string" ? [branch, ""] : branch;
    const place = placeUnder(parent, suffix, name);
    placesById.set(place.id, place);
    enter(place);
    plant(inside, place);
  }
}

function branchesOf(tree: PlaceTree | string): [string, PlaceTree[string]][] {
  if (typeof tree !== "string") return Object.entries(tree);
  if (tree === "") return [];
  return tree.split(" | ").map((name, index) => [String(index + 1).padStart(3, "0"), name]);
}

function placeUnder(parent: Place | null, suffix: string, name: string): Place {
  const id = `${parent?.id ?? ROOT}-${suffix}`;
  const level = LEVEL_BY_PARTS[id.split("-").length];
  if (!level) throw new Error(`The catalogue has no level for ${id}`);
  return { id, level, name, path: pathOf(level, slugOf(name), parent), parentId: parent?.id ?? null };
}

function pathOf(level: PlaceLevel, slug: string, parent: Place | null): string[] {
  const province = parent ? (provinceOf(parent.id) ?? parent) : null;
  const provinceSlug = slugOf(province?.name ?? "");
  if (level === "province") return [WRITTEN_BARE.has(slug) ? slug : `${slug}-provincia`];
  if (level === "comarca") return [provinceSlug, slug];
  if (level === "municipality") return [`${slug}-${provinceSlug}`];
  if (level === "district") return [slugOf(parent?.name ?? ""), slug];
  return [...(parent?.path ?? []), slug];
}

function enter(place: Place): void {
  const spellings = [place.name, ...(PLACE_ALIASES[place.id] ?? [])].map(slugOf);
  const nameParentId = place.level === "municipality" ? provinceOf(place.id)?.id : (place.parentId ?? ROOT);
  for (const slug of spellings) {
    // A comarca must not take the name of a town in API answers, which never name comarcas.
    if (place.level !== "comarca") setOnce(idsByName, `${nameParentId}/${slug}`, place.id);
    for (const path of pathsOf(place, slug)) setPath(path, place);
  }
}

function pathsOf(place: Place, slug: string): string[] {
  const written = place.path.join("/");
  const own = slugOf(place.name);
  const spelt = slug === own ? written : replaceLast(written, own, slug);
  if (place.level !== "province") return [spelt];
  return READ_BARE.has(slug) ? [`${slug}-provincia`, slug] : [`${slug}-provincia`];
}

function replaceLast(path: string, own: string, slug: string): string {
  const at = path.lastIndexOf("/") + 1;
  return path.slice(0, at) + slug + path.slice(at + own.length);
}

function setPath(path: string, place: Place): void {
  const taken = placesById.get(idsByPath.get(path) ?? "");
  if (!taken || (taken.level === "comarca" && place.level === "district")) idsByPath.set(path, place.id);
}

function setOnce(map: Map<string, string>, key: string, value: string): void {
  if (!map.has(key)) map.set(key, value);
}
