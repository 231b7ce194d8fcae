/**
 * Feeds, one row each. To avoid deadlock between processes that plan, check and sweep, several feeds are locked in the order of
 * their keys, and a search is written only while its old and its new feed are locked.
 */
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

export interface FeedRow {
  readonly key: string;
  readonly source: "official" | "by-url";
  readonly query: unknown;
  readonly intervalSeconds: number;
  readonly lastOkAt: Date | null;
  /** When it was last taken into use. */
  readonly liveSince: Date;
  readonly failingSince: Date | null;
  readonly failedRounds: number;
  readonly isReadToEnd: boolean;
  readonly requestsPerCheck: number;
  /** Adverts that come to its list, as regular checks have seen them; null before the first check. */
  readonly advertsPerHour: number | null;
  /** The interval that its people are promised; null if it is new. */
  readonly promisedSeconds: number | null;
  readonly revision: number;
  readonly topRank: number;
  /** Whatever was listed before has been seen; null before the first check. */
  readonly coveredAt: Date | null;
  /** From when on its readings connect without a hole. */
  readonly coveredFrom: Date | null;
  /** How many listings the source said that it has. */
  readonly listedTotal: number | null;
  /** When it was last read further down than a check does. */
  readonly lastFullScanAt: Date | null;
}

export interface FeedLease {
  readonly key: string;
  readonly leaseId: string;
}

const columns = (db: Db) => db`
  key, source, query, interval_seconds as "intervalSeconds", last_ok_at as "lastOkAt", live_since as "liveSince",
  failing_since as "failingSince", failed_rounds as "failedRounds", is_read_to_end as "isReadToEnd",
  requests_per_check as "requestsPerCheck", adverts_per_hour as "advertsPerHour",
  promised_seconds as "promisedSeconds", revision::float8 as revision, top_rank::float8 as "topRank",
  covered_at as "coveredAt", covered_from as "coveredFrom", listed_total as "listedTotal",
  last_full_scan_at as "lastFullScanAt"`;

/** Due feeds that no process has leased. Idle feeds are never due. */
export async function findDueFeeds(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db<{ key: string }[]>`
    select key from watch.feeds
    where next_check_at <= ${now} and idle_since is null and (lease_until is null or lease_until <= ${now})
      and not exists (select from watch.pause)
    order by next_check_at limit ${limit}`;
  return rows.map(({ key }) => key);
}

export interface LeasedFeed extends FeedRow {
  /** Its last checks threw an error. */
  readonly hasSetAside: boolean;
  readonly hasSetAsideAdverts: boolean;
  /** It serves the demo. */
  readonly isCanary: boolean;
}

/** Leases the feed, unless it is not due (any more) or leased by another process. */
export async function claimFeed(
  db: Db,
  { key, leaseId }: FeedLease,
  { now, until }: { now: Date; until: Date },
): Promise<LeasedFeed | undefined> {
  const [row] = await db<LeasedFeed[]>`
    update watch.feeds set lease_id = ${leaseId}, lease_until = ${until}
    where key = ${key} and next_check_at <= ${now} and idle_since is null
      and (lease_until is null or lease_until <= ${now})
    returning ${columns(db)},
      exists (select from watch.quarantine where kind = 'feed' and subject = key) as "hasSetAside",
      exists (select from watch.quarantine where kind = 'advert') as "hasSetAsideAdverts",
      exists (select from watch.demo_filters as demo where demo.feed_key = feeds.key) as "isCanary"`;
  return row;
}

/** False if the lease was lost: the caller must stop. */
export async function renewLease(db: Db, { key, leaseId }: FeedLease, until: Date): Promise<boolean> {
  const rows = await db`
    update watch.feeds set lease_until = ${until} where key = ${key} and lease_id = ${leaseId} returning key`;
  return rows.length > 0;
}

/** Releases the feed without a result. It is due again at that time. */
export async function releaseFeed(db: Db, { key, leaseId }: FeedLease, dueAt: Date): Promise<void> {
  await db`
    update watch.feeds set lease_id = null, lease_until = null, next_check_at = ${dueAt}
    where key = ${key} and lease_id = ${leaseId}`;
}

/** Locks the feed's row for the transaction; undefined if the lease was lost. */
export async function lockLeasedFeed(db: Db, { key, leaseId }: FeedLease): Promise<FeedRow | undefined> {
  const [row] = await db<FeedRow[]>`
    select ${columns(db)} from watch.feeds where key = ${key} and lease_id = ${leaseId} for update`;
  return row;
}

export async function readFeedOf(db: Db, key: string): Promise<FeedRow | undefined> {
  const [row] = await db<FeedRow[]>`select ${columns(db)} from watch.feeds where key = ${key}`;
  return row;
}

export async function lockFeed(db: Db, key: string): Promise<FeedRow | undefined> {
  const [row] = await db<FeedRow[]>`select ${columns(db)} from watch.feeds where key = ${key} for update`;
  return row;
}

export interface CheckOutcome {
  readonly now: Date;
  readonly nextCheckAt: Date;
  /** When the reading began. */
  readonly coveredAt: Date;
  /** It does not connect to the readings before. */
  readonly hasGap: boolean;
  readonly topRank: number;
  readonly total: number;
  readonly requests: number;
  /** Adverts that came since the reading before. */
  readonly arrived: number;
  readonly isReadToEnd: boolean;
  readonly isDeep: boolean;
  /** A first check says nothing about the requests of regular ones. */
  readonly isFirst: boolean;
}

/** Homes stay in lists for about this long, and are renewed once or twice. A first guess. */
const DAYS_LISTED = 30;
/** How much a guess weighs against regular checks, and how much these weigh at most against the next one. */
const GUESSED_HOURS = 6;
const REMEMBERED_HOURS = 72;

/** Records a successful check and ends the lease. */
export async function finishCheck(db: Db, key: string, outcome: CheckOutcome): Promise<void> {
  const { now, nextCheckAt, coveredAt, hasGap, topRank, total, requests, isReadToEnd, isDeep, isFirst } =
    outcome;
  const elapsed = db`extract(epoch from ${coveredAt}::timestamptz - coalesce(covered_at, ${coveredAt}))::float8 / 3600`;
  const before = db`least(observed_hours, ${REMEMBERED_HOURS})`;
  await db`
    update watch.feeds set
      last_ok_at = ${now}, next_check_at = ${nextCheckAt}, top_rank = ${topRank}, listed_total = ${total},
      covered_at = ${coveredAt}, covered_from = case when ${isFirst || hasGap} then ${coveredAt} else covered_from end,
      failing_since = null, failure_reason = null, spent_until = null, failed_rounds = 0, lease_id = null, lease_until = null,
      requests_per_check = case
        when ${isFirst} then requests_per_check
        when observed_hours <= ${GUESSED_HOURS} then ${requests}::float8
        else requests_per_check * 0.9 + ${requests}::float8 * 0.1
      end,
      adverts_per_hour = case
        when ${isFirst} or adverts_per_hour is null then ${total}::float8 / ${24 * DAYS_LISTED}
        else (adverts_per_hour * ${before} + ${outcome.arrived}::float8) / (${before} + greatest(${elapsed}, 0.01))
      end,
      observed_hours = case
        when ${isFirst} or adverts_per_hour is null then ${GUESSED_HOURS}
        else ${before} + greatest(${elapsed}, 0.01)
      end,
      is_read_to_end = ${isReadToEnd},
      last_full_scan_at = case when ${isDeep} then ${now}::timestamptz else last_full_scan_at end
    where key = ${key}`;
}

/**
 * Records a failed check and ends the lease. A failure that was only rate-limited is not counted, and several within `roundMs`
 * count once.
 */
export async function failCheck(
  db: Db,
  key: string,
  {
    now,
    nextCheckAt,
    roundMs,
    reason,
    isCounted,
  }: { now: Date; nextCheckAt: Date; roundMs: number; reason: string; isCounted: boolean },
): Promise<{ failedRounds: number; failingSince: Date } | undefined> {
  const [row] = await db<[{ failedRounds: number; failingSince: Date }?]>`
    update watch.feeds set
      next_check_at = ${nextCheckAt}, lease_id = null, lease_until = null,
      failing_since = case when ${isCounted} then coalesce(failing_since, ${now}::timestamptz) else failing_since end,
      -- While the month is spent, that stays the reason.
      failure_reason = case
        when not ${isCounted} or (failure_reason = 'quota-spent' and ${reason} = 'rate-limited') then failure_reason
        else ${reason}
      end,
      -- Checks may come a little early.
      failed_rounds = failed_rounds + case
        when ${isCounted} and ${now}::timestamptz >= coalesce(failing_since, ${now}::timestamptz)
          + failed_rounds * ${roundMs * 0.9}::float8 * interval '1 ms'
        then 1 else 0
      end
    where key = ${key}
    returning failed_rounds as "failedRounds", coalesce(failing_since, ${now}::timestamptz) as "failingSince"`;
  return row;
}

export interface NewFeed {
  readonly key: string;
  readonly source: string;
  readonly query: unknown;
  /** That of the feeds whose searches it takes over; undefined for a feed of new searches. */
  readonly intervalSeconds?: number | undefined;
}

export async function addFeeds(
  db: Db,
  feeds: readonly NewFeed[],
  { now, intervalSeconds }: { now: Date; intervalSeconds: number },
): Promise<void> {
  if (feeds.length === 0) return;
  await db`
    insert into watch.feeds (key, source, query, interval_seconds, promised_seconds, next_check_at, live_since)
    select key, added.source, query, coalesce(added."intervalSeconds", intervals.interval_seconds, ${intervalSeconds}),
      added."intervalSeconds", ${now}, ${now}
    from jsonb_to_recordset(${jsonOf(db, feeds)}) as added (key text, source text, query jsonb, "intervalSeconds" int)
    left join public.watch_intervals as intervals on intervals.source = added.source
    order by key
    on conflict (key) do update set
      idle_since = null, live_since = excluded.live_since,
      interval_seconds = case
        when excluded.promised_seconds is null then feeds.interval_seconds else excluded.interval_seconds
      end,
      promised_seconds = coalesce(excluded.promised_seconds, ${keptPromise(db, now)})`;
}

/** A feed whose searches are paused for less than this keeps its interval, and others do not get its requests. */
export const PROMISE_KEPT_MS = 36 * 3_600_000;

function keptPromise(db: Db, now: Date) {
  const since = new Date(now.getTime() - PROMISE_KEPT_MS);
  return db`case when feeds.idle_since is null or feeds.idle_since > ${since}::timestamptz then feeds.promised_seconds end`;
}

/** What regular checks have taught of all feeds, also of those that are idle now. */
export async function readLearnedRates(db: Db): Promise<Map<string, number>> {
  const rows = await db<{ key: string; advertsPerHour: number }[]>`
    select key, adverts_per_hour as "advertsPerHour" from watch.feeds
    where source = 'official' and adverts_per_hour is not null`;
  return new Map(rows.map(({ key, advertsPerHour }) => [key, advertsPerHour]));
}

export async function readLiveFeeds(db: Db): Promise<FeedRow[]> {
  return await db<FeedRow[]>`select ${columns(db)} from watch.feeds where idle_since is null order by key`;
}

/**
 * Marks feeds as idle that no search with a reachable chat needs, and unmarks those that are needed again. The caller holds
 * the planning lock; otherwise a feed that was just assigned could be taken for idle.
 */
export async function markIdleFeeds(db: Db, now: Date): Promise<void> {
  await db`
    with needed as (
      select distinct feed_key as key from watch.compiled_searches where is_watched and has_reachable_chat and feed_key is not null
      union select feed_key from watch.demo_filters where feed_key is not null and may_cost
    ), changed as (
      select feeds.key, needed.key is null as is_idle
      from watch.feeds left join needed on needed.key = feeds.key
      where (needed.key is null) <> (feeds.idle_since is not null)
      order by feeds.key for update of feeds
    )
    update watch.feeds set
      idle_since = case when changed.is_idle then ${now}::timestamptz end,
      promised_seconds = case when changed.is_idle then feeds.promised_seconds else ${keptPromise(db, now)} end,
      live_since = case when changed.is_idle then feeds.live_since else ${now}::timestamptz end
    from changed where feeds.key = changed.key`;
}

/** New searches were assigned to these feeds: those that were not checked recently become due now. */
export async function scheduleNow(
  db: Db,
  keys: readonly string[],
  { now, unlessOkSince }: { now: Date; unlessOkSince: Date },
): Promise<void> {
  await db`
    with late as (
      select key from watch.feeds
      where key in (select jsonb_array_elements_text(${jsonOf(db, keys)}))
        and next_check_at > ${now} and (last_ok_at is null or last_ok_at < ${unlessOkSince})
      order by key for update
    )
    update watch.feeds set next_check_at = ${now} from late where feeds.key = late.key`;
}
