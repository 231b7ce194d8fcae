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
    insert into public.watch_intervals as held (source, interval_seconds, spent_until)
    values (${source}, ${interval.intervalSeconds}, ${interval.spentUntil})
    on conflict (source) do update set
      interval_seconds = excluded.interval_seconds, spent_until = excluded.spent_until
    where (held.interval_seconds, held.spent_until) is distinct from (excluded.interval_seconds, excluded.spent_until)`;
}

/** Deletes the intervals of sources that are not configured any more. */
export async function deleteSourceIntervals(db: Db, sources: readonly string[]): Promise<void> {
  await db`
    delete from public.watch_intervals
    where source not in (select jsonb_array_elements_text(${jsonOf(db, sources)}))`;
}

export interface FeedToReschedule {
  readonly key: string;
  readonly lastOkAt: Date | null;
  readonly nextCheckAt: Date;
  readonly isFailing: boolean;
}

/**
 * Feeds with another interval, or whose next check is further away than the interval allows, because they were waiting for the
 * next month. Two hours is more than the retry delay of a failing source.
 */
export async function readFeedsToReschedule(
  db: Db,
  source: Source,
  { intervalSeconds, now }: { intervalSeconds: number; now: Date },
): Promise<FeedToReschedule[]> {
  return await db<FeedToReschedule[]>`
    select key, last_ok_at as "lastOkAt", next_check_at as "nextCheckAt", failing_since is not null as "isFailing"
    from watch.feeds
    where source = ${source} and idle_since is null and (
      interval_seconds <> ${intervalSeconds}
      or next_check_at > ${now}::timestamptz + ${Math.max(intervalSeconds * 1.1, 7_200)} * interval '1 second'
    )`;
}

/** `plannedAt`: the next check that the new time was computed from. If it changed meanwhile, it is kept. */
export async function rescheduleFeeds(
  db: Db,
  feeds: readonly { readonly key: string; readonly plannedAt: Date; readonly nextCheckAt: Date }[],
  intervalSeconds: number,
): Promise<void> {
  if (feeds.length === 0) return;
  await db`
    with placed as (
      select feeds.key, case
          when date_trunc('milliseconds', feeds.next_check_at) = moved."plannedAt" then moved."nextCheckAt"
          else feeds.next_check_at
        end as next_check_at
      from jsonb_to_recordset(${jsonOf(db, feeds)})
        as moved (key text, "plannedAt" timestamptz, "nextCheckAt" timestamptz)
      join watch.feeds on feeds.key = moved.key
      order by feeds.key for update of feeds
    )
    update watch.feeds set interval_seconds = ${intervalSeconds}, next_check_at = placed.next_check_at
    from placed where feeds.key = placed.key`;
}
