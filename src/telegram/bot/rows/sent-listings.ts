/** Listings that a chat got alerts about, for accounts that it confirmed. Read from the database, never from a button's data. */
import type { Sql } from "postgres";
import type { AlertListing } from "#core/alert/alert.ts";
import { endedHome } from "../../rows/ended-home.ts";

export interface SentListing {
  readonly listing: AlertListing;
  /** The searches of its alert. */
  readonly searchIds: readonly string[];
  readonly photos: readonly string[];
  /** A source saw the home end. */
  readonly isGone: boolean;
  /** What the person wrote about themselves. */
  readonly who: string | null;
  readonly job: string | null;
  readonly movingFrom: string | null;
  readonly about: string | null;
}

/** As in the latest alert; undefined if no confirmed account got an alert about it here. */
export async function readSentListing(
  sql: Sql,
  { chatId, listingId }: { chatId: string; listingId: string },
): Promise<SentListing | undefined> {
  const [sent] = await sql<SentListing[]>`
    select alerts.payload -> 'listing' as listing, to_jsonb(coalesce(alerts.search_ids, '{}')) as "searchIds",
      coalesce(portal.photos, '[]') as photos,
      exists (select from ${endedHome(sql, "alerts")}) as "isGone",
      settings.who, settings.job, settings.moving_from as "movingFrom", settings.about
    from watch.alerts join watch.confirmed_chats using (user_id, chat_id)
    left join watch.portal_listings as portal on portal.listing_id = alerts.listing_id
    left join public.find_settings as settings on settings.user_id = alerts.user_id
    where alerts.chat_id = ${chatId} and alerts.listing_id = ${listingId}
      and jsonb_typeof(alerts.payload -> 'listing') = 'object'
    order by alerts.position desc limit 1`;
  return sent;
}

/** The listings of a message: one, several in a summary, or none. Does not check whose they are. */
export async function listingsOfMessage(sql: Sql, chatId: string, messageId: number): Promise<string[]> {
  const rows = await sql<{ listingId: string }[]>`
    select distinct listing_id as "listingId"
    from watch.alerts join public.chats using (user_id, chat_id)
    where alerts.chat_id = ${chatId} and alerts.message_id = ${messageId} and alerts.listing_id is not null
      and chats.state = 'connected'
    limit 2`;
  return rows.map(({ listingId }) => listingId);
}

export interface RecentAlert {
  readonly listing: AlertListing;
  readonly sentAt: Date;
}

/**
 * The homes of the latest alerts in the chat, each once with its latest alert. Only those of searches that now send alerts to
 * this chat or that were asked for here, and without hidden ones.
 */
export async function latestAlertsIn(
  sql: Sql,
  chatId: string,
  limit: number,
): Promise<readonly RecentAlert[]> {
  return sql<RecentAlert[]>`
    select listing, sent_at as "sentAt" from (
      select distinct on (alerts.home_id) alerts.payload -> 'listing' as listing, alerts.sent_at, alerts.position
      from watch.alerts join watch.confirmed_chats using (user_id, chat_id)
      where alerts.chat_id = ${chatId}
        and alerts.state in ('sent', 'merged') and alerts.sent_at is not null
        and alerts.kind in (select alert_kinds.kind from watch.alert_kinds where is_offer)
        and jsonb_typeof(alerts.payload -> 'listing') = 'object'
        and not exists (
          select from public.marks
          where marks.user_id = alerts.user_id and marks.home_id = alerts.home_id and marks.mark = 'hidden'
        )
        and (${isActiveNow(sql)})
      order by alerts.home_id, alerts.position desc
    ) as latest
    order by sent_at desc, position desc limit ${limit}`;
}

const isActiveNow = (sql: Sql) => sql`
  exists (
    select from public.searches
    where searches.user_id = alerts.user_id and not searches.is_paused and alerts.chat_id::text = any (searches.receiver_ids)
      and (coalesce(alerts.search_ids, '{}') = '{}' or searches.id = any (alerts.search_ids))
  )
  or exists (
    select from public.marks
    where marks.user_id = alerts.user_id and marks.home_id = alerts.home_id and marks.mark = 'kept'
      and marks.chat_id = alerts.chat_id
  )`;

/** The listing of an alert in the sender's own chat. Undefined if it is somebody else's. */
export async function findSharedListing(
  sql: Sql,
  { alertId, senderId }: { readonly alertId: string; readonly senderId: string },
): Promise<AlertListing | undefined> {
  const [row] = await sql<{ listing: AlertListing }[]>`
    select alerts.payload -> 'listing' as listing
    from watch.alerts join watch.confirmed_chats using (user_id, chat_id)
    where alerts.id = ${alertId} and alerts.chat_id = ${senderId} and alerts.sent_at is not null
      and jsonb_typeof(alerts.payload -> 'listing') = 'object'`;
  return row?.listing;
}
