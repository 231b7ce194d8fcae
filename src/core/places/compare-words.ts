import { editDistance } from "./edit-distance.ts";
import type { FoldedWord } from "./fold-name.ts";

/** How a typed word fits a word of a name. */
export type WordQuality = "same" | "sounds" | "begins" | "near";

/** Shorter words have too many neighbours. */
const SHORTEST_WITH_TYPO = 5;
const SHORTEST_BEGINNING = 2;

export function wordQuality(
  typed: FoldedWord,
  word: FoldedWord,
  withTypos: boolean,
): WordQuality | undefined {
  if (typed.text === word.text) return "same";
  if (typed.sound === word.sound) return "sounds";
  if (typed.text.length >= SHORTEST_BEGINNING && word.text.startsWith(typed.text)) return "begins";
  if (typed.sound.length >= SHORTEST_BEGINNING && word.sound.startsWith(typed.sound)) return "begins";
  if (!withTypos || typed.text.length < SHORTEST_WITH_TYPO) return undefined;
  const isNear = isOneAway(typed.text, word.text) || isOneAway(typed.sound, word.sound);
  return isNear ? "near" : undefined;
}

function isOneAway(a: string, b: string): boolean {
  return Math.abs(a.length - b.length) <= 1 && editDistance(a, b, 1) <= 1;
}
