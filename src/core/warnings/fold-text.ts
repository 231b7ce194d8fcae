/** A text in lower case and without accents. `folded` has the length of `original`, so that matches can be quoted from it. */
export interface FoldedText {
  readonly original: string;
  readonly folded: string;
}

/** Longer descriptions say nothing more, and matching takes time. */
export const LONGEST_TEXT = 10_000;

export function foldText(text: string): FoldedText {
  const original = text.slice(0, LONGEST_TEXT).toWellFormed().normalize("NFC");
  const lower = original.toLowerCase();
  const folded = (lower.length === original.length ? lower : original).replace(/[^\n -~]/g, foldUnit);
  return { original, folded };
}

const foldedUnits = new Map<string, string>();

/** "á" becomes "a". A character whose folded form has another length stays. */
function foldUnit(unit: string): string {
  const known = foldedUnits.get(unit) ?? plainOf(unit);
  // One entry per distinct character: a few megabytes at most, for all of Unicode.
  foldedUnits.set(unit, known);
  return known;
}

function plainOf(unit: string): string {
  if (/[\u2018\u2019\u00b4]/.test(unit)) return "'";
  if (/[\s\u00a0]/.test(unit)) return " ";
  return unit.normalize("NFKD").charAt(0).toLowerCase().charAt(0) || unit;
}
