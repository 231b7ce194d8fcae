/** Expensive feeds that serve one person. The operator may want to contact that person. */
import type { Db } from "#platform/database/json-parameter.ts";
import type { FeedRow } from "./feeds.ts";
import { BUDGET_NAMES } from "./request-budget.ts";

/** Thresholds for one person: requests per check, and share of the month's requests. */
const MOST_PER_CHECK = 3;
const MOST_OF_MONTH = 0.1;
const MONTH_SECONDS = 30 * 86_400;

/** A feed with more requests per check is expensive. `limit` is null if requests are unlimited. */
export function expensiveAbove(limit: number | null, intervalSeconds: number): number {
  if (limit === null) return MOST_PER_CHECK;
  return Math.min(MOST_PER_CHECK, (limit * MOST_OF_MONTH * intervalSeconds) / MONTH_SECONDS);
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
      and requests_per_check > ${expensiveAbove(limit, intervalSeconds)} and (
        select count(distinct user_id) from watch.compiled_searches as searches
        where searches.feed_key = feeds.key and searches.is_watched and searches.has_reachable_chat
      ) = 1
    order by requests_per_check desc, key limit 100`;
}

/** The number of expensive feeds, by the name of the request budget. */
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
