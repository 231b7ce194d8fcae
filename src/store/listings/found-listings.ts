import { type Db, jsonOf } from "../connection/json-parameter.ts";

/** Something to tell the people of a feed about one listing. */
export interface FoundEvent {
  readonly kind: "new" | "readvertised" | "price-drop" | "back" | "gone";
  readonly listingId: string;
  readonly eventKey: string;
  readonly payload: unknown;
  /** The person's row of it, for an event that makes one. */
  readonly details: unknown;
  /** Whose searches it matches. */
  readonly filterIds: readonly string[];
}

/** Whose answer it was, and the feed it came by. */
export interface SeenBy {
  readonly key: string;
  readonly source: "official" | "by-url";
}

/**
 * Listings found for people for the first time: a row each, and an alert for every connected chat of everyone whose
 * row is new. Whoever hid a home hears of none of its adverts.
 */
export async function tellFound(
  db: Db,
  feed: SeenBy,
  events: readonly FoundEvent[],
  now: Date,
): Promise<number> {
  if (events.every(({ filterIds }) => filterIds.length === 0)) return 0;
  const [row] = await db<[{ told: number }]>`
    with facts as materialized (${eventRows(db, events)}), hidden as materialized (${hiddenAmong(db)}), found as (
      insert into public.listings (listing_id, user_id, created_at, details)
      select facts.listing_id, searches.user_id, ${now}, facts.details
      from facts cross join ${matchingSearches(db, feed.key)}
      where searches.begun_at is not null and searches.served_until is null
        and (searches.user_id, facts.listing_id) not in (select user_id, listing_id from hidden)
      order by searches.user_id, facts.listing_id
      on conflict (user_id, listing_id) do nothing
      returning listing_id, user_id
    ), told as (
      insert into watch.alerts (${alertColumns(db)})
      select found.user_id, chats.chat_id, ${alertFacts(db, feed.source, now)}
      from found
      join facts on facts.listing_id = found.listing_id
      join public.chats on chats.user_id = found.user_id and chats.state = 'connected'
      order by found.user_id, facts.n desc
      on conflict on constraint alert_exists_once do nothing
      returning listing_id, event_key
    ), sighted as (${recordSightings(db, feed.source, now)})
    select count(*)::int as told from told`;
  return row.told;
}

/**
 * News of listings people were told of before: those whose search it still fits and who have its row, and whoever kept
 * it. A listing's end is told to the latter alone. They are written in the order in which mails write theirs, so that two
 * who tell of the same cuts at the same moment do not wait for each other in a ring; for the same reason before finds.
 */
export async function tellChanged(
  db: Db,
  feed: SeenBy,
  events: readonly FoundEvent[],
  now: Date,
): Promise<number> {
  if (events.length === 0) return 0;
  const [row] = await db<[{ told: number }]>`
    with facts as materialized (${eventRows(db, events)}), hidden as materialized (${hiddenAmong(db)}), people as (
      select facts.n, searches.user_id
      from facts cross join ${matchingSearches(db, feed.key)}
      join public.listings on listings.user_id = searches.user_id and listings.listing_id = facts.listing_id
      union
      select facts.n, marks.user_id
      from facts
      join watch.marks on marks.listing_id = facts.listing_id and marks.mark = 'kept'
      join watch.live_searches as searches on searches.user_id = marks.user_id and searches.feed_key = ${feed.key}
    ), told as (
      insert into watch.alerts (${alertColumns(db)})
      select people.user_id, chats.chat_id, ${alertFacts(db, feed.source, now)}
      from people
      join facts on facts.n = people.n
      join public.chats on chats.user_id = people.user_id and chats.state = 'connected'
      where (people.user_id, facts.listing_id) not in (select user_id, listing_id from hidden)
        and not (facts.kind = 'price-drop' and exists (${saidByMail(db)}))
      order by people.user_id, facts.listing_id, facts.n desc, chats.chat_id
      on conflict on constraint alert_exists_once do nothing
      returning listing_id, event_key
    ), sighted as (${recordSightings(db, feed.source, now)})
    select count(*)::int as told from told`;
  return row.told;
}

function alertColumns(db: Db) {
  return db`
    user_id, chat_id, kind, listing_id, event_key, payload, source, seen_at, not_before, created_at`;
}

function alertFacts(db: Db, source: SeenBy["source"], now: Date) {
  return db`
    facts.kind, facts.listing_id, facts.event_key, facts.payload, ${source}::text, ${now}::timestamptz, ${now}::timestamptz,
    ${now}::timestamptz`;
}

/** The cut to this price is one that a mail brought: whether the person is told of it was decided then. */
function saidByMail(db: Db) {
  return db`
    select from watch.mail_listings as mailed
    where mailed.user_id = people.user_id and mailed.listing_id = facts.listing_id
      and mailed.price_eur::text = facts.event_key`;
}

/** For what is told, and for what another source saw first: only then there is something to compare. */
function recordSightings(db: Db, source: SeenBy["source"], now: Date) {
  return db`
    insert into watch.sightings (listing_id, event_key, source, seen_at)
    select distinct facts.listing_id, facts.event_key, ${source}::text, ${now}::timestamptz
    from facts
    where facts.kind in ('new', 'readvertised', 'price-drop') and (
      (facts.listing_id, facts.event_key) in (select listing_id, event_key from told)
      or exists (
        select from watch.sightings as seen where seen.listing_id = facts.listing_id and seen.event_key = facts.event_key
      )
    )
    order by 1, 2
    on conflict do nothing`;
}

/** Each event once, with whose searches it matches: the payload of a listing for a thousand people travels once. */
function eventRows(db: Db, events: readonly FoundEvent[]) {
  const facts = events.map((event, n) => ({
    n,
    kind: event.kind,
    listing_id: event.listingId,
    event_key: event.eventKey,
    payload: event.payload,
    details: event.details,
    filter_ids: event.filterIds,
  }));
  return db`
    select * from jsonb_to_recordset(${jsonOf(db, facts)}) as facts (
      n int, kind text, listing_id text, event_key text, payload jsonb, details jsonb, filter_ids jsonb
    )`;
}

/**
 * The searches a fact matches, each looked up by its key: `offset 0` keeps the planner, which cannot know how many
 * there are, from going through all of them for every fact.
 */
function matchingSearches(db: Db, feedKey: string) {
  return db`
    jsonb_array_elements_text(facts.filter_ids) as met (filter_id) cross join lateral (
      select * from watch.live_searches as live
      where live.filter_id = met.filter_id::uuid and live.feed_key = ${feedKey} offset 0
    ) as searches`;
}

/** Who hid a home that is among the facts, by this advert of it or by another. */
function hiddenAmong(db: Db) {
  return db`
    select marks.user_id, home.listing_id
    from facts
    join watch.portal_listings as home on home.listing_id = facts.listing_id
    join watch.portal_listings as hidden on hidden.home_id = home.home_id
    join watch.marks on marks.listing_id = hidden.listing_id and marks.mark = 'hidden'`;
}

export interface BegunWatch {
  readonly userId: string;
  readonly payload: unknown;
  /** The newest, which become rows of the person. */
  readonly newest: readonly { readonly listingId: string; readonly details: unknown }[];
}

/** The first check of filters: one message to each connected chat, and rows for what it shows. */
export async function tellWatchStarted(db: Db, begun: readonly BegunWatch[], now: Date): Promise<void> {
  if (begun.length === 0) return;
  const rows = begun.flatMap(({ userId, newest }) =>
    newest.map(({ listingId, details }, place) => ({ userId, listingId, details, place })),
  );
  await db`
    insert into public.listings (listing_id, user_id, created_at, details)
    select "listingId", "userId", ${now}::timestamptz - place * interval '1 millisecond', details
    from jsonb_to_recordset(${jsonOf(db, rows)}) as newest ("userId" uuid, "listingId" text, details jsonb, place int)
    order by "userId", "listingId"
    on conflict (user_id, listing_id) do nothing`;
  const messages = begun.map(({ userId, payload }) => ({ userId, payload }));
  await db`
    insert into watch.alerts (user_id, chat_id, kind, event_key, payload, not_before, created_at)
    select "userId", chats.chat_id, 'watch-started', ${now.toISOString()}, payload, ${now}, ${now}
    from jsonb_to_recordset(${jsonOf(db, messages)}) as begun ("userId" uuid, payload jsonb)
    join public.chats on chats.user_id = "userId" and chats.state = 'connected'
    order by "userId"
    on conflict on constraint alert_exists_once do nothing`;
}

/** One notice to each connected chat of everyone a feed serves. */
export async function tellSourceDown(
  db: Db,
  feedKey: string,
  { since, payload, now }: { since: Date; payload: unknown; now: Date },
): Promise<void> {
  await db`
    insert into watch.alerts (user_id, chat_id, kind, event_key, payload, not_before, created_at)
    select searches.user_id, chats.chat_id, 'source-down', ${since.toISOString()}, ${jsonOf(db, payload)}, ${now}, ${now}
    from watch.live_searches as searches
    join public.chats on chats.user_id = searches.user_id and chats.state = 'connected'
    where searches.feed_key = ${feedKey}
    order by searches.user_id
    on conflict on constraint alert_exists_once do nothing`;
}

/** Sight is back, for those who were told that it was gone and not yet that it returned. */
export async function tellSourceUp(
  db: Db,
  people: { feedKey: string; filterIds?: readonly string[] },
  { now, mayHaveMissed }: { now: Date; mayHaveMissed: boolean },
): Promise<void> {
  const isMeant = people.filterIds
    ? db`searches.filter_id in (select jsonb_array_elements_text(${jsonOf(db, people.filterIds)})::uuid)`
    : db`true`;
  await db`
    insert into watch.alerts (user_id, chat_id, kind, event_key, payload, not_before, created_at)
    select blind.user_id, blind.chat_id, 'source-up', blind.event_key,
      jsonb_build_object(
        'sinceMs', blind.payload -> 'sinceMs', 'untilMs', ${now.getTime()}::float8, 'mayHaveMissed', ${mayHaveMissed}::boolean
      ) || case when blind.payload ->> 'reason' = 'quota-spent' then '{"reason": "quota-spent"}' else '{}' end::jsonb,
      ${now}, ${now}
    from watch.live_searches as searches
    join watch.alerts as blind on blind.user_id = searches.user_id and blind.kind = 'source-down'
    join public.chats on chats.user_id = blind.user_id and chats.chat_id = blind.chat_id and chats.state = 'connected'
    where searches.feed_key = ${people.feedKey} and ${isMeant}
      and blind.created_at > ${now}::timestamptz - interval '90 days'
    order by blind.user_id
    on conflict on constraint alert_exists_once do nothing`;
}

export interface DemoListing {
  readonly listingId: string;
  readonly details: unknown;
}

/** The first is the newest. */
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
