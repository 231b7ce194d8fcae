/**
 * Finds the place that a person means, by the names people use in five languages, in Latin or Cyrillic letters. The page and
 * the chat ask with it.
 */
import { wordQuality } from "./compare-words.ts";
import { type FoldedWord, foldedWords, type Name, namedOf } from "./fold-name.ts";
import { type NamedPlace, namedPlaces } from "./named-places.ts";
import type { KnownWhere } from "./place-key.ts";

export interface FoundPlaces {
  /** Whether the name leads to the places, or is only near theirs: "Did you mean". */
  readonly certainty: "found" | "near";
  /** The best first. */
  readonly places: readonly KnownWhere[];
  /** The one that is certainly meant, and needs no choice. */
  readonly meant: KnownWhere | undefined;
}

interface Ranked {
  readonly place: NamedPlace;
  readonly rank: number;
}

const SHORTEST = 2;
/** Longer than the longest name. */
const LONGEST = 80;
const MOST_WORDS = 10;
/** The provinces of a region are all shown. */
const MOST_EXACT = 10;

/** How well a name fits. Up to `LAST_EXACT` nothing is missing from it. */
const RANKS = {
  full: 0,
  fullSound: 1,
  bare: 2,
  sounds: 3,
  begins: 4,
  contains: 5,
  inside: 6,
  insideBegins: 7,
  near: 8,
  nearBeginning: 9,
} as const;
const LAST_EXACT = RANKS.sounds + 0.5;
/** Of two names that fit equally, the one that needs fewer words for what is around it. */
const WORD_AROUND = 0.01;

export function findPlaces(typed: string, most: number): FoundPlaces {
  const asked = typed.length > LONGEST ? [] : foldedWords(typed);
  if (asked.length > MOST_WORDS || lettersOf(asked) < SHORTEST) return NOTHING;
  const certain = ofKind(ranked(asked, false), asked);
  const isNear = certain.length === 0;
  const exact = certain.filter(({ rank }) => rank <= LAST_EXACT).length;
  // A part of a long name may also be a whole one with a typo or a Russian ending: "Мадрида".
  const shown = (exact > 0 ? certain : ranked(asked, true)).toSorted(
    (a, b) =>
      a.rank - b.rank || a.place.order - b.place.order || a.place.name.localeCompare(b.place.name, "es"),
  );
  return {
    certainty: isNear ? "near" : "found",
    places: shown.slice(0, Math.max(most, Math.min(exact, MOST_EXACT))).map(({ place }) => place.where),
    meant: isNear ? undefined : meantOf(shown),
  };
}

function ranked(asked: readonly FoldedWord[], withTypos: boolean): readonly Ranked[] {
  const question = { ...namedOf(asked), withTypos };
  return namedPlaces().flatMap((place) => {
    const rank = rankOf(place, question);
    return rank === undefined ? [] : [{ place, rank }];
  });
}

const KIND_WORDS: readonly (readonly [RegExp, readonly NamedPlace["level"][]])[] = [
  [/^(province?|provincia|provinz|провинция|область)$/, ["province"]],
  [/^(islas?|islands?|insel|[iî]les?|остров)$/, ["island"]],
  [/^(ciudad|city|ville|stadt|town|город)$/, ["municipality"]],
  [/^(barrio|distrito|district|quartier|viertel|раион)$/, ["district", "barrio"]],
];

/** "Provincia de Madrid" is not the city, unless nothing of that kind was found. */
function ofKind(hits: readonly Ranked[], asked: readonly FoldedWord[]): readonly Ranked[] {
  const levels = KIND_WORDS.flatMap(([pattern, of]) =>
    asked.some(({ text }) => pattern.test(text)) ? of : [],
  );
  if (levels.length === 0) return hits;
  const fitting = hits.filter(({ place, rank }) => rank === RANKS.full || levels.includes(place.level));
  return fitting.length > 0 ? fitting : hits;
}

const NOTHING: FoundPlaces = { certainty: "near", places: [], meant: undefined };

function lettersOf(words: readonly FoldedWord[]): number {
  return words.reduce((sum, { text }) => sum + text.length, 0);
}

/**
 * The best hit, if the others that fit as well are around or inside it: "Sevilla" is the city, not its province.
 * "Ibiza" is an island, a town and a part of Madrid, so it has to be chosen.
 */
function meantOf([first, ...others]: readonly Ranked[]): KnownWhere | undefined {
  if (first === undefined || first.rank >= RANKS.inside) return undefined;
  const isExact = first.rank <= LAST_EXACT;
  const rivals = others.filter(
    ({ rank }) => !isExact || Math.floor(rank) === Math.floor(first.rank) || rank === RANKS.inside,
  );
  const isAlone = rivals.every(
    ({ place }) => isInside(place, first.place) || (isExact && isInside(first.place, place)),
  );
  return isAlone ? first.place.where : undefined;
}

function isInside(inner: NamedPlace, outer: NamedPlace): boolean {
  return `${inner.scope}-`.startsWith(`${outer.scope}-`);
}

interface Question extends Name {
  readonly withTypos: boolean;
}

function rankOf(place: NamedPlace, question: Question): number | undefined {
  let best: number | undefined;
  for (const name of place.names) {
    const rank = rankOfName(name, question, place.around);
    if (rank === undefined) continue;
    const own = name.isInside && rank < RANKS.near ? insideRank(rank) : rank;
    if (best === undefined || own < best) best = own;
  }
  return best;
}

function insideRank(rank: number): number {
  return rank <= LAST_EXACT ? RANKS.inside : RANKS.insideBegins;
}

/** Each word must be of the name, or of a place around it: "chamberi madrid", "Madrid Chamberí". */
function rankOfName(name: Name, asked: Question, around: NamedPlace["around"]): number | undefined {
  if (name.text === asked.text) return RANKS.full;
  if (name.sound === asked.sound) return RANKS.fullSound;
  if (name.joined.text === asked.joined.text) return RANKS.bare;
  const byWord = rankByWord(name, asked, around);
  const isNear = asked.withTypos && wordQuality(asked.joined, name.joined, true) === "near";
  return byWord ?? (isNear ? RANKS.near : undefined);
}

function rankByWord(name: Name, asked: Question, around: NamedPlace["around"]): number | undefined {
  const used = new Set<FoldedWord>();
  let worst = 0;
  let wordsAround = 0;
  for (const word of asked.own) {
    const found = bestWord(word, name.own, { used, withTypos: asked.withTypos });
    const isAround = around.has(word.text) || around.has(word.sound);
    if (found !== undefined && (!isAround || found.rank <= LAST_EXACT)) {
      used.add(found.word);
      worst = Math.max(worst, found.rank);
    } else if (isAround) wordsAround += 1;
    else return undefined;
  }
  const rank = rankOfUsed(name.own, used, worst);
  return rank === undefined ? undefined : rank + wordsAround * WORD_AROUND;
}

function rankOfUsed(
  own: readonly FoldedWord[],
  used: ReadonlySet<FoldedWord>,
  worst: number,
): number | undefined {
  const [first] = own;
  const isWhole = used.size === own.length;
  if (used.size === 0 || first === undefined) return undefined;
  if (worst >= RANKS.near) return isWhole ? RANKS.near : used.has(first) ? RANKS.nearBeginning : undefined;
  if (isWhole) return worst;
  return used.has(first) ? RANKS.begins : RANKS.contains;
}

function bestWord(
  asked: FoldedWord,
  own: readonly FoldedWord[],
  { used, withTypos }: { used: ReadonlySet<FoldedWord>; withTypos: boolean },
): { word: FoldedWord; rank: number } | undefined {
  let best: { word: FoldedWord; rank: number } | undefined;
  for (const word of own) {
    const quality = used.has(word) ? undefined : wordQuality(asked, word, withTypos);
    if (quality === undefined) continue;
    const rank = { same: RANKS.bare, sounds: RANKS.sounds, begins: RANKS.begins, near: RANKS.near }[quality];
    if (best === undefined || rank < best.rank) best = { word, rank };
  }
  return best;
}
