/** Suggests places of the portal for a name that a person types. */
import type { Where } from "../search/search.ts";
import { editDistance } from "./edit-distance.ts";
import { KNOWN_TOWNS } from "./known-names.ts";
import { pathLabel, placeLabel } from "./place-label.ts";
import { allPlaces, type PlaceLevel } from "./places.ts";
import { slugOf } from "./slug.ts";

export interface PlaceSuggestion {
  /** "Chamberí, Madrid". A province has the same label as its capital. */
  readonly label: string;
  readonly where: Where;
}

interface Candidate extends PlaceSuggestion {
  readonly slug: string;
  readonly order: number;
}

/** Towns first: a typed name is more often a town than a part of one. */
const LEVELS: readonly PlaceLevel[] = ["municipality", "district", "barrio", "comarca", "province"];
const SHORTEST = 2;
/** Longer than the longest name. */
const LONGEST = 80;

let candidates: readonly Candidate[] | undefined;

/** The best first: names that begin with the text, then names with a word that begins with it. Accents do not matter. */
export function suggestPlaces(typed: string, most: number): readonly PlaceSuggestion[] {
  const text = slugOf(typed);
  if (text.length < SHORTEST || text.length > LONGEST) return [];
  candidates ??= allCandidates();
  const ranked = candidates.flatMap((candidate) => {
    const rank = rankOf(candidate.slug, text);
    return rank === undefined ? [] : [{ ...candidate, rank }];
  });
  return ranked
    .toSorted((a, b) => a.rank - b.rank || a.order - b.order || a.label.localeCompare(b.label, "es"))
    .slice(0, most)
    .map(({ label, where }) => ({ label, where }));
}

/** The places with the most similar names, for a name that none begins with. */
export function nearestPlaces(typed: string, most: number): readonly PlaceSuggestion[] {
  const text = slugOf(typed);
  if (text.length < SHORTEST || text.length > LONGEST) return [];
  candidates ??= allCandidates();
  const farthest = Math.max(1, Math.floor(text.length / 3));
  return candidates
    .map((candidate) => ({ ...candidate, away: editDistance(text, candidate.slug, farthest) }))
    .filter(({ away }) => away <= farthest)
    .toSorted((a, b) => a.away - b.away || a.order - b.order || a.label.localeCompare(b.label, "es"))
    .slice(0, most)
    .map(({ label, where }) => ({ label, where }));
}

function rankOf(slug: string, text: string): number | undefined {
  if (slug === text) return 0;
  if (slug.startsWith(text)) return 1;
  return slug.includes(`-${text}`) ? 2 : undefined;
}

function allCandidates(): Candidate[] {
  const listed = [...allPlaces()].map(
    ({ id, level, name }): Candidate => ({
      slug: slugOf(name),
      label: placeLabel(id).name,
      where: { type: "place", placeId: id },
      order: LEVELS.indexOf(level),
    }),
  );
  // A province does not stand for the capital of the same name.
  const province = LEVELS.indexOf("province");
  const taken = new Set(listed.filter(({ order }) => order !== province).map(({ label }) => label));
  const towns = KNOWN_TOWNS.map(
    ({ slug, path }): Candidate => ({
      slug,
      label: pathLabel(path),
      where: { type: "unlisted-place", path },
      order: 0,
    }),
  );
  return [...listed, ...towns.filter(({ label }) => !taken.has(label))];
}
