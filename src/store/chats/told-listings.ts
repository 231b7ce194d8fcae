/** What a chat was told of, for people connected to it; what a button says is never taken for it. */
import type { Sql } from "postgres";
import type { AlertListing } from "#core/alert/alert.ts";

export interface ToldListing {
  readonly listing: AlertListing;
  /** All that a source gave. */
  readonly photos: readonly string[];
  /** What the person who was told says of themselves. */
  readonly who: string | null;
  readonly job: string | null;
  readonly movingFrom: string | null;
  readonly about: string | null;
}

/** As it was told last; undefined where nobody who is connected was told of it here. */
export async function readToldListing(
  sql: Sql,
  { chatId, listingId }: { chatId: string; listingId: string },
): Promise<ToldListing | undefined> {
  const [told] = await sql<ToldListing[]>`
    select alerts.payload -> 'listing' as listing, coalesce(met.photos, '[]') as photos,
      profile.who, profile.job, profile.moving_from as "movingFrom", profile.about
    from watch.alerts join public.chats using (user_id, chat_id)
    left join watch.portal_listings as met on met.listing_id = alerts.listing_id
    left join public.find_settings as profile on profile.user_id = alerts.user_id
    where alerts.chat_id = ${chatId} and alerts.listing_id = ${listingId} and chats.state = 'connected'
      and jsonb_typeof(alerts.payload -> 'listing') = 'object'
    order by alerts.position desc limit 1`;
  return told;
}

/** The listings that a message spoke of: one, several of a summary, or none. */
export async function listingsOfMessage(sql: Sql, chatId: string, messageId: number): Promise<string[]> {
  const rows = await sql<{ listingId: string }[]>`
    select distinct listing_id as "listingId"
    from watch.alerts join public.chats using (user_id, chat_id)
    where alerts.chat_id = ${chatId} and alerts.message_id = ${messageId} and alerts.listing_id is not null
      and chats.state = 'connected'
    limit 2`;
  return rows.map(({ listingId }) => listingId);
}
