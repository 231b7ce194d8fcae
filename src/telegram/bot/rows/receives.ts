import type { Sql } from "postgres";
import type { Receives } from "#core/alert/chat.ts";

/** What the chat gets from its confirmed people; undefined if there are none. */
export async function readReceives(sql: Sql, chatId: string): Promise<Receives | undefined> {
  const [row] = await sql<{ receives: Receives }[]>`
    select receives from public.chats join watch.confirmed_chats using (user_id, chat_id)
    where chats.chat_id = ${chatId} order by chats.created_at, user_id limit 1`;
  return row?.receives;
}

/** Returns the number of people whose homes this concerns. */
export async function setReceives(sql: Sql, chatId: string, receives: Receives): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select watch.set_receives(${chatId}, ${receives}) as count`;
  return row?.count ?? 0;
}
