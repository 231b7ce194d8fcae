import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

export interface StaleFilter {
  readonly filterId: string;
  readonly userId: string;
  readonly filterUrl: string;
  /** Neither paused nor banned. */
  readonly isWatched: boolean;
  /** One of its chats can be reached. */
  readonly hasReachableChat: boolean;
}

/** A filter as it is now, and what its search was made of. */
export interface ReadFilter extends StaleFilter {
  /** The search that somebody could be told of so far; null where there was none. */
  readonly toldSearchKey: string | null;
  readonly heldFeedKey: string | null;
  readonly savedAt: Date;
}

/** One planner at a time: what two would do at once, one does after the other and finds done. */
export async function lockPlanning(db: Db): Promise<void> {
  await db`select pg_advisory_xact_lock(hashtextextended('watch planning', 0))`;
}

/**
 * Filters whose search is missing, is of another link, or does not know that its person paused, is banned, can be told or
 * no longer can; and those that can tell nobody and have no feed, when there are newer feeds to look at. By their ids, so
 * that who reads them in portions goes on where the last one ended.
 */
export async function readStaleFilters(
  db: Db,
  {
    limit,
    filterIds,
    after,
    now,
  }: {
    limit: number;
    filterIds?: readonly string[] | undefined;
    after?: string | undefined;
    now: Date;
  },
): Promise<ReadFilter[]> {
  const isAsked = filterIds
    ? db`filters.id in (select jsonb_array_elements_text(${jsonOf(db, filterIds)})::uuid)`
    : db`true`;
  return await db<ReadFilter[]>`
    select filters.id as "filterId", filters.user_id as "userId", filters.filter_url as "filterUrl",
      state.is_watched as "isWatched", state.has_reachable_chat as "hasReachableChat", searches.feed_key as "heldFeedKey",
      case when searches.is_watched and searches.has_reachable_chat then searches.search_key end as "toldSearchKey",
      filters.created_at as "savedAt"
    from public.searches as filters
    join auth.users as people on people.id = filters.user_id
    cross join lateral (
      select not filters.is_paused and (people.banned_until is null or people.banned_until <= ${now}) as is_watched,
        ${hasReachableChat(db)} as has_reachable_chat
    ) as state
    left join watch.compiled_searches as searches on searches.filter_id = filters.id
    where ${isAsked} and ${after ? db`filters.id > ${after}` : db`true`} and (
      searches.filter_id is null or searches.filter_url <> filters.filter_url
      or searches.is_watched <> state.is_watched or searches.has_reachable_chat <> state.has_reachable_chat
      or (
        searches.is_watched and not searches.has_reachable_chat and searches.search_key is not null and searches.problem is null
        and searches.compiled_at <= (select max(live_since) from watch.feeds where idle_since is null)
        and not exists (select from watch.feeds where key = searches.feed_key and idle_since is null)
      )
    )
    order by filters.id limit ${limit}`;
}

/**
 * For a start with other sources than before: searches whose source came or went are compiled again. The caller holds the
 * planning.
 */
export async function forgetSourceless(db: Db, sources: readonly string[]): Promise<void> {
  await db`
    select key from watch.feeds
    where source not in (select jsonb_array_elements_text(${jsonOf(db, sources)})) order by key for update`;
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

/** Written out: called once for every search there is, a function costs seconds. */
function hasReachableChat(db: Db) {
  return db`exists (
    select from public.chats
    where chats.user_id = filters.user_id and chats.state = 'connected' and chats.chat_id::text = any (filters.receiver_ids)
  )`;
}

/**
 * Another search, or one that was paused or could tell nobody, begins anew; another spelling of the same search goes on.
 * Either way the feed gets a new revision, by which every process learns that its index lacks something.
 */
export async function saveSearches(db: Db, searches: readonly CompiledSearch[], now: Date): Promise<void> {
  const saved = await lockSaved(db, searches);
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
    insert into watch.compiled_searches as held
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
      baseline_at = case
        when held.is_watched and held.search_key = excluded.search_key and (held.has_reachable_chat or not excluded.has_reachable_chat)
        then held.baseline_at
      end,
      covered_until = case
        when held.feed_key = excluded.feed_key then held.covered_until
        else coalesce(held.covered_until, (select last_ok_at from watch.feeds where key = held.feed_key), ${now})
      end`;
}

/** Locks those that are still saved until the end of the transaction, in the order in which a group's move locks them. */
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

/** The searches of one feed go to another, which takes them on with its next check. */
export async function moveSearches(
  db: Db,
  { fromKey, toKey, now }: { fromKey: string; toKey: string; now: Date },
): Promise<void> {
  const [to] = await db<[{ revision: string }?]>`
    update watch.feeds set revision = revision + 1 where key = ${toKey} returning revision`;
  await db`
    update watch.compiled_searches set
      feed_key = ${toKey}, revision = ${to?.revision ?? "0"},
      covered_until = coalesce(covered_until, (select last_ok_at from watch.feeds where key = ${fromKey}), ${now})
    where feed_key = ${fromKey}`;
  await db`update watch.demo_filters set feed_key = ${toKey} where feed_key = ${fromKey}`;
}

/** Locks feeds in one order, so that planners and checks never wait for each other in a ring. */
export async function lockFeeds(db: Db, keys: readonly string[]): Promise<void> {
  await db`
    select key from watch.feeds where key in (select jsonb_array_elements_text(${jsonOf(db, keys)}))
    order by key for update`;
}

export interface SearchOfFeed {
  readonly filterId: string;
  readonly searchKey: string;
}

/** What came to a feed since an index of it was made. */
export async function readSearchesSince(db: Db, feedKey: string, revision: number): Promise<SearchOfFeed[]> {
  return await db<SearchOfFeed[]>`
    select filter_id as "filterId", search_key as "searchKey" from watch.compiled_searches
    where feed_key = ${feedKey} and revision > ${revision} and is_watched and search_key is not null`;
}

export interface JoiningSearch extends SearchOfFeed {
  readonly userId: string;
  readonly filterUrl: string;
  /** Null for a new one. */
  readonly baselineAt: Date | null;
  /** Up to then another feed told it of what came. */
  readonly coveredUntil: Date | null;
}

/**
 * Searches their feed does not serve yet: new ones, and those that another feed served. Each is looked up by its key:
 * `offset 0` keeps the planner from going through the whole feed for every person.
 */
export async function readJoiningSearches(db: Db, feedKey: string, limit: number): Promise<JoiningSearch[]> {
  return await db<JoiningSearch[]>`
    select live.filter_id as "filterId", search_key as "searchKey", user_id as "userId", filter_url as "filterUrl",
      baseline_at as "baselineAt", covered_until as "coveredUntil"
    from (
      select filter_id from watch.compiled_searches
      where feed_key = ${feedKey} and (baseline_at is null or covered_until is not null) order by filter_id
    ) as joining
    cross join lateral (select * from watch.live_searches where filter_id = joining.filter_id offset 0) as live
    order by joining.filter_id limit ${limit}`;
}

export async function markJoined(
  db: Db,
  feedKey: string,
  filterIds: readonly string[],
  now: Date,
): Promise<void> {
  await db`
    update watch.compiled_searches set baseline_at = coalesce(baseline_at, ${now}), covered_until = null
    where feed_key = ${feedKey} and filter_id in (select jsonb_array_elements_text(${jsonOf(db, filterIds)})::uuid)`;
}

/** Feeds with searches to take in that looked recently enough to begin from what they know. */
export async function findJoinableFeeds(db: Db, okSince: Date): Promise<string[]> {
  const rows = await db<{ key: string }[]>`
    select key from watch.feeds
    where last_ok_at >= ${okSince} and exists (
      select from watch.compiled_searches as searches
      where searches.feed_key = feeds.key and (searches.baseline_at is null or searches.covered_until is not null)
        and searches.is_watched
    )`;
  return rows.map(({ key }) => key);
}

interface SavedLink {
  readonly filterUrl: string;
  readonly people: number;
}

/** Every link that costs requests, and for how many: people who paused, are banned or cannot be told cost none. */
export async function readSavedLinks(db: Db, now: Date): Promise<SavedLink[]> {
  return await db<SavedLink[]>`
    select filters.filter_url as "filterUrl", count(distinct filters.user_id)::int as people
    from public.searches as filters
    join auth.users as people on people.id = filters.user_id
    where not filters.is_paused and (people.banned_until is null or people.banned_until <= ${now}) and ${hasReachableChat(db)}
    group by 1 order by 1`;
}
