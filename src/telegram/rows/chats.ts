import type { Sql } from "postgres";
import type { Unreachable } from "#core/alert/chat.ts";

export type Standing =
  | { readonly state: "ok" }
  | { readonly state: "blocked" }
  | { readonly state: "unreachable"; readonly reason: Unreachable };

/** Chat ids are strings of digits everywhere outside the Bot API. */
export async function setStanding(sql: Sql, chatId: string, standing: Standing): Promise<void> {
  const reason = standing.state === "unreachable" ? standing.reason : null;
  await sql`select watch.set_standing(${chatId}, ${standing.state}, ${reason})`;
}

/** Moves alerts that were written for the old id while a group was upgraded. Otherwise nobody would send them. */
export async function followMovedChats(sql: Sql): Promise<void> {
  await sql`
    select watch.move_chat(from_chat_id, to_chat_id) from watch.moved_chats
    where exists (
      select from watch.alerts where alerts.chat_id = from_chat_id and alerts.state in ('pending', 'sending')
    )`;
}

/** A group became a supergroup: updates everything that refers to the old id, in one transaction. */
export async function moveChat(sql: Sql, fromChatId: string, toChatId: string): Promise<void> {
  await sql`select watch.move_chat(${fromChatId}, ${toChatId})`;
}
