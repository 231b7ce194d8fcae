import type { Db } from "./json-parameter.ts";

/** How watching fares as a whole, for metrics and health. */
export interface WatchFigures {
  readonly feeds: number;
  readonly searches: number;
  /** The longest true interval; more than was asked for where the month's requests do not carry it. */
  readonly longestIntervalSeconds: number;
  readonly failingFeeds: number;
  /** How long the feed that has waited longest is overdue: the alarm of a watcher that stands still. */
  readonly oldestDueSeconds: number;
  /** Since the feed looked that looked least recently; null where none has. */
  readonly oldestOkSeconds: number | null;
  readonly searchesWithoutSource: number;
}

export async function readWatchFigures(db: Db, now: Date): Promise<WatchFigures> {
  const [row] = await db<[WatchFigures]>`
    select count(*)::int as feeds,
      (select count(*)::int from watch.searches where is_watched and feed_key is not null) as searches,
      (select count(*)::int from watch.searches where problem = 'no-source') as "searchesWithoutSource",
      coalesce(max(interval_seconds), 0) as "longestIntervalSeconds",
      count(*) filter (where failed_rounds > 0)::int as "failingFeeds",
      coalesce(greatest(0, max(extract(epoch from ${now}::timestamptz - next_check_at))), 0)::float8 as "oldestDueSeconds",
      max(extract(epoch from ${now}::timestamptz - last_ok_at))::float8 as "oldestOkSeconds"
    from watch.feeds where idle_since is null`;
  return row;
}
