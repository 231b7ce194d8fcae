/** Texts for warnings: what was seen, without a conclusion. */
import type { Warning, WarningKind } from "#core/warnings/warning.ts";
import { comparisonWords } from "./home-words.ts";
import { counted } from "./labels.ts";
import type { Words } from "./namespaces.ts";
import { lineOf } from "./one-line.ts";

const LONGEST_QUOTE = 60;

/** A warning with its reason: "auction (“subasta judicial”)". */
export function warningWords(warning: Warning, words: Words<"home">): string {
  const { t, language } = words;
  switch (warning.kind) {
    case "far-below-zone":
      return comparisonWords({ ...warning, percent: -Math.abs(warning.percent) }, words);
    case "no-photo":
      return warningName(warning.kind, words);
    case "same-text": {
      const codes = t("sameTextCodes", counted(warning.codes, language));
      return warning.towns > 1 ? `${codes} ${t("sameTextTowns", counted(warning.towns, language))}` : codes;
    }
    default: {
      const quote = lineOf(warning.words, LONGEST_QUOTE);
      const name = warningName(warning.kind, words);
      return quote === null ? name : t("quoted", { warning: name, words: quote });
    }
  }
}

/** The name of a kind of warning: "price far below the area". */
export function warningName(kind: WarningKind, { t }: Words<"home">): string {
  return t(`warnings.${kind}`);
}
