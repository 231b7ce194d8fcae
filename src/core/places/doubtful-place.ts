/** Detects a probably misspelt place, and suggests the known place with the nearest name. */
import { editDistance } from "./edit-distance.ts";
import { findTown, KNOWN_TOWNS } from "./known-names.ts";
import { allPlaces, type Place, resolvePlacePath, townAndProvince } from "./places.ts";
import { slugOf } from "./slug.ts";

interface LikelyPlace {
  readonly slug: string;
  readonly path: readonly string[];
}

export interface DoubtfulPlace {
  /** The path of the known place that is probably meant; null if none is near, or several are. */
  readonly nearestPath: readonly string[] | null;
}

/** Undefined if the place is known, or if too few of its neighbours are known to doubt it. */
export function doubtfulPlaceOf(path: readonly string[]): DoubtfulPlace | undefined {
  if (resolvePlacePath(path).ok) return undefined;
  const [first = "", inside] = path;
  return inside === undefined ? doubtfulTown(first) : doubtfulPart(first, inside);
}

function doubtfulTown(segment: string): DoubtfulPlace | undefined {
  const { town, province } = townAndProvince(segment);
  if (!province) return { nearestPath: nearest(segment, allTowns()) };
  if (findTown(province.id, town)) return undefined;
  const own = allTowns().filter(({ path }) => townAndProvince(path[0] ?? "").province?.id === province.id);
  // The bare name of a province most likely means its capital.
  return { nearestPath: nearest(town === "" ? segment : town, own) };
}

/** A part can only be missing in a town whose parts the catalogue lists. */
function doubtfulPart(first: string, inside: string): DoubtfulPlace | undefined {
  const towns = [...allPlaces()].filter(
    ({ level, name }) => level === "municipality" && slugOf(name) === first,
  );
  const parts = [...allPlaces()].filter(({ parentId }) => towns.some(({ id }) => id === parentId));
  const isKnownPart = parts.some(({ path }) => path[1] === inside);
  if (isKnownPart) return undefined;
  if (parts.length > 0) return { nearestPath: nearest(inside, parts.map(partCandidate)) };
  const isKnownTown = towns.length > 0 || KNOWN_TOWNS.some(({ slug }) => slug === first);
  return isKnownTown || isProvince(first) ? undefined : { nearestPath: null };
}

function isProvince(slug: string): boolean {
  const { town, province } = townAndProvince(slug);
  return town === "" && province !== undefined;
}

function partCandidate(place: Place): LikelyPlace {
  return { slug: place.path.at(-1) ?? "", path: place.path };
}

let towns: LikelyPlace[] | undefined;

function allTowns(): LikelyPlace[] {
  towns ??= [
    ...[...allPlaces()]
      .filter(({ level }) => level === "municipality")
      .map((place) => ({ slug: slugOf(place.name), path: place.path })),
    ...KNOWN_TOWNS,
  ];
  return towns;
}

/** Two equally near names would be a guess, so only a single one is suggested. */
function nearest(slug: string, candidates: readonly LikelyPlace[]): readonly string[] | null {
  const most = slug.length < 5 ? 0 : slug.length < 8 ? 1 : 2;
  let best: LikelyPlace[] = [];
  let least = most;
  for (const candidate of candidates) {
    const distance = editDistance(slug, candidate.slug, least);
    if (distance > least) continue;
    if (distance < least) best = [];
    least = distance;
    best.push(candidate);
  }
  const [only] = best;
  return best.length === 1 && only ? only.path : null;
}
