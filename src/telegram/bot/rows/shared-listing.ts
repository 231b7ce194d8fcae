import type { Sql } from "postgres";
import type { AlertListing } from "#core/alert/alert.ts";

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
