import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

export interface StaleFilter {
  readonly filterId: string;
  readonly userId: string;
  readonly filterUrl: string;
  /** Neither paused nor banned. */
  readonly isWatched: boolean;
  /** One of its chats can be reached. */
  readonly canTell: boolean;
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
      state.is_watched as "isWatched", state.can_tell as "canTell", searches.feed_key as "heldFeedKey",
      case when searches.is_watched and searches.can_tell then searches.search_key end as "toldSearchKey",
      filters.created_at as "savedAt"
    from watch.saved_searches as filters
    join auth.users as people on people.id = filters.user_id
    cross join lateral (
      select not filters.is_paused and (people.banned_until is null or people.banned_until <= ${now}) as is_watched,
        ${canTell(db)} as can_tell
    ) as state
    left join watch.searches on searches.filter_id = filters.id
    where ${isAsked} and ${after ? db`filters.id > ${after}` : db`true`} and (
      searches.filter_id is null or searches.filter_url <> filters.filter_url
      or searches.is_watched <> state.is_watched or searches.can_tell <> state.can_tell
      or (
        searches.is_watched and not searches.can_tell and searches.search_key is not null and searches.problem is null
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
    delete from watch.searches where problem = 'no-source' or feed_key in (
      select key from watch.feeds where source not in (select jsonb_array_elements_text(${jsonOf(db, sources)}))
    )`;
}

export interface CompiledSearch extends StaleFilter {
  readonly searchKey: string | null;
  readonly feedKey: string | null;
  readonly problem: "not-a-search" | "no-source" | null;
}

/** Written out: called once for every search there is, a function costs seconds. */
function canTell(db: Db) {
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
        "filterId" uuid, "userId" uuid, "filterUrl" text, "isWatched" boolean, "canTell" boolean,
        "searchKey" text, "feedKey" text, problem text
      )
    ), revised as (
      update watch.feeds set revision = revision + 1
      where key in (select "feedKey" from added where "feedKey" is not null)
      returning key, revision
    )
    insert into watch.searches as held
      (filter_id, user_id, filter_url, search_key, feed_key, problem, is_watched, can_tell, revision, compiled_at)
    select "filterId", "userId", "filterUrl", "searchKey", "feedKey", problem, "isWatched", "canTell",
      coalesce(revised.revision, 0), ${now}
    from added
    left join revised on revised.key = "feedKey"
    order by "filterId"
    on conflict (filter_id) do update set
      user_id = excluded.user_id, filter_url = excluded.filter_url, search_key = excluded.search_key,
      feed_key = excluded.feed_key, problem = excluded.problem, is_watched = excluded.is_watched,
      can_tell = excluded.can_tell, revision = excluded.revision, compiled_at = excluded.compiled_at,
      begun_at = case
        when held.is_watched and held.search_key = excluded.search_key and (held.can_tell or not excluded.can_tell)
        then held.begun_at
      end,
      served_until = case
        when held.feed_key = excluded.feed_key then held.served_until
        else coalesce(held.served_until, (select last_ok_at from watch.feeds where key = held.feed_key), ${now})
      end`;
}

/**
 * Those that are still saved, and stay so until the end of the transaction: no search outlives its row. The order is that
 * in which a group's move locks them. One that became the first at this moment is left to the next sweep.
 */
async function lockSaved(db: Db, searches: readonly CompiledSearch[]): Promise<CompiledSearch[]> {
  const ids = jsonOf(
    db,
    searches.map(({ filterId }) => filterId),
  );
  const first = await db<{ id: string }[]>`
    select id from public.filter_settings where id in (select jsonb_array_elements_text(${ids})::uuid)
    order by user_id for key share`;
  const others = await db<{ id: string }[]>`
    select id from public.other_searches where id in (select jsonb_array_elements_text(${ids})::uuid)
    order by user_id, created_at, id for key share`;
  const saved = new Set([...first, ...others].map(({ id }) => id));
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
    update watch.searches set
      feed_key = ${toKey}, revision = ${to?.revision ?? "0"},
      served_until = coalesce(served_until, (select last_ok_at from watch.feeds where key = ${fromKey}), ${now})
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
    select filter_id as "filterId", search_key as "searchKey" from watch.searches
    where feed_key = ${feedKey} and revision > ${revision} and is_watched and search_key is not null`;
}

export interface JoiningSearch extends SearchOfFeed {
  readonly userId: string;
  readonly filterUrl: string;
  /** Null for a new one. */
  readonly begunAt: Date | null;
  /** Up to then another feed told it of what came. */
  readonly servedUntil: Date | null;
}

/**
 * Searches their feed does not serve yet: new ones, and those that another feed served. Each is looked up by its key:
 * `offset 0` keeps the planner from going through the whole feed for every person.
 */
export async function readJoiningSearches(db: Db, feedKey: string, limit: number): Promise<JoiningSearch[]> {
  return await db<JoiningSearch[]>`
    select live.filter_id as "filterId", search_key as "searchKey", user_id as "userId", filter_url as "filterUrl",
      begun_at as "begunAt", served_until as "servedUntil"
    from (
      select filter_id from watch.searches
      where feed_key = ${feedKey} and (begun_at is null or served_until is not null) order by filter_id
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
    update watch.searches set begun_at = coalesce(begun_at, ${now}), served_until = null
    where feed_key = ${feedKey} and filter_id in (select jsonb_array_elements_text(${jsonOf(db, filterIds)})::uuid)`;
}

/** Feeds with searches to take in that looked recently enough to begin from what they know. */
export async function findJoinableFeeds(db: Db, okSince: Date): Promise<string[]> {
  const rows = await db<{ key: string }[]>`
    select key from watch.feeds
    where last_ok_at >= ${okSince} and exists (
      select from watch.searches
      where searches.feed_key = feeds.key and (searches.begun_at is null or searches.served_until is not null)
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
    from watch.saved_searches as filters
    join auth.users as people on people.id = filters.user_id
    where not filters.is_paused and (people.banned_until is null or people.banned_until <= ${now}) and ${canTell(db)}
    group by 1 order by 1`;
}
