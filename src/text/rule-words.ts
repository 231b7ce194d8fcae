/** What a rule asks about. The keys of the texts come from the table of kinds. */
import type { OwnPlace } from "#core/finds/find.ts";
import { fieldIn } from "#core/rules/rule.ts";
import { type RuleSubject, type RuleWordsKey, ruleKindOf } from "#core/rules/rule-kinds.ts";
import { capitalised, formatList, formatNumber, formatPercent } from "./labels.ts";
import type { Words } from "./namespaces.ts";
import { warningName } from "./warning-words.ts";

interface RuleWords {
  readonly rules: Words<"rules">;
  readonly home: Words<"home">;
}

type Places = readonly Pick<OwnPlace, "id" | "name">[];

/** As the reason why a home was left out: "agency", "more than 30 min on foot to Work". */
export function ruleReason(rule: RuleSubject, { rules, home }: RuleWords, places: Places): string {
  if (rule.on === "warning") return warningName(rule.kind, home);
  return rules.t(`reasons.${keyOf(rule)}`, valuesOf(rule, rules, places));
}

/** As a line of the form, beside which numbers and words are typed: "On foot to Work, more than". */
export function ruleName(rule: RuleSubject, { rules, home }: RuleWords, places: Places): string {
  if (rule.on === "warning") return capitalised(warningName(rule.kind, home));
  return rules.t(keyOf(rule), valuesOf(rule, rules, places));
}

/** As one of the rules to choose from: "On foot to Work". */
export function ruleOffer(rule: RuleSubject, words: RuleWords, places: Places): string {
  const key = rule.on === "warning" ? "" : keyOf(rule);
  return isOffered(key)
    ? words.rules.t(`offers.${key}`, valuesOf(rule, words.rules, places))
    : ruleName(rule, words, places);
}

/** Their names lead up to the number that is typed beside them. */
const MEASURES = ["above", "below", "foot", "bicycle"] as const;

function isOffered(key: string): key is (typeof MEASURES)[number] {
  return MEASURES.some((one) => one === key);
}

function keyOf(rule: Exclude<RuleSubject, { on: "warning" }>): RuleWordsKey {
  return ruleKindOf(rule.on).wordsKey(rule) as RuleWordsKey;
}

function valuesOf(rule: RuleSubject, { t, language }: RuleWords["rules"], places: Places) {
  const values: Record<string, string> = {};
  for (const [name, field] of Object.entries(ruleKindOf(rule.on).fields)) {
    const value = fieldIn(rule, name);
    if (field.is === "words") {
      const quoted = (value as readonly string[]).map((word) => t("quoted", { word }));
      // "or" is wrong after a negation in some languages.
      values.words =
        keyOf(rule as never) === "absent" ? quoted.join(", ") : formatList(quoted, language, "disjunction");
    }
    if (field.is === "place") {
      values.place = places.find(({ id }) => id === value)?.name ?? t("reasons.deletedPlace");
    }
    if (field.is === "count") {
      const format = field.unit === "percent" ? formatPercent : formatNumber;
      values[field.unit] = format(value as number, language);
    }
  }
  return values;
}
