import type { TravelTime } from "../finds/find.ts";
import { decideHome, type OwnWays, prepareRules, type RuleFacts } from "./decide-home.ts";
import type { Rule } from "./rule.ts";

/** A home that the search found or left out in the last 30 days, as watch.past_homes answers. */
export interface PastHome extends RuleFacts {
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
  const acts = homes.map(
    (home) => decideHome(prepared, home, () => ({ places, travelTimes: home.travelTimes })).act,
  );
  return {
    homes: homes.length,
    silent: acts.filter((act) => act === "silent").length,
    leftOut: acts.filter((act) => act === "leave-out").length,
  };
}
