import type { Sql } from "postgres";
import { inTransaction } from "../connection/in-transaction.ts";

/** Somebody whose alerts go to a chat, as that chat may know them. */
export interface ChatPerson {
  readonly userId: string;
  /** The masked e-mail. */
  readonly email: string;
}

export async function peopleConnectedTo(sql: Sql, chatId: string): Promise<readonly ChatPerson[]> {
  return sql<ChatPerson[]>`
    select ${person(sql)} from public.chats
    where chat_id = ${chatId} and state = 'connected' order by created_at, user_id`;
}

/** Whose alerts come without the chat having said that the account is its own. */
export async function peopleToConfirm(sql: Sql, chatId: string): Promise<readonly ChatPerson[]> {
  return sql<ChatPerson[]>`
    select ${person(sql)} from public.chats
    where chat_id = ${chatId} and state = 'connected' and confirmed_at is null order by created_at, user_id`;
}

/** Stops or starts every search of everyone whose alerts come here; answers whose. */
export async function setPaused(sql: Sql, chatId: string, isPaused: boolean): Promise<readonly ChatPerson[]> {
  const people: ChatPerson[] = [];
  // Each by itself: who holds one person's lock and waits for another's can be waited for in a ring.
  for (const one of await peopleConnectedTo(sql, chatId)) {
    if (await setAllPaused(sql, { userId: one.userId, chatId }, isPaused)) people.push(one);
  }
  return people;
}

/** Answers whether there is a search. */
async function setAllPaused(
  sql: Sql,
  { userId, chatId }: { userId: string; chatId: string },
  isPaused: boolean,
): Promise<boolean> {
  return inTransaction(sql, async (db) => {
    await db`select private.lock_person_and_chat(${userId}, ${chatId})`;
    const connected = await db`
      select from public.chats where user_id = ${userId} and chat_id = ${chatId} and state = 'connected'`;
    if (connected.length === 0) return false;
    const is = db`user_id = ${userId} and is_paused <> ${isPaused}`;
    await db`update public.filter_settings set is_paused = ${isPaused} where ${is}`;
    await db`update public.other_searches set is_paused = ${isPaused} where ${is}`;
    return (await db`select from public.filter_settings where user_id = ${userId}`).length > 0;
  });
}

function person(sql: Sql) {
  return sql`user_id as "userId", coalesce(private.masked_email(user_id), '') as email`;
}
