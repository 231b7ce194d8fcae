import type { AlertListing } from "#core/alert/alert.ts";
import { decideHome, prepareRules } from "#core/rules/decide-home.ts";
import { readRules } from "#core/rules/rule.ts";
import { ruleFactsOf } from "#core/rules/rule-facts.ts";
import type { RuleAct } from "#core/rules/rule-kinds.ts";
import type { MailPerson } from "#store/listings/mail-listings.ts";
import type { MailLeftOut } from "../rows/mail-left-outs.ts";
import type { JudgedEvent } from "./judged-event.ts";

/** What the rules of an event's searches say. The other ids are of searches that do not leave it out. */
export interface MailRules extends Pick<JudgedEvent, "searchIds" | "alertingIds"> {
  readonly silentIds: readonly string[];
  readonly leftOuts: readonly MailLeftOut[];
}

/** A mail has no description and no travel times, so rules about them leave nothing out. */
export function mailRules(
  judged: JudgedEvent,
  { searches, places }: Pick<MailPerson, "searches" | "places">,
  shownIn: (judged: JudgedEvent) => AlertListing,
): MailRules {
  const { searchIds, alertingIds } = judged;
  const asked = searches.filter(({ id }) => searchIds.includes(id) || alertingIds.includes(id));
  if (judged.decision.act === "none" || judged.isWanted || asked.length === 0) {
    return { searchIds, alertingIds, silentIds: [], leftOuts: [] };
  }
  const listing = shownIn(judged);
  const facts = ruleFactsOf(listing, null);
  const decisions = asked.map(({ id, rules }) => {
    const prepared = prepareRules(readRules(rules).rules);
    return { id, ...decideHome(prepared, facts, () => ({ places, travelTimes: [] })) };
  });
  const idsThat = (act: RuleAct) => decisions.filter((one) => one.act === act).map(({ id }) => id);
  const leftOutIds = idsThat("leave-out");
  const isPassed = (id: string) => !leftOutIds.includes(id);
  return {
    searchIds: searchIds.filter(isPassed),
    alertingIds: alertingIds.filter(isPassed),
    silentIds: idsThat("silent"),
    leftOuts: decisions.flatMap(({ id, act, rule }) =>
      act === "leave-out" && rule !== null
        ? [{ listingId: judged.event.listingId, searchId: id, rule, payload: { listing } }]
        : [],
    ),
  };
}
