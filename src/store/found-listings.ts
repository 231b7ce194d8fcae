import { type Db, jsonOf } from "./json-parameter.ts";

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

/**
 * Listings found for people for the first time: a row each, and an alert for every connected chat of everyone whose
 * row is new. Whoever hid a home hears of none of its adverts.
 */
export async function tellFound(
  db: Db,
  feedKey: string,
  events: readonly FoundEvent[],
  now: Date,
): Promise<number> {
  if (events.every(({ filterIds }) => filterIds.length === 0)) return 0;
  const { facts, pairs } = tablesOf(events);
  const [row] = await db<[{ told: number }]>`
    with facts as materialized (
      select * from jsonb_to_recordset(${jsonOf(db, facts)}) as facts (
        n int, kind text, listing_id text, event_key text, payload jsonb, details jsonb
      )
    ), people as (
      select pairs.n, searches.user_id
      from jsonb_to_recordset(${jsonOf(db, pairs)}) as pairs (n int, f uuid)
      join watch.live_searches as searches on searches.filter_id = pairs.f and searches.feed_key = ${feedKey}
      where searches.joined_at is not null
    ), found as (
      insert into public.listings (listing_id, user_id, created_at, details)
      select facts.listing_id, people.user_id, ${now}, facts.details
      from people join facts on facts.n = people.n
      where not exists (
        select from watch.marks
        join watch.portal_listings as hidden on hidden.listing_id = marks.listing_id
        join watch.portal_listings as home on home.home_id = hidden.home_id
        where marks.user_id = people.user_id and marks.mark = 'hidden' and home.listing_id = facts.listing_id
      )
      on conflict (user_id, listing_id) do nothing
      returning listing_id, user_id
    ), told as (
      insert into watch.alerts (user_id, chat_id, kind, listing_id, event_key, payload, not_before, created_at)
      select found.user_id, chats.chat_id, facts.kind, facts.listing_id, facts.event_key, facts.payload, ${now}, ${now}
      from found
      join facts on facts.listing_id = found.listing_id
      join public.chats on chats.user_id = found.user_id and chats.state = 'connected'
      order by facts.n desc, found.user_id
      on conflict on constraint alert_exists_once do nothing
      returning 1
    )
    select count(*)::int as told from told`;
  return row.told;
}

/**
 * News of listings people were told of before: those whose search it still fits and who have its row, and whoever kept
 * it. A listing's end is told to the latter alone.
 */
export async function tellChanged(
  db: Db,
  feedKey: string,
  events: readonly FoundEvent[],
  now: Date,
): Promise<number> {
  if (events.length === 0) return 0;
  const { facts, pairs } = tablesOf(events);
  const [row] = await db<[{ told: number }]>`
    with facts as materialized (
      select * from jsonb_to_recordset(${jsonOf(db, facts)}) as facts (
        n int, kind text, listing_id text, event_key text, payload jsonb
      )
    ), people as (
      select pairs.n, searches.user_id
      from jsonb_to_recordset(${jsonOf(db, pairs)}) as pairs (n int, f uuid)
      join facts on facts.n = pairs.n
      join watch.live_searches as searches on searches.filter_id = pairs.f and searches.feed_key = ${feedKey}
      join public.listings on listings.user_id = searches.user_id and listings.listing_id = facts.listing_id
      union
      select facts.n, marks.user_id
      from facts
      join watch.marks on marks.listing_id = facts.listing_id and marks.mark = 'kept'
      join watch.live_searches as searches on searches.user_id = marks.user_id and searches.feed_key = ${feedKey}
    ), told as (
      insert into watch.alerts (user_id, chat_id, kind, listing_id, event_key, payload, not_before, created_at)
      select people.user_id, chats.chat_id, facts.kind, facts.listing_id, facts.event_key, facts.payload, ${now}, ${now}
      from people
      join facts on facts.n = people.n
      join public.chats on chats.user_id = people.user_id and chats.state = 'connected'
      where not exists (
        select from watch.marks
        join watch.portal_listings as hidden on hidden.listing_id = marks.listing_id
        join watch.portal_listings as home on home.home_id = hidden.home_id
        where marks.user_id = people.user_id and marks.mark = 'hidden' and home.listing_id = facts.listing_id
      )
      order by facts.n desc, people.user_id
      on conflict on constraint alert_exists_once do nothing
      returning 1
    )
    select count(*)::int as told from told`;
  return row.told;
}

/** Facts once for each event, and who: the payload of a listing for a thousand people travels once. */
function tablesOf(events: readonly FoundEvent[]) {
  return {
    facts: events.map(({ kind, listingId, eventKey, payload, details }, n) => ({
      n,
      kind,
      listing_id: listingId,
      event_key: eventKey,
      payload,
      details,
    })),
    pairs: events.flatMap(({ filterIds }, n) => filterIds.map((f) => ({ n, f }))),
  };
}

export interface BegunWatch {
  readonly userId: string;
  readonly payload: unknown;
  /** The newest, which become rows of the person. */
  readonly newest: readonly { readonly listingId: string; readonly details: unknown }[];
}

/** The first check of filters: one message to each connected chat, and rows for what it shows. */
export async function tellBegun(db: Db, begun: readonly BegunWatch[], now: Date): Promise<void> {
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
    select "userId", chats.chat_id, 'begun', ${now.toISOString()}, payload, ${now}, ${now}
    from jsonb_to_recordset(${jsonOf(db, messages)}) as begun ("userId" uuid, payload jsonb)
    join public.chats on chats.user_id = "userId" and chats.state = 'connected'
    order by "userId"
    on conflict on constraint alert_exists_once do nothing`;
}

/** One notice to each connected chat of everyone a feed serves. */
export async function tellBlind(
  db: Db,
  feedKey: string,
  { since, payload, now }: { since: Date; payload: unknown; now: Date },
): Promise<void> {
  await db`
    insert into watch.alerts (user_id, chat_id, kind, event_key, payload, not_before, created_at)
    select searches.user_id, chats.chat_id, 'blind', ${since.toISOString()}, ${jsonOf(db, payload)}, ${now}, ${now}
    from watch.live_searches as searches
    join public.chats on chats.user_id = searches.user_id and chats.state = 'connected'
    where searches.feed_key = ${feedKey}
    order by searches.user_id
    on conflict on constraint alert_exists_once do nothing`;
}

/** Sight is back, for those who were told that it was gone and not yet that it returned. */
export async function tellSight(
  db: Db,
  people: { feedKey: string; filterIds?: readonly string[] },
  { now, mayHaveMissed }: { now: Date; mayHaveMissed: boolean },
): Promise<void> {
  const isMeant = people.filterIds
    ? db`searches.filter_id in (select jsonb_array_elements_text(${jsonOf(db, people.filterIds)})::uuid)`
    : db`true`;
  await db`
    insert into watch.alerts (user_id, chat_id, kind, event_key, payload, not_before, created_at)
    select blind.user_id, blind.chat_id, 'sight', blind.event_key,
      jsonb_build_object(
        'sinceMs', blind.payload -> 'sinceMs', 'untilMs', ${now.getTime()}::float8, 'mayHaveMissed', ${mayHaveMissed}::boolean
      ),
      ${now}, ${now}
    from watch.live_searches as searches
    join watch.alerts as blind on blind.user_id = searches.user_id and blind.kind = 'blind'
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
