import type { FirstCheckAllowance } from "#store/feeds/searches.ts";

/** A first check takes some four requests, a round one or two. */
const FIRST_CHECK_REQUESTS = 4;
/**
 * Who changes the link twelve times in a row is still served at once; who never stops costs about as much as two people who
 * do not.
 */
const USUAL: FirstCheckAllowance = { atOnce: 12, everySeconds: 1_800 };
/** Of the month's requests, for one person's changes at once; the rest is for everyone. */
const SHARE_OF_ONE = 0.3;
const FEWEST = 3;
const MONTH_SECONDS = 30 * 86_400;

/** How many new searches one person may begin; with few requests a month, fewer. */
export function firstCheckAllowance(limits: readonly (number | null)[]): FirstCheckAllowance {
  const limit = Math.min(...limits.map((one) => one ?? Infinity));
  const perMonth = Math.max(FEWEST, Math.floor((limit * SHARE_OF_ONE) / FIRST_CHECK_REQUESTS));
  return {
    atOnce: Math.min(USUAL.atOnce, perMonth),
    everySeconds: Math.max(USUAL.everySeconds, Math.round(MONTH_SECONDS / perMonth)),
  };
}
