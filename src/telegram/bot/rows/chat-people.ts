import type { Sql } from "postgres";
import type { Receives } from "#core/alert/chat.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";

/** A person whose alerts go to a chat, as that chat may see them. */
export interface ChatPerson {
  readonly userId: string;
  /** The address, or the name of an account without one; masked, except in a private chat that said the account is its own. */
  readonly account: string;
}

export interface ConnectedPerson extends ChatPerson {
  /** The chat can read and change confirmed accounts. */
  readonly access: "confirmed" | "unconfirmed";
}

export async function peopleConnectedTo(sql: Sql, chatId: string): Promise<readonly ConnectedPerson[]> {
  return sql<ConnectedPerson[]>`
    select ${person(sql)}, case when confirmed_at is null then 'unconfirmed' else 'confirmed' end as access
    from public.chats
    where chat_id = ${chatId} and state = 'connected' order by created_at, user_id`;
}

/** The people whose accounts the chat may read and change. */
export async function confirmedPeople(sql: Sql, chatId: string): Promise<readonly ChatPerson[]> {
  return sql<ChatPerson[]>`
    select ${person(sql)} from watch.confirmed_chats where chat_id = ${chatId} order by created_at, user_id`;
}

/** Those of them whose alerts about this listing were sent to the chat. */
export async function confirmedPeopleAlerted(
  sql: Sql,
  chatId: string,
  listingId: string,
): Promise<readonly ChatPerson[]> {
  return sql<ChatPerson[]>`
    select ${person(sql)} from watch.confirmed_chats where chat_id = ${chatId} and exists (
      select from watch.alerts
      where alerts.user_id = confirmed_chats.user_id and alerts.chat_id = ${chatId} and alerts.listing_id = ${listingId}
    ) order by created_at, user_id`;
}

/**
 * Pauses or resumes all searches of the account. The reply says that they run again, so the chat gets no greeting of theirs.
 * Returns false if there are none, or if the chat has not confirmed the account.
 */
export async function setPaused(
  sql: Sql,
  { userId, chatId }: { userId: string; chatId: string },
  isPaused: boolean,
): Promise<boolean> {
  return inTransaction(sql, async (db) => {
    await db`select private.lock_person_and_chat(${userId}, ${chatId})`;
    const confirmed = await db`
      select from watch.confirmed_chats where user_id = ${userId} and chat_id = ${chatId}`;
    if (confirmed.length === 0) return false;
    await db`
      with changed as (
        update public.searches set is_paused = ${isPaused} where user_id = ${userId} and is_paused <> ${isPaused}
        returning id, receiver_ids
      )
      insert into watch.search_chats (search_id, chat_id, resumed_at)
      select id, ${chatId}, case when not ${isPaused} then now() end from changed
      where ${chatId}::text = any (receiver_ids)
      on conflict (search_id, chat_id) do update set resumed_at = excluded.resumed_at`;
    return (await db`select from public.searches where user_id = ${userId}`).length > 0;
  });
}

function person(sql: Sql) {
  return sql`user_id as "userId", coalesce(private.account_in_chat(user_id, chat_id), '') as account`;
}

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
