import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

export interface DemoFilter {
  readonly filterId: string;
  readonly filterUrl: string;
}

export interface DemoSearch extends DemoFilter {
  readonly searchKey: string | null;
  readonly feedKey: string | null;
  readonly hasStarted: boolean;
  /** It may have a feed of its own if no other feed covers it. */
  readonly mayCost: boolean;
}

export interface HeldDemo extends DemoSearch {
  readonly isServed: boolean;
  /** A search with a reachable chat needs its feed, too. */
  readonly isShared: boolean;
}

export async function readDemoFilters(db: Db): Promise<HeldDemo[]> {
  return await db<HeldDemo[]>`
    select filter_id as "filterId", filter_url as "filterUrl", search_key as "searchKey", feed_key as "feedKey",
      joined_at is not null as "hasStarted", may_cost as "mayCost",
      exists (select from watch.feeds where key = feed_key and idle_since is null) as "isServed",
      exists (
        select from watch.compiled_searches as searches
        where searches.feed_key = demo_filters.feed_key and searches.is_watched and searches.has_reachable_chat
      ) as "isShared"
    from watch.demo_filters order by filter_id`;
}

export async function readDemoOfFeed(db: Db, feedKey: string): Promise<DemoSearch[]> {
  return (await readDemoFilters(db)).filter((demo) => demo.feedKey === feedKey);
}

/** There is one demo filter. Saving another one, or another link, replaces it. */
export async function saveDemoFilter(db: Db, demo: Omit<DemoSearch, "hasStarted">): Promise<void> {
  await db`delete from watch.demo_filters where filter_id <> ${demo.filterId}`;
  await db`
    insert into watch.demo_filters (filter_id, filter_url, search_key, feed_key, may_cost)
    values (${demo.filterId}, ${demo.filterUrl}, ${demo.searchKey}, ${demo.feedKey}, ${demo.mayCost})
    on conflict (filter_id) do update set
      filter_url = excluded.filter_url, search_key = excluded.search_key, feed_key = excluded.feed_key,
      may_cost = excluded.may_cost, joined_at = case when demo_filters.search_key = excluded.search_key then demo_filters.joined_at end
    where demo_filters.filter_url <> excluded.filter_url or demo_filters.feed_key is distinct from excluded.feed_key
      or demo_filters.may_cost <> excluded.may_cost`;
}

export async function markDemoStarted(db: Db, filterId: string, now: Date): Promise<void> {
  await db`update watch.demo_filters set joined_at = ${now} where filter_id = ${filterId}`;
}

/** The demo is the canary: how long its feed's last check took, from its start until everything was stored. */
export async function timeCanary(
  db: Db,
  feedKey: string,
  { startedAt, now }: { startedAt: number; now: number },
): Promise<void> {
  await db`
    update watch.demo_filters set checked_at = ${new Date(now)}, check_seconds = ${Math.max(0, now - startedAt) / 1000}
    where feed_key = ${feedKey}`;
}

export interface DemoListing {
  readonly listingId: string;
  readonly details: unknown;
}

/** Newest first. */
export async function recordDemoListings(
  db: Db,
  filterId: string,
  listings: readonly DemoListing[],
  now: Date,
): Promise<void> {
  if (listings.length === 0) return;
  const rows = listings.map((listing, place) => ({ ...listing, place }));
  await db`
    insert into public.demo_listings (demo_id, filter_id, created_at, details)
    select "listingId", ${filterId}, ${now}::timestamptz - place * interval '1 millisecond', details
    from jsonb_to_recordset(${jsonOf(db, rows)}) as found ("listingId" text, details jsonb, place int)
    on conflict (filter_id, demo_id) do nothing`;
}
