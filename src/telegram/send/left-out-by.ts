import type { AlertListing } from "#core/alert/alert.ts";
import { ALERT_KINDS } from "#core/alert/alert-kinds.ts";
import { decideHome } from "#core/rules/decide-home.ts";
import { ruleFactsOf } from "#core/rules/rule-facts.ts";
import type { Rule } from "#core/rules/rule-kinds.ts";
import type { Audience, AudienceSearch } from "./rows/audiences.ts";
import type { OpenAlert } from "./rows/outbox.ts";

const NOBODY: ReadonlyMap<string, Rule> = new Map();

/**
 * The rules that leave the alert's listing out, if those of all its active searches do. They were asked when the alert was
 * written; since then a rule may have been saved, or a travel time become known. A home that the person kept or brought back is
 * never left out.
 */
export function leftOutBy(
  { kind, payload, mark, isAskedFor, isBroughtBack, travelTimes }: OpenAlert,
  active: readonly AudienceSearch[],
  { places }: Pick<Audience, "places">,
): ReadonlyMap<string, Rule> {
  const hasRules = active.length > 0 && active.every(({ rules }) => rules.length > 0);
  if (!hasRules || !ALERT_KINDS[kind].isOffer || mark === "kept" || isAskedFor || isBroughtBack)
    return NOBODY;
  // The watcher wrote the payload.
  const { listing } = payload as { readonly listing?: AlertListing };
  if (listing === undefined) return NOBODY;
  const facts = ruleFactsOf(listing, null);
  const rules = new Map<string, Rule>();
  for (const search of active) {
    const { act, rule } = decideHome(search.rules, facts, () => ({ places, travelTimes }));
    if (act !== "leave-out" || rule === null) return NOBODY;
    rules.set(search.id, rule);
  }
  return rules;
}
