import type { TravelTime } from "../finds/find.ts";
import { decideHome, type OwnWays, prepareRules } from "./decide-home.ts";
import { type RuledListing, ruleFactsOf } from "./rule-facts.ts";
import type { Rule } from "./rule-kinds.ts";

/** A home that the search found or left out in the last 30 days, as watch.homes_of_search answers. */
export interface PastHome {
  readonly card: RuledListing;
  readonly words: string | null;
  readonly travelTimes: readonly TravelTime[];
}

export interface PastEffect {
  readonly homes: number;
  readonly silent: number;
  readonly leftOut: number;
}

/** What these rules would have done to the homes. */
export function pastEffect(
  rules: readonly Rule[],
  homes: readonly PastHome[],
  places: OwnWays["places"],
): PastEffect {
  const prepared = prepareRules(rules);
  const acts = homes.map(({ card, words, travelTimes }) => {
    return decideHome(prepared, ruleFactsOf(card, words), () => ({ places, travelTimes })).act;
  });
  return {
    homes: homes.length,
    silent: acts.filter((act) => act === "silent").length,
    leftOut: acts.filter((act) => act === "leave-out").length,
  };
}
