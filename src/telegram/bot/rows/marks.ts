import type { Sql } from "postgres";
import type { HomeMark } from "#core/finds/find.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import { actForAccounts } from "./act-for-accounts.ts";

export interface MarkedListing {
  readonly chatId: string;
  readonly listingId: string;
  /** The accounts meant. Those that the chat did not confirm, or that got no alert about the listing here, are ignored. */
  readonly userIds: readonly string[];
}

/** Hides or keeps a home; null removes the mark. Notes stay. Returns the number of accounts. */
export async function markListing(
  sql: Sql,
  marked: MarkedListing,
  { mark, nowMs }: { mark: HomeMark | null; nowMs: number },
): Promise<number> {
  return actForAccounts(sql, marked.userIds, async (db) => {
    const people = await db`
      select watch.mark_home(user_id, ${marked.listingId}, ${mark}, ${new Date(nowMs)}, ${marked.chatId})
      from (${alertedHere(db, marked)}) as alerts`;
    return people.count;
  });
}

/** Edits the chat's messages about listings that were marked. */
export async function editMarked(sql: Sql, chatId: string, nowMs: number): Promise<void> {
  await sql`select watch.edit_messages(${chatId}, ${new Date(nowMs)})`;
}

/** Sets the note on a home; a blank one is removed, a long one cut. Returns the number of accounts. */
export async function noteListing(
  sql: Sql,
  marked: MarkedListing,
  { note, nowMs }: { note: string | null; nowMs: number },
): Promise<number> {
  const text = [...(note ?? "").replaceAll("\0", "").toWellFormed().trim()].slice(0, 2_000).join("").trim();
  return actForAccounts(sql, marked.userIds, async (db) => {
    const people = await db`
      select watch.note_home(user_id, ${marked.listingId}, ${text || null}, ${new Date(nowMs)}, null)
      from (${alertedHere(db, marked)}) as alerts`;
    return people.count;
  });
}

/** A fixed order avoids deadlock between two button presses. */
const alertedHere = (db: Db, { chatId, listingId, userIds }: MarkedListing) => db`
  select distinct alerts.user_id
  from watch.alerts join watch.confirmed_chats using (user_id, chat_id)
  where alerts.chat_id = ${chatId} and alerts.listing_id = ${listingId}
    and alerts.user_id in (select jsonb_array_elements_text(${jsonOf(db, userIds)})::uuid)
  order by alerts.user_id`;
