/** Texts for warnings: what was seen, without a conclusion. */
import type { Warning, WarningKind } from "#core/warnings/warning.ts";
import { comparisonWords } from "./home-words.ts";
import { counted } from "./labels.ts";
import type { Words } from "./namespaces.ts";
import { lineOf } from "./one-line.ts";

const LONGEST_QUOTE = 60;

/** A warning with its reason: "auction (“subasta judicial”)". */
export function signWords(sign: Warning, words: Words<"home">): string {
  const { t, language } = words;
  switch (sign.kind) {
    case "far-below-zone":
      return comparisonWords({ ...sign, percent: -Math.abs(sign.percent) }, words);
    case "no-photo":
      return signName(sign.kind, words);
    case "same-text": {
      const codes = t("sameTextCodes", counted(sign.codes, language));
      return sign.towns > 1 ? `${codes} ${t("sameTextTowns", counted(sign.towns, language))}` : codes;
    }
    default: {
      const quote = lineOf(sign.words, LONGEST_QUOTE);
      const name = signName(sign.kind, words);
      return quote === null ? name : t("quoted", { sign: name, words: quote });
    }
  }
}

/** The name of a kind of warning: "price far below the area". */
export function signName(kind: WarningKind, { t }: Words<"home">): string {
  return t(`signs.${kind}`);
}
