/**
 * What is forgotten, and when. A statement takes a bounded batch, so that none holds locks for long; the caller repeats
 * it until nothing is left. Each gives how many rows went.
 */
import type { Db } from "./connection/json-parameter.ts";

export interface Retention {
  readonly now: Date;
  /** People's listing rows and their alerts. */
  readonly days: number;
  /** Portal listings nobody has met since: the memory of re-advertised homes and of what is no news. */
  readonly portalDays: number;
  readonly batch: number;
}

type Sweep = (db: Db, retention: Retention) => Promise<number>;

/** Alerts that still wait are never dropped; delivery gives them up or sends them. */
const oldAlerts: Sweep = async (db, { now, days, batch }) => {
  const { count } = await db`
    delete from watch.alerts where id in (
      select id from watch.alerts
      where created_at < ${now}::timestamptz - ${days} * interval '1 day'
        and state in ('sent', 'merged', 'undeliverable', 'expired')
      order by created_at limit ${batch}
    )`;
  return count;
};

/** Kept listings stay as long as the mark does. */
const oldListings: Sweep = async (db, { now, days, batch }) => {
  const { count } = await db`
    delete from public.listings where (user_id, listing_id) in (
      select listings.user_id, listings.listing_id from public.listings
      where created_at < ${now}::timestamptz - ${days} * interval '1 day' and not exists (
        select from watch.marks
        where marks.user_id = listings.user_id and marks.listing_id = listings.listing_id and marks.mark = 'kept'
      )
      order by created_at limit ${batch}
    )`;
  return count;
};

/** All but the newest hundred of each demo filter. */
const oldDemoListings: Sweep = async (db, { batch }) => {
  const { count } = await db`
    delete from public.demo_listings where (filter_id, demo_id) in (
      select filter_id, demo_id from (
        select filter_id, demo_id, row_number() over (partition by filter_id order by created_at desc) as place
        from public.demo_listings
      ) as placed where place > 100 limit ${batch}
    )`;
  return count;
};

/** Feeds that nobody who can be told has needed for a week; what they have seen goes with them. */
const idleFeeds: Sweep = async (db, { now }) => {
  const { count } = await db`
    delete from watch.feeds where key in (
      select key from watch.feeds where idle_since < ${now}::timestamptz - interval '7 days'
        and not exists (
          select from watch.searches where searches.feed_key = feeds.key and searches.is_watched and searches.can_tell
        )
      limit 1 for update skip locked
    )`;
  return count;
};

/** A listing that nothing has met for long and nobody marked. One still listed further down is met by deep readings. */
const oldPortalListings: Sweep = async (db, { now, portalDays, batch }) => {
  const { count } = await db`
    delete from watch.portal_listings where listing_id in (
      select listing_id from watch.portal_listings as portal
      where last_seen_at < ${now}::timestamptz - ${portalDays} * interval '1 day'
        and not exists (select from watch.marks where marks.listing_id = portal.listing_id)
      order by last_seen_at limit ${batch} for update skip locked
    )`;
  return count;
};

/** Chats in nobody's list. A chat that asked for its id may yet be typed within a day. */
const chatsOfNobody: Sweep = async (db, { now, batch }) => {
  const [row] = await db<[{ gone: number }]>`
    select watch.forget_chats_of_nobody(${now}::timestamptz - interval '1 day', ${batch}) as gone`;
  return row.gone;
};

/** How fast a chat may be written to that nobody writes to any more. */
const pacesOfNobody: Sweep = async (db, { batch }) => {
  const { count } = await db`
    delete from watch.chat_paces where chat_id in (
      select chat_id from watch.chat_paces as pace
      where not exists (select from watch.chats where chats.chat_id = pace.chat_id) limit ${batch}
    )`;
  return count;
};

/** A notice of a deletion is kept for a day at most; this is looked at every hour. */
const oldDeletionNotices: Sweep = async (db, { now }) => {
  const { count } = await db`
    delete from watch.deletion_notices where created_at < ${now}::timestamptz - interval '23 hours'`;
  return count;
};

/** Links end after minutes; how many there were is asked for an hour. */
const oldLinks: Sweep = async (db, { now }) => {
  const { count } = await db`
    delete from watch.link_tokens where created_at < ${now}::timestamptz - interval '1 day'`;
  return count;
};

export const SWEEPS: Readonly<Record<string, Sweep>> = {
  alerts: oldAlerts,
  listings: oldListings,
  demoListings: oldDemoListings,
  feeds: idleFeeds,
  portalListings: oldPortalListings,
  chats: chatsOfNobody,
  paces: pacesOfNobody,
  deletionNotices: oldDeletionNotices,
  links: oldLinks,
};
