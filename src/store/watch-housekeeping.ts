/**
 * What is forgotten, and when. A statement takes a bounded batch, so that none holds locks for long, and is repeated until
 * nothing is left.
 */
import type { PendingQuery, Row } from "postgres";
import type { Db } from "#platform/database/json-parameter.ts";

/** People's listing rows, their alerts and security events. */
const DAYS = 90;
/** Portal listings nobody has met since: the memory of re-advertised homes and of what is no news. */
const PORTAL_DAYS = 365;
/** Browsers that somebody signed in with, since they were last used. */
const BROWSER_DAYS = 180;
const BATCH = 1_000;

type Sweep = (db: Db, now: Date) => PendingQuery<Row[]>;

const SWEEPS: Readonly<Record<string, Sweep>> = {
  /** Alerts that still wait are never dropped; delivery gives them up or sends them. */
  alerts: (db, now) => db`
    delete from watch.alerts where id in (
      select id from watch.alerts
      where created_at < ${now}::timestamptz - ${DAYS} * interval '1 day'
        and state in ('sent', 'merged', 'undeliverable', 'expired')
      order by created_at limit ${BATCH}
    )`,
  /** Kept listings and those with a note stay as long as the mark does. */
  listings: (db, now) => db`
    delete from public.listings where (user_id, listing_id) in (
      select listings.user_id, listings.listing_id from public.listings
      where created_at < ${now}::timestamptz - ${DAYS} * interval '1 day' and not exists (
        select from public.marks
        where marks.user_id = listings.user_id and marks.listing_id = listings.listing_id
          and (marks.mark = 'kept' or marks.note is not null)
      )
      order by created_at limit ${BATCH}
    )`,
  /** All but the newest hundred of each demo filter. */
  demoListings: (db) => db`
    delete from public.demo_listings where (filter_id, demo_id) in (
      select filter_id, demo_id from (
        select filter_id, demo_id, row_number() over (partition by filter_id order by created_at desc) as place
        from public.demo_listings
      ) as placed where place > 100 limit ${BATCH}
    )`,
  /** Feeds that nobody who can be told has needed for a week; what they have seen goes with them. */
  feeds: (db, now) => db`
    delete from watch.feeds where key in (
      select key from watch.feeds where idle_since < ${now}::timestamptz - interval '7 days'
        and not exists (
          select from watch.compiled_searches as searches
          where searches.feed_key = feeds.key and searches.is_watched and searches.has_reachable_chat
        )
      limit 1 for update skip locked
    )`,
  /** A listing that nothing has met for long and nobody marked. One still listed further down is met by deep readings. */
  portalListings: (db, now) => db`
    delete from watch.portal_listings where listing_id in (
      select listing_id from watch.portal_listings as portal
      where last_seen_at < ${now}::timestamptz - ${PORTAL_DAYS} * interval '1 day'
        and not exists (select from public.marks where marks.listing_id = portal.listing_id)
      order by last_seen_at limit ${BATCH} for update skip locked
    )`,
  /** Prices are compared over as many days. */
  mailFigures: (db, now) => db`
    delete from watch.mail_figures where listing_id in (
      select listing_id from watch.mail_figures where last_seen_at < ${now}::timestamptz - ${DAYS} * interval '1 day'
      order by last_seen_at limit ${BATCH} for update skip locked
    )`,
  sightings: (db, now) => db`
    delete from watch.sightings where (listing_id, event_key, source) in (
      select listing_id, event_key, source from watch.sightings
      where seen_at < ${now}::timestamptz - ${DAYS} * interval '1 day'
      order by seen_at limit ${BATCH}
    )`,
  /** Chats in nobody's list. A chat that asked for its id may yet be typed within a day. */
  chats: (db, now) => db`
      select from generate_series(1, watch.forget_unused_chats(${now}::timestamptz - interval '1 day', ${BATCH}))`,
  /** How fast a chat may be written to that nobody writes to any more. */
  paces: (db) => db`
    delete from watch.chat_paces where chat_id in (
      select chat_id from watch.chat_paces as pace
      where not exists (select from watch.chats where chats.chat_id = pace.chat_id) limit ${BATCH}
    )`,
  /** A notice of a deletion is kept for a day at most; this is looked at every hour. */
  deletionNotices: (db, now) => db`
    delete from watch.deletion_notices where created_at < ${now}::timestamptz - interval '23 hours'`,
  /** What became of mails; how many of a person are kept is seen to when one comes. */
  receivedMails: (db, now) => db`
    delete from public.received_mails where id in (
      select id from public.received_mails
      where received_at < ${now}::timestamptz - interval '30 days' and outcome <> 'waiting-for-key'
      order by received_at limit ${BATCH}
    )`,
  /** The text of mails that were given up, for whoever mends what failed on them. */
  unreadMails: (db, now) => db`
    update watch.mails set raw = null where id in (
      select id from watch.mails
      where raw is not null and done_at < ${now}::timestamptz - interval '3 days' limit ${BATCH}
    )`,
  /** Senders try for five days; after that no mail comes a second time. */
  mails: (db, now) => db`
    delete from watch.mails where id in (
      select id from watch.mails where done_at < ${now}::timestamptz - interval '7 days' order by done_at limit ${BATCH}
    )`,
  /** Ways change; a home that is asked about again is looked up again. */
  travelTimes: (db, now) => db`
    delete from watch.travel_times where (place_id, latitude, longitude) in (
      select place_id, latitude, longitude from watch.travel_times
      where asked_at < ${now}::timestamptz - ${DAYS} * interval '1 day' order by asked_at limit ${BATCH}
    )`,
  securityEvents: (db, now) => db`
    delete from private.security_events where id in (
      select id from private.security_events
      where happened_at < ${now}::timestamptz - ${DAYS} * interval '1 day' order by happened_at limit ${BATCH}
    )`,
  /** After this a sign-in with the browser is mailed as a new one. A browser with a live session is in use. */
  knownBrowsers: (db, now) => db`
    delete from private.known_browsers where (user_id, browser_hash) in (
      select user_id, browser_hash from private.known_browsers as known
      where last_used_at < ${now}::timestamptz - ${BROWSER_DAYS} * interval '1 day'
        and not exists (select from auth.sessions where sessions.id = known.session_id)
      order by last_used_at limit ${BATCH}
    )`,
  /** Counted for a month. */
  newcomerChecks: (db, now) => db`
    delete from watch.newcomer_checks where day < (${now}::timestamptz - interval '40 days')::date`,
  /** An allowance that is whole says what no row says; a person's row also says since when they are here. */
  firstChecks: (db, now) => db`
    delete from watch.first_checks where user_id is null and whole_at < ${now}`,
  /** Of searches that were deleted. */
  waitingSearches: (db, now) => db`
    delete from watch.waiting_searches where until < ${now}::timestamptz - interval '1 day'`,
  /** Limits look back a day. */
  routingRequests: (db, now) => db`
    delete from watch.routing_requests where hour < ${now}::timestamptz - interval '2 days'`,
  /** What a chat asked for without saying for which account; the bot takes no answer after an hour. */
  accountQuestions: (db, now) => db`
    delete from watch.account_questions where asked_at < ${now}::timestamptz - interval '1 hour'`,
  searchPreviews: (db, now) => db`
    delete from watch.search_previews where asked_at < ${now}::timestamptz - interval '1 day'`,
  /** Links end after minutes; how many there were is asked for an hour. */
  links: (db, now) => db`
    delete from watch.link_tokens where created_at < ${now}::timestamptz - interval '1 day'`,
};

/** Forgets all of it; gives how many rows of each kind went. */
export async function forgetOld(db: Db, now: Date): Promise<Record<string, number>> {
  const forgotten: Record<string, number> = {};
  for (const [kind, sweep] of Object.entries(SWEEPS)) {
    let count: number;
    do {
      count = (await sweep(db, now)).count;
      forgotten[kind] = (forgotten[kind] ?? 0) + count;
    } while (count > 0);
  }
  return forgotten;
}
