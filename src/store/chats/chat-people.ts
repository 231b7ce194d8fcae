import type { Sql } from "postgres";

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

/** Stops or starts the watch of everyone whose alerts come here; answers whose. */
export async function setPaused(sql: Sql, chatId: string, isPaused: boolean): Promise<readonly ChatPerson[]> {
  return sql<ChatPerson[]>`
    with connected as (
      select user_id from public.chats where chat_id = ${chatId} and state = 'connected'
    ), locked as materialized (
      select user_id from public.filter_settings
      where user_id in (select user_id from connected) order by user_id for update
    ), changed as (
      update public.filter_settings set is_paused = ${isPaused}
      where user_id in (select user_id from locked) and is_paused <> ${isPaused}
    )
    select ${person(sql)}
    from public.filter_settings where user_id in (select user_id from connected) order by email, user_id`;
}

function person(sql: Sql) {
  return sql`user_id as "userId", coalesce(private.masked_email(user_id), '') as email`;
}
