import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import { endChangedCoverage } from "./coverage.ts";

export interface StaleFilter {
  readonly filterId: string;
  readonly userId: string;
  readonly filterUrl: string;
  /** Neither paused nor banned. */
  readonly isWatched: boolean;
  readonly hasReachableChat: boolean;
}

/** A filter with the state of its compiled search. */
export interface ReadFilter extends StaleFilter {
  /** The search key, if it was active with a reachable chat so far; otherwise null. */
  readonly activeSearchKey: string | null;
  /** What it was last checked for, if it is paused or without a chat. */
  readonly stoppedSearchKey: string | null;
  readonly currentFeedKey: string | null;
  readonly savedAt: Date;
  /** It threw an error when it was last compiled. */
  readonly wasSetAside: boolean;
}

/** Only one process plans at a time. */
export async function lockPlanning(db: Db): Promise<void> {
  await db`select pg_advisory_xact_lock(hashtextextended('watch planning', 0))`;
}

/**
 * Filters whose compiled search is missing, has another link, or has an outdated state (paused, banned, reachable); and those
 * without a reachable chat and a feed, if there are newer feeds to consider.
 */
export async function findStaleFilters(db: Db, now: Date): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select filters.id ${staleFilters(db, now)} order by filters.id`;
  return rows.map(({ id }) => id);
}

/** Those of the given filters that are stale. */
export async function readStaleFilters(
  db: Db,
  filterIds: readonly string[],
  now: Date,
): Promise<ReadFilter[]> {
  // The limit enforces a look-up by index. A plan made while the table is small would read all of it in each batch.
  const compiled = db`lateral (
    select * from watch.compiled_searches where filter_id = filters.id limit 1
  ) as searches on true`;
  return await db<ReadFilter[]>`
    select filters.id as "filterId", filters.user_id as "userId", filters.filter_url as "filterUrl",
      state.is_watched as "isWatched", state.has_reachable_chat as "hasReachableChat", searches.feed_key as "currentFeedKey",
      case when searches.is_watched and searches.has_reachable_chat then searches.search_key end as "activeSearchKey",
      case when searches.baseline_at is null and searches.stopped_at is not null then searches.former_key end as "stoppedSearchKey",
      filters.created_at as "savedAt",
      exists (
        select from watch.quarantine where kind = 'search' and subject = filters.id::text
      ) as "wasSetAside"
    ${staleFilters(db, now, compiled)} and filters.id in (select jsonb_array_elements_text(${jsonOf(db, filterIds)})::uuid)
    order by filters.id`;
}

function staleFilters(
  db: Db,
  now: Date,
  compiled = db`watch.compiled_searches as searches on searches.filter_id = filters.id`,
) {
  return db`
    from public.searches as filters
    join auth.users as people on people.id = filters.user_id
    cross join lateral (
      select not filters.is_paused and (people.banned_until is null or people.banned_until <= ${now}) as is_watched,
        ${hasReachableChat(db)} as has_reachable_chat
    ) as state
    left join ${compiled}
    where (
      searches.filter_id is null or searches.filter_url <> filters.filter_url
      or searches.is_watched <> state.is_watched or searches.has_reachable_chat <> state.has_reachable_chat
      or (
        searches.is_watched and not searches.has_reachable_chat and searches.search_key is not null and searches.problem is null
        and searches.compiled_at <= (select max(live_since) from watch.feeds where idle_since is null)
        and not exists (select from watch.feeds where key = searches.feed_key and idle_since is null)
      )
    ) and not exists (
      select from watch.quarantine
      where quarantine.kind = 'search' and quarantine.subject = filters.id::text and quarantine.version = filters.filter_url
        and quarantine.next_try_at > ${now}
    )`;
}

/** For a start with other sources than before: deletes compiled searches that need another source now. Needs the planning lock. */
export async function deleteSourceless(db: Db, sources: readonly string[]): Promise<void> {
  await db`
    select key from watch.feeds
    where source not in (select jsonb_array_elements_text(${jsonOf(db, sources)})) order by key for update`;
  await db`
    select private.end_coverage(array_agg(filter_id), 'moved') from watch.compiled_searches
    where baseline_at is not null and feed_key in (
      select key from watch.feeds where source not in (select jsonb_array_elements_text(${jsonOf(db, sources)}))
    )
    having count(*) > 0`;
  await db`
    delete from watch.compiled_searches where problem = 'no-source' or feed_key in (
      select key from watch.feeds where source not in (select jsonb_array_elements_text(${jsonOf(db, sources)}))
    )`;
}

export interface CompiledSearch extends StaleFilter {
  readonly searchKey: string | null;
  readonly feedKey: string | null;
  readonly problem: "not-a-search" | "no-source" | null;
}

/** PostgreSQL inlines `takes_alerts`; a call per search would cost seconds. */
function hasReachableChat(db: Db) {
  return db`exists (
    select from public.chats
    where chats.user_id = filters.user_id and watch.takes_alerts(chats.state, chats.reason)
      and chats.chat_id::text = any (filters.receiver_ids)
  )`;
}

/**
 * A search that is served otherwise than before ends what it has covered, and its feed starts it again from there. The feed gets
 * a new revision, by which every process detects that its index is outdated.
 */
export async function saveSearches(db: Db, searches: readonly CompiledSearch[], now: Date): Promise<void> {
  const saved = await lockSaved(db, searches);
  await endChangedCoverage(db, saved);
  await db`
    with added as (
      select * from jsonb_to_recordset(${jsonOf(db, saved)}) as added (
        "filterId" uuid, "userId" uuid, "filterUrl" text, "isWatched" boolean, "hasReachableChat" boolean,
        "searchKey" text, "feedKey" text, problem text
      )
    ), revised as (
      update watch.feeds set revision = revision + 1
      where key in (select "feedKey" from added where "feedKey" is not null)
      returning key, revision
    )
    insert into watch.compiled_searches
      (filter_id, user_id, filter_url, search_key, feed_key, problem, is_watched, has_reachable_chat, revision, compiled_at)
    select "filterId", "userId", "filterUrl", "searchKey", "feedKey", problem, "isWatched", "hasReachableChat",
      coalesce(revised.revision, 0), ${now}
    from added
    left join revised on revised.key = "feedKey"
    order by "filterId"
    on conflict (filter_id) do update set
      user_id = excluded.user_id, filter_url = excluded.filter_url, search_key = excluded.search_key,
      feed_key = excluded.feed_key, problem = excluded.problem, is_watched = excluded.is_watched,
      has_reachable_chat = excluded.has_reachable_chat, revision = excluded.revision, compiled_at = excluded.compiled_at,
      stopped_at = case
        when excluded.is_watched and excluded.has_reachable_chat then compiled_searches.stopped_at
        else coalesce(compiled_searches.stopped_at, ${now})
      end`;
}

/** Locks the searches that still exist until the end of the transaction, in the order in which moving a group locks them. */
async function lockSaved(db: Db, searches: readonly CompiledSearch[]): Promise<CompiledSearch[]> {
  const ids = jsonOf(
    db,
    searches.map(({ filterId }) => filterId),
  );
  const rows = await db<{ id: string }[]>`
    select id from public.searches where id in (select jsonb_array_elements_text(${ids})::uuid)
    order by user_id, created_at, id for key share`;
  const saved = new Set(rows.map(({ id }) => id));
  return searches.filter(({ filterId }) => saved.has(filterId));
}

/** Moves the searches of one feed to others, whose next checks start them: all of them, or those with these keys. */
export async function moveSearches(
  db: Db,
  { fromKey, toKey, searchKeys }: { fromKey: string; toKey: string; searchKeys?: readonly string[] },
): Promise<void> {
  const [to] = await db<[{ revision: string }?]>`
    update watch.feeds set revision = revision + 1 where key = ${toKey} returning revision`;
  const moved = db`feed_key = ${fromKey} ${
    searchKeys
      ? db`and is_watched and search_key in (select jsonb_array_elements_text(${jsonOf(db, searchKeys)}))`
      : db``
  }`;
  await db`
    select private.end_coverage(array_agg(filter_id), 'moved') from watch.compiled_searches
    where ${moved} and baseline_at is not null having count(*) > 0`;
  await db`update watch.compiled_searches set feed_key = ${toKey}, revision = ${to?.revision ?? "0"} where ${moved}`;
  // The promise of its interval goes with them.
  await db`
    update watch.feeds set promised_seconds = null where key = ${fromKey} and not exists (
      select from watch.compiled_searches as searches
      where searches.feed_key = feeds.key and searches.is_watched and searches.has_reachable_chat
    )`;
  if (!searchKeys) await db`update watch.demo_filters set feed_key = ${toKey} where feed_key = ${fromKey}`;
}

/** The search keys that each official feed serves for people with a chat. */
export async function readServedKeys(db: Db): Promise<Map<string, string[]>> {
  const rows = await db<{ feedKey: string; searchKeys: string[] }[]>`
    select feed_key as "feedKey", jsonb_agg(distinct search_key) as "searchKeys" from watch.compiled_searches
    where is_watched and has_reachable_chat and search_key is not null and feed_key in (
      select key from watch.feeds where source = 'official' and idle_since is null
    )
    group by feed_key order by feed_key`;
  return new Map(rows.map(({ feedKey, searchKeys }) => [feedKey, searchKeys]));
}

/** Locks feeds in one order, which avoids deadlock between planners and checks. */
export async function lockFeeds(db: Db, keys: readonly string[]): Promise<void> {
  await db`
    select key from watch.feeds where key in (select jsonb_array_elements_text(${jsonOf(db, keys)}))
    order by key for update`;
}

export interface SearchOfFeed {
  readonly filterId: string;
  readonly searchKey: string;
}

/** The database ends a transaction that is idle for seconds. A page is read and indexed much sooner, also on a slow machine. */
const SEARCHES_PER_PAGE = 2_000;
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Pages of the searches that were added to a feed since a revision. */
export async function* readSearchesSince(
  db: Db,
  feedKey: string,
  revision: number,
  perPage = SEARCHES_PER_PAGE,
): AsyncGenerator<readonly SearchOfFeed[]> {
  let last = { revision, filterId: LAST_ID };
  for (;;) {
    const page = await db<(SearchOfFeed & { revision: number })[]>`
      select filter_id as "filterId", search_key as "searchKey", revision from watch.compiled_searches
      where feed_key = ${feedKey} and (revision, filter_id) > (${last.revision}, ${last.filterId})
        and is_watched and search_key is not null
      order by revision, filter_id limit ${perPage}`;
    yield page;
    const end = page.at(-1);
    if (!end || page.length < perPage) return;
    last = end;
  }
}

/** Empty if the search was deleted meanwhile. */
export async function readSavedLink(db: Db, searchId: string): Promise<string> {
  const [row] = await db<[{ filterUrl: string }?]>`
    select filter_url as "filterUrl" from public.searches where id = ${searchId}`;
  return row?.filterUrl ?? "";
}

interface SavedLink {
  readonly filterUrl: string;
  readonly people: number;
}

/** Every link that costs requests, with its number of people. Paused, banned and unreachable people cost none. */
export async function readSavedLinks(db: Db, now: Date): Promise<SavedLink[]> {
  return await db<SavedLink[]>`
    select filters.filter_url as "filterUrl", count(distinct filters.user_id)::int as people
    from public.searches as filters
    join auth.users as people on people.id = filters.user_id
    where not filters.is_paused and (people.banned_until is null or people.banned_until <= ${now}) and ${hasReachableChat(db)}
    group by 1 order by 1`;
}
