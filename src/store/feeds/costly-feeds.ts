/** Searches that cost much and serve one person: the operator may want to speak with that person. */
import type { Db } from "#platform/database/json-parameter.ts";
import type { FeedRow } from "./feeds.ts";
import { BUDGET_NAMES } from "./request-budget.ts";

/** More requests a check than this, or more of the month than that, is much for one person. */
const MANY_A_CHECK = 3;
const MUCH_OF_A_MONTH = 0.1;
const MONTH_SECONDS = 30 * 86_400;

/** A feed that takes more requests a check costs much; `limit` is null where requests are not limited. */
export function costlyAbove(limit: number | null, intervalSeconds: number): number {
  if (limit === null) return MANY_A_CHECK;
  return Math.min(MANY_A_CHECK, (limit * MUCH_OF_A_MONTH * intervalSeconds) / MONTH_SECONDS);
}

export interface CostlyFeed {
  readonly key: string;
  readonly requestsPerCheck: number;
}

export async function readCostlyFeeds(
  db: Db,
  source: FeedRow["source"],
  { limit, intervalSeconds }: { limit: number | null; intervalSeconds: number },
): Promise<CostlyFeed[]> {
  return await db<CostlyFeed[]>`
    select key, requests_per_check as "requestsPerCheck" from watch.feeds
    where source = ${source} and idle_since is null and last_ok_at is not null
      and requests_per_check > ${costlyAbove(limit, intervalSeconds)} and (
        select count(distinct user_id) from watch.compiled_searches as searches
        where searches.feed_key = feeds.key and searches.is_watched and searches.has_reachable_chat
      ) = 1
    order by requests_per_check desc, key limit 100`;
}

/** How many there are, by the name of the allowance they use. */
export async function countCostlyFeeds(db: Db): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [source, name] of Object.entries(BUDGET_NAMES) as [FeedRow["source"], string][]) {
    const [row] = await db<[{ limit: number | null; intervalSeconds: number }?]>`
      select interval_seconds as "intervalSeconds",
        (select monthly_requests::float8 from watch.request_budgets where name = ${name}) as limit
      from public.watch_intervals where source = ${source}`;
    if (row) counts[name] = (await readCostlyFeeds(db, source, row)).length;
  }
  return counts;
}
