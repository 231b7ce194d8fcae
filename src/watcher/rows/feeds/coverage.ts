/** What each search has covered, and the searches that have to start on their feed. */
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

interface ServedSearch {
  readonly filterId: string;
  readonly searchKey: string | null;
  readonly feedKey: string | null;
  readonly isWatched: boolean;
  readonly hasReachableChat: boolean;
}

/** Ends what these searches cover, if they are going to be served otherwise: by another feed, for another wish, or not at all. */
export async function endChangedCoverage(db: Db, searches: readonly ServedSearch[]): Promise<void> {
  const served = searches.map(({ filterId, searchKey, feedKey, isWatched, hasReachableChat }) => {
    return { filterId, searchKey, feedKey, isWatched, hasReachableChat };
  });
  await db`
    select private.end_coverage(array_agg("filterId"), cause) from (
      select "filterId", case
          when not "isWatched" then 'paused' when not "hasReachableChat" or not compiled_searches.has_reachable_chat then 'no-chat'
          when compiled_searches.search_key is distinct from "searchKey" then 'edited' else 'moved'
        end as cause
      from jsonb_to_recordset(${jsonOf(db, served)}) as served (
        "filterId" uuid, "searchKey" text, "feedKey" text, "isWatched" boolean, "hasReachableChat" boolean
      )
      join watch.compiled_searches on compiled_searches.filter_id = "filterId" and compiled_searches.baseline_at is not null
      where compiled_searches.search_key is distinct from "searchKey" or compiled_searches.feed_key is distinct from "feedKey"
        or compiled_searches.has_reachable_chat <> "hasReachableChat"
    ) as changed
    group by cause order by cause`;
}

export interface StartingSearch {
  readonly filterId: string;
  readonly searchKey: string;
  readonly userId: string;
  readonly filterUrl: string;
  readonly hasReachableChat: boolean;
  /** How far it was covered before, and by which feed; null for a new search. */
  readonly since: Date | null;
  readonly fromKey: string | null;
  /** What it wished for then. */
  readonly formerKey: string | null;
  /** Since when it was paused, banned or without a chat. */
  readonly stoppedAt: Date | null;
  /** When the person ended that. */
  readonly resumedAt: Date | null;
}

/**
 * Searches that have not started on their feed yet, locked. One that lost its chats waits for the next, because nobody could be
 * told what is found. Their rows are locked first: whoever pauses a search or loses its chat then waits, and ends what it covers
 * from now on. `offset 0` makes PostgreSQL look up each by its key instead of scanning the whole feed per person.
 */
export async function readStartingSearches(
  db: Db,
  feedKey: string,
  { limit, now }: { limit: number; now: Date },
): Promise<StartingSearch[]> {
  const locked = await db`
    select filter_id from watch.compiled_searches
    where feed_key = ${feedKey} and baseline_at is null order by filter_id for update`;
  if (locked.length === 0) return [];
  return await db<StartingSearch[]>`
    select live.filter_id as "filterId", search_key as "searchKey", user_id as "userId", filter_url as "filterUrl",
      reached.is_reachable as "hasReachableChat", covered.until_at as since, covered.feed_key as "fromKey",
      joining.former_key as "formerKey", joining.stopped_at as "stoppedAt", joining.resumed_at as "resumedAt"
    from (
      select filter_id, former_key, stopped_at, resumed_at from watch.compiled_searches
      where feed_key = ${feedKey} and baseline_at is null order by filter_id
    ) as joining
    cross join lateral (select * from watch.live_searches where filter_id = joining.filter_id offset 0) as live
    left join lateral (
      select until_at, feed_key from watch.coverage where search_id = joining.filter_id order by until_at desc limit 1
    ) as covered on true
    cross join lateral (
      select exists (
        select from public.chats
        where chats.user_id = live.user_id and watch.takes_alerts(chats.state, chats.reason)
          and chats.chat_id::text = any (live.receiver_ids)
      ) as is_reachable
    ) as reached
    where (reached.is_reachable or covered.until_at is null) and not exists (
      select from watch.quarantine
      where quarantine.kind = 'search' and quarantine.subject = live.filter_id::text and quarantine.version = live.filter_url
        and quarantine.next_try_at > ${now}
    )
    order by joining.filter_id limit ${limit}`;
}

/**
 * From now on they follow the feed. What was covered before goes on without a break; what was missed is a row in `watch.gaps`. The
 * feed's new revision makes a check that is reading its pages decide for them too what it has already written for others.
 */
export async function markStarted(
  db: Db,
  feedKey: string,
  searches: readonly StartingSearch[],
  now: Date,
): Promise<void> {
  const started = searches.map(({ filterId, since, hasReachableChat }) => ({
    filterId,
    since,
    hasReachableChat,
  }));
  await db`
    with started as materialized (
      select * from jsonb_to_recordset(${jsonOf(db, started)}) as started (
        "filterId" uuid, since timestamptz, "hasReachableChat" boolean
      )
    ), revised as (
      update watch.feeds set revision = revision + 1 where key = ${feedKey}
    ), begun as (
      update watch.compiled_searches set baseline_at = ${now}, former_key = null, stopped_at = null, resumed_at = null
      from started where filter_id = "filterId"
    ), going_on as (
      update watch.coverage set until_at = null, ended_by = null
      from started
      where search_id = "filterId" and feed_key = ${feedKey} and date_trunc('milliseconds', until_at) = since
      returning search_id
    )
    insert into watch.coverage (search_id, feed_key, from_at)
    select "filterId", ${feedKey}, coalesce(since, ${now}) from started
    where "hasReachableChat" and "filterId" not in (select search_id from going_on)
    order by "filterId"`;
}

/**
 * Feeds with searches to start: those that were checked recently enough, and those that have been read for others since a search
 * was last covered. If a feed is due, its check starts them.
 */
export async function findFeedsToStartOn(
  db: Db,
  { okSince, now }: { okSince: Date; now: Date },
): Promise<string[]> {
  const rows = await db<{ key: string }[]>`
    select key from watch.feeds
    where (last_ok_at >= ${okSince} or next_check_at > ${now}) and exists (
      select from watch.compiled_searches as searches
      where searches.feed_key = feeds.key and searches.baseline_at is null and searches.is_watched and (
        feeds.last_ok_at >= ${okSince}
        or searches.has_reachable_chat and feeds.covered_at > (
          select max(until_at) from watch.coverage where search_id = searches.filter_id
        )
      )
    )`;
  return rows.map(({ key }) => key);
}

export interface FormerFeed {
  readonly fromKey: string;
  /** How far back this feed has to reach for its searches. */
  readonly since: Date;
  /** All of them were edited meanwhile, so the two feeds may have little in common. */
  readonly isEdited: boolean;
}

/** The feeds that served searches which are to start on this one. */
export async function readFormerFeeds(db: Db, feedKey: string): Promise<FormerFeed[]> {
  return await db<FormerFeed[]>`
    select covered.feed_key as "fromKey", min(covered.until_at) as since,
      bool_and(joining.former_key is distinct from joining.search_key) as "isEdited"
    from watch.compiled_searches as joining
    cross join lateral (
      select until_at, feed_key from watch.coverage
      where search_id = joining.filter_id and until_at is not null order by until_at desc limit 1
    ) as covered
    where joining.feed_key = ${feedKey} and joining.baseline_at is null and joining.is_watched and joining.has_reachable_chat
      and covered.feed_key <> ${feedKey}
    group by covered.feed_key order by 1`;
}

/** Whether a search that was never covered is to start on this feed. */
export async function hasNewSearches(db: Db, feedKey: string): Promise<boolean> {
  const [row] = await db<[{ has: boolean }]>`
    select exists (
      select from watch.compiled_searches as joining
      where feed_key = ${feedKey} and baseline_at is null and is_watched and has_reachable_chat
        and not exists (select from watch.coverage where search_id = joining.filter_id)
    ) as has`;
  return row.has;
}
