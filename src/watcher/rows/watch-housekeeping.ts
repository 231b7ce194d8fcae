/**
 * Deletes old data. Each statement deletes a bounded batch, so that none holds locks for long, and is repeated until nothing is
 * left.
 */
import type { PendingQuery, Row } from "postgres";
import type { Db } from "#platform/database/json-parameter.ts";

/** People's listing rows, their alerts and security events. */
const DAYS = 90;
/** What searches covered and what people were told, and portal listings since they were last seen. */
const PORTAL_DAYS = 365;
/** Known browsers since they were last used. */
const BROWSER_DAYS = 180;
const BATCH = 1_000;

type Sweep = (db: Db, now: Date) => PendingQuery<Row[]>;

const SWEEPS: Readonly<Record<string, Sweep>> = {
  /** Waiting alerts are never deleted; the sender sends or drops them. */
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
        where marks.user_id = listings.user_id and marks.home_id = listings.home_id
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
  /** Feeds that no search with a reachable chat needed for a week, with their memory. */
  feeds: (db, now) => db`
    delete from watch.feeds where key in (
      select key from watch.feeds where idle_since < ${now}::timestamptz - interval '7 days'
        and not exists (
          select from watch.compiled_searches as searches
          where searches.feed_key = feeds.key and searches.is_watched and searches.has_reachable_chat
        )
      limit 1 for update skip locked
    )`,
  /** What was set aside and has not come back. */
  quarantine: (db, now) => db`
    delete from watch.quarantine where (kind, subject) in (
      select kind, subject from watch.quarantine where next_try_at < ${now}::timestamptz - interval '7 days' limit ${BATCH}
    )`,
  /** Listings that were not seen for long and nobody marked. Full scans see those that are still listed further down. */
  portalListings: (db, now) => db`
    delete from watch.portal_listings where listing_id in (
      select listing_id from watch.portal_listings as portal
      where last_seen_at < ${now}::timestamptz - ${PORTAL_DAYS} * interval '1 day'
        and not exists (select from public.marks where marks.home_id in (portal.home_id, portal.listing_id))
      order by last_seen_at limit ${BATCH} for update skip locked
    )`,
  /** Told a year ago, of a home that is no longer known to be on offer. */
  told: (db, now) => db`
    delete from watch.told where (user_id, listing_id) in (
      select user_id, listing_id from watch.told
      where told_at < ${now}::timestamptz - ${PORTAL_DAYS} * interval '1 day' and not exists (
        select from watch.portal_listings as portal
        where portal.listing_id = told.listing_id
          and coalesce(portal.gone_at, portal.last_seen_at) >= ${now}::timestamptz - ${PORTAL_DAYS} * interval '1 day'
      )
      limit ${BATCH}
    )`,
  coverage: (db, now) => db`
    delete from watch.coverage where (search_id, until_at) in (
      select search_id, until_at from watch.coverage as earlier
      where until_at < ${now}::timestamptz - ${PORTAL_DAYS} * interval '1 day' and exists (
        select from watch.coverage as later
        where later.search_id = earlier.search_id and (later.until_at is null or later.until_at > earlier.until_at)
      )
      limit ${BATCH}
    )`,
  gaps: (db, now) => db`
    delete from watch.gaps where (search_id, until_at) in (
      select search_id, until_at from watch.gaps
      where until_at < ${now}::timestamptz - ${PORTAL_DAYS} * interval '1 day' limit ${BATCH}
    )`,
  /** Prices are compared over the same number of days. */
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
  /** Chats that no search names. The id of a chat that asked for it may be entered within a day. */
  chats: (db, now) => db`
      select from generate_series(1, watch.forget_unused_chats(${now}::timestamptz - interval '1 day', ${BATCH}))`,
  /** The paces of chats without recent messages. */
  paces: (db) => db`
    delete from watch.chat_paces where chat_id in (
      select chat_id from watch.chat_paces as pace
      where not exists (select from watch.chats where chats.chat_id = pace.chat_id) limit ${BATCH}
    )`,
  /** The message that an account has left a chat is tried for a day at most; this runs every hour. */
  alertsWithoutAccount: (db, now) => db`
    delete from watch.alerts where user_id is null and created_at < ${now}::timestamptz - interval '23 hours'`,
  /** The outcomes of mails; their number per person is limited when one arrives. */
  receivedMails: (db, now) => db`
    delete from public.received_mails where id in (
      select id from public.received_mails
      where received_at < ${now}::timestamptz - interval '30 days' and outcome <> 'waiting-for-key'
      order by received_at limit ${BATCH}
    )`,
  /** The text of mails that could not be processed, kept for debugging. */
  unreadMails: (db, now) => db`
    update watch.mails set raw = null where id in (
      select id from watch.mails
      where raw is not null and done_at < ${now}::timestamptz - interval '3 days' limit ${BATCH}
    )`,
  /** Senders retry for five days. After that no duplicates are expected. */
  mails: (db, now) => db`
    delete from watch.mails where id in (
      select id from watch.mails where done_at < ${now}::timestamptz - interval '7 days' order by done_at limit ${BATCH}
    )`,
  /** Routes change; old travel times are looked up again. */
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
  /** Afterwards a sign-in with the browser is mailed as a new one. A browser with a live session is in use. */
  knownBrowsers: (db, now) => db`
    delete from private.known_browsers where (user_id, browser_hash) in (
      select user_id, browser_hash from private.known_browsers as known
      where last_used_at < ${now}::timestamptz - ${BROWSER_DAYS} * interval '1 day'
        and not exists (select from auth.sessions where sessions.id = known.session_id)
      order by last_used_at limit ${BATCH}
    )`,
  /** Needed for a month. */
  newcomerChecks: (db, now) => db`
    delete from watch.newcomer_checks where day < (${now}::timestamptz - interval '40 days')::date`,
  /** Of deleted searches. */
  waitingSearches: (db, now) => db`
    delete from watch.waiting_searches where until < ${now}::timestamptz - interval '1 day'`,
  /** Limits look back a day. */
  routingRequests: (db, now) => db`
    delete from watch.routing_requests where hour < ${now}::timestamptz - interval '2 days'`,
  /** Questions for which account a chat meant; the bot accepts no answer after an hour. */
  accountQuestions: (db, now) => db`
    delete from watch.account_questions where asked_at < ${now}::timestamptz - interval '1 hour'`,
  /** Questions that a chat answers by typing; the bot accepts no answer after an hour. */
  openQuestions: (db, now) => db`
    delete from watch.open_questions where asked_at < ${now}::timestamptz - interval '1 hour'`,
  /** A full allowance needs no row. Sign-ins delete a few of these as well. */
  guardAllowances: (db, now) => db`
    delete from private.guard_allowances where key in (
      select key from private.guard_allowances where full_at < ${now} order by full_at limit ${BATCH} for update skip locked
    )`,
  searchPreviews: (db, now) => db`
    delete from watch.search_previews where asked_at < ${now}::timestamptz - interval '1 day'`,
  /** Links expire after minutes; the limit on their number looks back an hour. */
  links: (db, now) => db`
    delete from watch.link_tokens where created_at < ${now}::timestamptz - interval '1 day'`,
};

/** Deletes all of it. Returns the number of rows by kind. */
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
