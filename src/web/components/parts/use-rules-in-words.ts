import { RULE_ACTS, type Rule } from "#core/rules/rule.ts";
import { formatList } from "#text/labels.ts";
import { ruleReason } from "#text/rule-words.ts";
import { useOwnPlaces } from "../../lib/backend/own-places.ts";
import { useLanguage, useTexts, useWords } from "../../lib/i18n/use-texts.ts";

/** The rules of a search, the strictest first: "Leave out: auction and agency · Silently: no photo". */
export function useRulesInWords(userId: string, rules: readonly Rule[]): string {
  const t = useTexts("rules");
  const words = { rules: useWords("rules"), home: useWords("home") };
  const language = useLanguage();
  const { data: places = [] } = useOwnPlaces(userId);
  return RULE_ACTS.toReversed()
    .flatMap((act) => {
      const reasons = rules.filter((rule) => rule.act === act).map((rule) => ruleReason(rule, words, places));
      return reasons.length === 0 ? [] : `${t(`acts.${act}`)}: ${formatList(reasons, language)}`;
    })
    .join(" · ");
}
