import type { Sql } from "postgres";
import type { FindMark } from "#core/finds/find.ts";

export interface ChatListing {
  readonly chatId: string;
  readonly listingId: string;
}

/**
 * Hides or keeps a home, or (null) neither, for everyone who was told of it in this chat and still is connected here; nobody
 * else is touched, whatever a button says. What they noted stays. Answers for how many.
 */
export async function markListing(
  sql: Sql,
  { chatId, listingId }: ChatListing,
  { mark, nowMs }: { mark: FindMark | null; nowMs: number },
): Promise<number> {
  const people = await sql`
    select watch.mark_home(user_id, ${listingId}, ${mark}, ${new Date(nowMs)}, ${chatId})
    from (${toldHere(sql, { chatId, listingId })}) as told`;
  return people.count;
}

/** What was marked in the chat is now written anew there too. */
export async function editMarked(sql: Sql, chatId: string, nowMs: number): Promise<void> {
  await sql`select watch.edit_messages(${chatId}, ${new Date(nowMs)})`;
}

/** A note on a home, for the same people; blank: none. It is cut to what a note holds. */
export async function noteListing(
  sql: Sql,
  { chatId, listingId }: ChatListing,
  { note, nowMs }: { note: string | null; nowMs: number },
): Promise<number> {
  const text = [...(note ?? "").replaceAll("\0", "").toWellFormed().trim()].slice(0, 2_000).join("").trim();
  const people = await sql`
    select watch.note_home(user_id, ${listingId}, ${text || null}, ${new Date(nowMs)}, null)
    from (${toldHere(sql, { chatId, listingId })}) as told`;
  return people.count;
}

/** One after the other in the same order everywhere, so that two presses never wait for each other in a ring. */
const toldHere = (sql: Sql, { chatId, listingId }: ChatListing) => sql`
  select distinct alerts.user_id
  from watch.alerts join public.chats using (user_id, chat_id)
  where alerts.chat_id = ${chatId} and alerts.listing_id = ${listingId} and chats.state = 'connected'
  order by alerts.user_id`;
