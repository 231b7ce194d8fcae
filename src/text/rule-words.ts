/** What a rule asks about, as the reason why a home was left out: "agency", "more than 30 min on foot to Work". */
import type { OwnPlace } from "#core/finds/find.ts";
import type { RuleSubject } from "#core/rules/rule.ts";
import { formatList, formatNumber, formatPercent } from "./labels.ts";
import type { Words } from "./namespaces.ts";
import { warningName } from "./warning-words.ts";

interface RuleWords {
  readonly rules: Words<"rules">;
  readonly home: Words<"home">;
}

export function ruleReason(
  rule: RuleSubject,
  { rules: { t, language }, home }: RuleWords,
  places: readonly Pick<OwnPlace, "id" | "name">[],
): string {
  switch (rule.on) {
    case "warning":
      return warningName(rule.kind, home);
    case "advertiser":
      return t(`reasons.${rule.is}`);
    case "words":
      return t(`reasons.${rule.are}`, { words: formatList(rule.words, language, "disjunction") });
    case "zone-price":
      return t(`reasons.${rule.is}`, { percent: formatPercent(rule.percent, language) });
    case "minutes":
      return t(`reasons.${rule.by}`, {
        minutes: formatNumber(rule.over, language),
        place: places.find(({ id }) => id === rule.placeId)?.name ?? t("reasons.deletedPlace"),
      });
  }
}
