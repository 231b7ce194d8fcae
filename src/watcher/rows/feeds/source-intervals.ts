/** The check interval of each source, read by web, bot and planning, and that of its feeds. */
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import type { FeedRow } from "./feeds.ts";

type Source = FeedRow["source"];

export interface SourceInterval {
  readonly intervalSeconds: number;
  readonly spentUntil: Date | null;
}

export async function readSourceIntervals(db: Db): Promise<Map<Source, SourceInterval>> {
  const rows = await db<(SourceInterval & { source: Source })[]>`
    select source, interval_seconds as "intervalSeconds", spent_until as "spentUntil" from public.watch_intervals`;
  return new Map(rows.map((row) => [row.source, row]));
}

export async function saveSourceInterval(db: Db, source: Source, interval: SourceInterval): Promise<void> {
  await db`
    insert into public.watch_intervals (source, interval_seconds, spent_until)
    values (${source}, ${interval.intervalSeconds}, ${interval.spentUntil})
    on conflict (source) do update set
      interval_seconds = excluded.interval_seconds, spent_until = excluded.spent_until
    where (watch_intervals.interval_seconds, watch_intervals.spent_until) is distinct from (excluded.interval_seconds, excluded.spent_until)`;
}

/** Deletes the intervals of sources that are not configured any more. */
export async function deleteSourceIntervals(db: Db, sources: readonly string[]): Promise<void> {
  await db`
    delete from public.watch_intervals
    where source not in (select jsonb_array_elements_text(${jsonOf(db, sources)}))`;
}

export interface PlannedInterval {
  readonly key: string;
  readonly source: Source;
  readonly query: unknown;
  readonly advertsPerHour: number | null;
  readonly intervalSeconds: number;
  /** What its people are promised; null if it is new. */
  readonly promisedSeconds: number | null;
  /** The person, if it serves one only. */
  readonly ownerId: string | null;
  /** Its searches were paused a short time ago. */
  readonly isIdle: boolean;
  readonly lastOkAt: Date | null;
  readonly nextCheckAt: Date;
  readonly isFailing: boolean;
}

/** The feeds in use, and those that keep the promise of their interval for a while. */
export async function readPlannedIntervals(
  db: Db,
  source: Source,
  { idleSince }: { idleSince: Date },
): Promise<PlannedInterval[]> {
  return await db<PlannedInterval[]>`
    select key, source, query, adverts_per_hour as "advertsPerHour", interval_seconds as "intervalSeconds",
      promised_seconds as "promisedSeconds", idle_since is not null as "isIdle", last_ok_at as "lastOkAt",
      next_check_at as "nextCheckAt", failing_since is not null as "isFailing", (
        select case when count(distinct user_id) = 1 then (array_agg(user_id))[1] end from watch.compiled_searches as searches
        where searches.feed_key = feeds.key and searches.is_watched and searches.has_reachable_chat
      ) as "ownerId"
    from watch.feeds
    where source = ${source} and (idle_since is null or (idle_since > ${idleSince} and promised_seconds is not null))
    order by key`;
}

/** Feeds without the interval that all of them have, or whose next check is further away than that. */
export async function readOtherIntervals(
  db: Db,
  source: Source,
  { intervalSeconds, latest }: { intervalSeconds: number; latest: Date },
): Promise<PlannedInterval[]> {
  return await db<PlannedInterval[]>`
    select key, source, query, adverts_per_hour as "advertsPerHour", interval_seconds as "intervalSeconds",
      promised_seconds as "promisedSeconds", null as "ownerId", false as "isIdle", last_ok_at as "lastOkAt",
      next_check_at as "nextCheckAt", failing_since is not null as "isFailing"
    from watch.feeds
    where source = ${source} and idle_since is null and (
      interval_seconds <> ${intervalSeconds} or next_check_at > ${latest}
      or (promised_seconds is distinct from ${intervalSeconds} and last_ok_at is not null)
    )`;
}

export interface Rescheduled {
  readonly key: string;
  /** The next check that the new time was computed from. If it changed meanwhile, it is kept. */
  readonly plannedAt: Date;
  readonly nextCheckAt: Date;
  readonly intervalSeconds: number;
  readonly promisedSeconds: number | null;
}

export async function rescheduleFeeds(db: Db, feeds: readonly Rescheduled[]): Promise<void> {
  if (feeds.length === 0) return;
  await db`
    with placed as (
      select feeds.key, moved."intervalSeconds", moved."promisedSeconds", case
          when date_trunc('milliseconds', feeds.next_check_at) = moved."plannedAt" then moved."nextCheckAt"
          else feeds.next_check_at
        end as next_check_at
      from jsonb_to_recordset(${jsonOf(db, feeds)})
        as moved (key text, "plannedAt" timestamptz, "nextCheckAt" timestamptz, "intervalSeconds" int, "promisedSeconds" int)
      join watch.feeds on feeds.key = moved.key
      order by feeds.key for update of feeds
    )
    update watch.feeds set
      interval_seconds = placed."intervalSeconds", next_check_at = placed.next_check_at,
      promised_seconds = placed."promisedSeconds"
    from placed where feeds.key = placed.key`;
}

/** A feed that takes over all searches of another one, because their links were edited, takes over its interval, too. */
export async function inheritPromises(
  db: Db,
  moves: readonly { readonly fromKey: string; readonly toKey: string }[],
): Promise<void> {
  if (moves.length === 0) return;
  await db`
    with handed as (
      update watch.feeds as former set promised_seconds = null
      from (
        select distinct on (moved."toKey") moved."toKey", moved."fromKey", feeds.promised_seconds
        from jsonb_to_recordset(${jsonOf(db, moves)}) as moved ("fromKey" text, "toKey" text)
        join watch.feeds on feeds.key = moved."fromKey" and feeds.promised_seconds is not null
        join watch.feeds as fresh on fresh.key = moved."toKey" and fresh.promised_seconds is null
        where not exists (
          select from watch.compiled_searches as searches
          where searches.feed_key = moved."fromKey" and searches.is_watched and searches.has_reachable_chat
        )
        order by moved."toKey", feeds.promised_seconds
      ) as promise
      where former.key = promise."fromKey"
      returning promise."toKey" as key, promise.promised_seconds, former.interval_seconds
    )
    update watch.feeds set promised_seconds = handed.promised_seconds, interval_seconds = handed.interval_seconds
    from handed where feeds.key = handed.key`;
}
