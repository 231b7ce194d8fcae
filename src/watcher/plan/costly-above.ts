/** More requests a check than this, or more of the month than that, is much for one person. */
const MANY_A_CHECK = 3;
const MUCH_OF_A_MONTH = 0.1;
const MONTH_SECONDS = 30 * 86_400;

/** A feed that takes more requests a check costs much; `limit` is null where requests are not limited. */
export function costlyAbove(limit: number | null, intervalSeconds: number): number {
  if (limit === null) return MANY_A_CHECK;
  return Math.min(MANY_A_CHECK, (limit * MUCH_OF_A_MONTH * intervalSeconds) / MONTH_SECONDS);
}
