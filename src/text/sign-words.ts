/** Signs to look twice in words: what was seen, never what it means. */
import type { Sign, SignKind } from "#core/finds/signs.ts";
import type { Language } from "#core/languages.ts";
import { filled, homePhrases } from "./home-phrases/phrases-of.ts";
import { comparisonWords } from "./home-words.ts";
import { countOf } from "./labels.ts";
import { lineOf } from "./one-line.ts";

const LONGEST_QUOTE = 60;

/** A sign with its reason: "auction (“subasta judicial”)". */
export function signWords(sign: Sign, language: Language): string {
  const phrases = homePhrases(language);
  switch (sign.kind) {
    case "far-below-zone":
      return comparisonWords({ ...sign, percent: -Math.abs(sign.percent) }, language);
    case "no-photo":
      return signName(sign.kind, language);
    case "same-text": {
      const codes = countOf(sign.codes, phrases.sameTextCodes, language);
      return sign.towns > 1 ? `${codes} ${countOf(sign.towns, phrases.sameTextTowns, language)}` : codes;
    }
    default: {
      const words = lineOf(sign.words, LONGEST_QUOTE);
      const name = signName(sign.kind, language);
      return words === null ? name : filled(phrases.quoted, name, words);
    }
  }
}

/** A kind of sign alone: "far below its zone". */
export function signName(kind: SignKind, language: Language): string {
  return homePhrases(language).signs[kind];
}
