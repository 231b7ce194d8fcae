import type { AlertListing } from "../alert/alert.ts";
import { ruleFactsOf } from "./rule-facts.ts";
import { RULE_KIND_NAMES, type RuleSubject, ruleKindOf } from "./rule-kinds.ts";

/** "Fewer like this": the rules that would have left out this home. The button is shown only where there are some. */
export function fittingRules(listing: AlertListing): RuleSubject[] {
  const facts = ruleFactsOf(listing, null);
  return RULE_KIND_NAMES.flatMap((on) =>
    ruleKindOf(on)
      .fitting(facts)
      .map((fields) => ({ on, ...fields }) as RuleSubject),
  );
}
