/** Events about listings, their audiences, and the parts of the statements that turn them into rows and alerts. */
import type { PendingQuery, Row } from "postgres";
import type { ListingAlertKind } from "#core/alert/alert-kinds.ts";
import type { RuleDecision } from "#core/rules/decide-home.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

/** An event about a listing, for searches of the audience. */
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
  /** The home is back on the market: only for people who were never told of it. */
  readonly isReturn?: boolean;
  /** Only for people who were told of the home at this price last. */
  readonly toldPriceEur?: number;
  /** Only these of the searches alert; all if absent. */
  readonly alertIds?: readonly string[];
  /** The person kept the home or brought it back: no rule applies, and it does not wait for a summary. */
  readonly isWanted?: boolean;
  /** What the rules of these searches say, where they do not simply alert. */
  readonly ruled?: RuledSearches;
}

/** Listings that searches found for the first time, and changes of known ones. */
export interface FoundEvents {
  readonly found: readonly FoundEvent[];
  readonly changed: readonly FoundEvent[];
}

/** By search. Searches that simply alert are not in it. */
export type RuledSearches = ReadonlyMap<string, RuleDecision>;

/** All searches of a feed that was read. */
export interface FeedAudience {
  readonly key: string;
  readonly source: "official" | "by-url";
}

/** The person who received a mail. */
export interface PersonAudience {
  readonly userId: string;
  readonly source: "mail";
  readonly seenAt: Date;
  /** Its alerts are sent as one message. */
  readonly isDigest: boolean;
  /** The mail is older than the person's address, so it is not compared with other sources. */
  readonly isBacklog: boolean;
}

export type FoundAudience = FeedAudience | PersonAudience;

export const isPerson = (audience: FoundAudience): audience is PersonAudience => "userId" in audience;

export interface WrittenEvents {
  readonly alertCount: number;
  /** Listings that the person did not have. */
  readonly newCount: number;
  readonly alerted: readonly Pick<FoundEvent, "listingId" | "eventKey">[];
}

export function writtenColumns(db: Db) {
  return db`
    user_id, chat_id, kind, listing_id, home_id, event_key, payload, source, seen_at, created_at, search_ids, is_silent, held_at, not_before`;
}

/**
 * A folded search's alerts wait up to two hours and are sent as one summary. Each person has a moment of their own, so that not
 * all summaries are sent at once.
 */
function foldedUntil(db: Db, userId: Fragment, now: Date): Fragment {
  return db`(
    interval '2 hours' + date_bin(
      interval '2 hours', ${now}::timestamptz,
      timestamptz '2026-01-01 00:00Z' - abs(hashtextextended(${userId}::text, 0) % 7200) * interval '1 second'
    )
  )`;
}

/** The columns held_at and not_before. */
export function heldUntil(db: Db, audience: FoundAudience, { isFolded, userId, now }: Holding): Fragment {
  const isDigest = isPerson(audience) && audience.isDigest;
  return db`
    case when ${isFolded} or ${isDigest} then ${now}::timestamptz end,
    case when ${isFolded} then ${foldedUntil(db, userId, now)} else ${now}::timestamptz end`;
}

interface Holding {
  readonly isFolded: Fragment;
  readonly userId: Fragment;
  readonly now: Date;
}

type Fragment = PendingQuery<Row[]>;

export function alertFacts(db: Db, audience: FoundAudience, now: Date) {
  const seenAt = isPerson(audience) ? audience.seenAt : now;
  return db`
    facts.kind, facts.listing_id, facts.home_id, facts.event_key, facts.payload, ${audience.source}::text, ${seenAt}::timestamptz,
    ${now}::timestamptz`;
}

/** The columns of WrittenEvents that come from the rows `added`. */
export function addedAlerts(db: Db) {
  return db`
    (select count(*) from added where is_added)::int as "alertCount",
    coalesce((
      select jsonb_agg(distinct jsonb_build_object('listingId', listing_id, 'eventKey', event_key)) from added where is_added
    ), '[]') as alerted`;
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
    price_eur: priceIn(event.payload),
    told_price_eur: event.toldPriceEur ?? null,
  }));
  return db`
    select facts.*, coalesce(portal.home_id, facts.listing_id) as home_id
    from jsonb_to_recordset(${jsonOf(db, facts)}) as facts (
      n int, kind text, listing_id text, event_key text, payload jsonb, details jsonb, price_eur float8,
      told_price_eur float8
    )
    left join watch.portal_listings as portal on portal.listing_id = facts.listing_id`;
}

/** The price that the alert says. */
function priceIn(payload: unknown): number | null {
  const { listing } = payload as { readonly listing?: { readonly priceEur?: number } };
  return listing?.priceEur ?? null;
}

/**
 * The searches of the audience that match the events. `offset 0` makes PostgreSQL, which cannot estimate their number, look up each
 * by its key. They are kept separate from the facts, which are joined to each alert and must stay small.
 */
export function matchingSearches(db: Db, events: readonly FoundEvent[], audience: FoundAudience) {
  const aimed = events.map(({ filterIds, againIds = [], alertIds, isReturn, isWanted, ruled }, n) => ({
    n,
    filter_ids: againIds.length === 0 ? filterIds : [...filterIds, ...againIds],
    again_ids: againIds,
    alert_ids: alertIds,
    is_return: isReturn ?? false,
    is_wanted: isWanted ?? false,
    ruled: ruled && Object.fromEntries(ruled),
  }));
  return db`
    jsonb_to_recordset(${jsonOf(db, aimed)}) as aimed (
      n int, filter_ids jsonb, again_ids jsonb, alert_ids jsonb, is_return boolean, is_wanted boolean, ruled jsonb
    )
      cross join jsonb_array_elements_text(aimed.filter_ids) as search (filter_id)
      cross join lateral (${searchesOf(db, audience)} offset 0) as searches`;
}

/** A search that has to start on its feed decides what it sees when it starts. */
function searchesOf(db: Db, audience: FoundAudience): Fragment {
  if (isPerson(audience))
    return db`
      select searches.user_id, searches.id as filter_id, searches.receiver_ids, searches.is_folded, true as is_started
      from public.searches where searches.id = search.filter_id::uuid and searches.user_id = ${audience.userId}`;
  return db`
    select live.user_id, live.filter_id, live.receiver_ids, live.is_folded,
      live.baseline_at is not null as is_started
    from watch.live_searches as live where live.filter_id = search.filter_id::uuid and live.feed_key = ${audience.key}`;
}

/** People who hid a home of the facts, by this or another advert. */
export function hiddenHomes(db: Db) {
  return db`
    select marks.user_id, facts.listing_id
    from facts join public.marks on marks.home_id = facts.home_id and marks.mark = 'hidden'`;
}
