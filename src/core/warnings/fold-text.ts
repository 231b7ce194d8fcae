/** An advert's words as rules read them: without capitals and accents, and as long as before, so that they can be quoted. */
export interface FoldedText {
  readonly original: string;
  readonly folded: string;
}

/** Longer descriptions say nothing more, and rules over words take their time. */
const LONGEST_TEXT = 10_000;

export function foldText(text: string): FoldedText {
  const original = text.slice(0, LONGEST_TEXT).toWellFormed().normalize("NFC");
  const lower = original.toLowerCase();
  const folded = (lower.length === original.length ? lower : original).replace(/[^\n -~]/g, foldUnit);
  return { original, folded };
}

const foldedUnits = new Map<string, string>();

/** "á" is "a"; what would become longer or shorter stays as it is. */
function foldUnit(unit: string): string {
  const known = foldedUnits.get(unit) ?? plainOf(unit);
  // As many as there are letters; a text of all of Unicode fills no more than some megabytes.
  foldedUnits.set(unit, known);
  return known;
}

function plainOf(unit: string): string {
  if (/[\u2018\u2019\u00b4]/.test(unit)) return "'";
  if (/[\s\u00a0]/.test(unit)) return " ";
  return unit.normalize("NFKD").charAt(0).toLowerCase().charAt(0) || unit;
}
