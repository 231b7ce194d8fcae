/** Events about listings, and the parts of the statements that turn them into alerts. */
import type { PendingQuery, Row } from "postgres";
import type { ListingAlertKind } from "#core/alert/alert-kinds.ts";
import type { RuleDecision } from "#core/rules/decide-home.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

/** An event about a listing, for the people of a feed. */
export interface FoundEvent {
  readonly kind: ListingAlertKind;
  readonly listingId: string;
  readonly eventKey: string;
  readonly payload: unknown;
  /** The details of the person's row, for events that create one. */
  readonly details: unknown;
  readonly filterIds: readonly string[];
  /** Searches that matched the listing before too: it is new to those that left it out then. */
  readonly againIds?: readonly string[];
  /** What the rules of these searches say, where they do not simply alert. */
  readonly ruled?: RuledSearches;
}

/** By search. Searches that simply alert are not in it. */
export type RuledSearches = ReadonlyMap<string, RuleDecision>;

export interface SeenBy {
  readonly key: string;
  readonly source: "official" | "by-url";
}

export function writtenColumns(db: Db) {
  return db`
    user_id, chat_id, kind, listing_id, event_key, payload, source, seen_at, created_at, search_ids, is_silent, held_at, not_before`;
}

/**
 * A folded search's alerts wait up to two hours and are sent as one summary. Each person has a moment of their own, so that not
 * all summaries are sent at once.
 */
export function foldedUntil(db: Db, userId: Fragment, now: Date): Fragment {
  return db`(
    interval '2 hours' + date_bin(
      interval '2 hours', ${now}::timestamptz,
      timestamptz '2026-01-01 00:00Z' - abs(hashtextextended(${userId}::text, 0) % 7200) * interval '1 second'
    )
  )`;
}

/** The columns held_at and not_before. */
export function heldUntil(
  db: Db,
  { isFolded, userId }: { isFolded: Fragment; userId: Fragment },
  now: Date,
): Fragment {
  return db`
    case when ${isFolded} then ${now}::timestamptz end,
    case when ${isFolded} then ${foldedUntil(db, userId, now)} else ${now}::timestamptz end`;
}

type Fragment = PendingQuery<Row[]>;

export function alertFacts(db: Db, source: SeenBy["source"], now: Date) {
  return db`
    facts.kind, facts.listing_id, facts.event_key, facts.payload, ${source}::text, ${now}::timestamptz, ${now}::timestamptz`;
}

/** For announced events, and for those that another source saw first: only these can be compared. */
export function recordSightings(db: Db, source: SeenBy["source"], now: Date) {
  return db`
    insert into watch.sightings (listing_id, event_key, source, seen_at)
    select distinct facts.listing_id, facts.event_key, ${source}::text, ${now}::timestamptz
    from facts
    where facts.kind in (select alert_kinds.kind from watch.alert_kinds where is_sighted) and (
      (facts.listing_id, facts.event_key) in (select listing_id, event_key from added where is_added)
      or exists (
        select from watch.sightings as seen where seen.listing_id = facts.listing_id and seen.event_key = facts.event_key
      )
    )
    order by 1, 2
    on conflict do nothing`;
}

/** Each event once, so that the payload of a listing for a thousand people is transferred once. */
export function eventRows(db: Db, events: readonly FoundEvent[]) {
  const facts = events.map((event, n) => ({
    n,
    kind: event.kind,
    listing_id: event.listingId,
    event_key: event.eventKey,
    payload: event.payload,
    details: event.details,
  }));
  return db`
    select * from jsonb_to_recordset(${jsonOf(db, facts)}) as facts (
      n int, kind text, listing_id text, event_key text, payload jsonb, details jsonb
    )`;
}

/**
 * The searches that match the events. `offset 0` makes PostgreSQL, which cannot estimate their number, look up each by its key.
 * They are kept separate from the facts, which are joined to each alert and must stay small.
 */
export function matchingSearches(db: Db, events: readonly FoundEvent[], feedKey: string) {
  const aimed = events.map(({ filterIds, againIds = [], ruled }, n) => ({
    n,
    filter_ids: againIds.length === 0 ? filterIds : [...filterIds, ...againIds],
    again_ids: againIds,
    ruled: ruled && Object.fromEntries(ruled),
  }));
  return db`
    jsonb_to_recordset(${jsonOf(db, aimed)}) as aimed (n int, filter_ids jsonb, again_ids jsonb, ruled jsonb)
      cross join jsonb_array_elements_text(aimed.filter_ids) as met (filter_id) cross join lateral (
        select * from watch.live_searches as live
        where live.filter_id = met.filter_id::uuid and live.feed_key = ${feedKey} offset 0
      ) as searches`;
}

/** People who hid a home of the facts, by this or another advert. */
export function hiddenHomes(db: Db) {
  return db`
    select marks.user_id, home.listing_id
    from facts
    join watch.portal_listings as home on home.listing_id = facts.listing_id
    join watch.portal_listings as hidden on hidden.home_id = home.home_id
    join public.marks on marks.listing_id = hidden.listing_id and marks.mark = 'hidden'`;
}
