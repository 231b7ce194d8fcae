/** An advert's words as rules read them: without capitals and accents, and as long as before, so that they can be quoted. */
export interface FoldedText {
  readonly original: string;
  readonly folded: string;
}

/** Longer descriptions say nothing more, and rules over words take their time. */
const LONGEST_TEXT = 10_000;

export function foldText(text: string): FoldedText {
  const original = text.slice(0, LONGEST_TEXT).toWellFormed().normalize("NFC");
  return {
    original,
    folded: Array.from({ length: original.length }, (_, at) => foldAt(original, at)).join(""),
  };
}

/** "Ático" is "atico"; what would become longer or shorter stays as it is. */
function foldAt(text: string, at: number): string {
  const unit = text.charAt(at);
  if (/[\u2018\u2019\u00b4`]/.test(unit)) return "'";
  if (/[\u00a0\u2007\u202f\t\r]/.test(unit)) return " ";
  const plain = unit.normalize("NFKD").charAt(0).toLowerCase();
  return plain.length === 1 ? plain : unit;
}
