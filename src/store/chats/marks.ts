import type { Sql } from "postgres";
import type { HomeMark } from "#core/finds/find.ts";
import { jsonOf } from "#platform/database/json-parameter.ts";

export interface MarkedListing {
  readonly chatId: string;
  readonly listingId: string;
  /** The accounts that are meant. Those that the chat did not confirm, or that were not told of the listing here, are left out. */
  readonly userIds: readonly string[];
}

/** Hides or keeps a home, or (null) neither. Notes stay. Returns for how many accounts. */
export async function markListing(
  sql: Sql,
  told: MarkedListing,
  { mark, nowMs }: { mark: HomeMark | null; nowMs: number },
): Promise<number> {
  const people = await sql`
    select watch.mark_home(user_id, ${told.listingId}, ${mark}, ${new Date(nowMs)}, ${told.chatId})
    from (${toldHere(sql, told)}) as told`;
  return people.count;
}

/** Edits the messages of the chat whose listing was marked there. */
export async function editMarked(sql: Sql, chatId: string, nowMs: number): Promise<void> {
  await sql`select watch.edit_messages(${chatId}, ${new Date(nowMs)})`;
}

/** A note on a home; blank: none. It is cut to what a note holds. Returns for how many accounts. */
export async function noteListing(
  sql: Sql,
  told: MarkedListing,
  { note, nowMs }: { note: string | null; nowMs: number },
): Promise<number> {
  const text = [...(note ?? "").replaceAll("\0", "").toWellFormed().trim()].slice(0, 2_000).join("").trim();
  const people = await sql`
    select watch.note_home(user_id, ${told.listingId}, ${text || null}, ${new Date(nowMs)}, null)
    from (${toldHere(sql, told)}) as told`;
  return people.count;
}

/** In one order everywhere: avoids deadlock between two presses. */
const toldHere = (sql: Sql, { chatId, listingId, userIds }: MarkedListing) => sql`
  select distinct alerts.user_id
  from watch.alerts join watch.confirmed_chats using (user_id, chat_id)
  where alerts.chat_id = ${chatId} and alerts.listing_id = ${listingId}
    and alerts.user_id in (select jsonb_array_elements_text(${jsonOf(sql, userIds)})::uuid)
  order by alerts.user_id`;
