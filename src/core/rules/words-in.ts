import { foldText } from "../warnings/fold-text.ts";

/** The words of a text without case and accents, each with a space on both sides, so that whole words can be found in it. */
export function wordsIn(text: string): string {
  return ` ${foldText(text)
    .folded.replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
}
