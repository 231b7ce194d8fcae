import { foldText, LONGEST_TEXT } from "../warnings/fold-text.ts";

/** The words of a text without case and accents, each with a space on both sides, so that whole words can be found in it. */
export function wordsIn(text: string): string {
  return ` ${foldText(text)
    .folded.replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
}

/** Ends the words of a text that is longer than what is stored of it. No word has it. */
const CUT = "… ";
const LONGEST_WORDS = 4_000;
/** Words that were stored before the mark was added are cut if they are about this long. */
const PERHAPS_CUT = 3_900;

/** The words of a text as they are stored with every listing. */
export function storedWords(text: string): string {
  const words = wordsIn(text);
  const isRead = text.length <= LONGEST_TEXT;
  if (isRead && words.length <= LONGEST_WORDS) return words;
  return words.slice(0, words.lastIndexOf(" ", LONGEST_WORDS - CUT.length) + 1) + CUT;
}

/** Whether a word that these stored words lack is absent from the text. */
export function isWhole(words: string | null): boolean {
  return words !== null && !words.endsWith(CUT) && words.length < PERHAPS_CUT;
}
