/** Accounts that begin in a private chat. The database decides; these functions call it. */
import type { Sql } from "postgres";
import type { Language } from "#core/languages.ts";
import { jsonOf } from "#platform/database/json-parameter.ts";
import { actForAccounts } from "./act-for-accounts.ts";
import type { AddedSearch } from "./saved-searches.ts";

export interface Beginning {
  /** The id of the Telegram user, which is also the id of the private chat. */
  readonly telegramId: string;
  readonly name: string;
  readonly language: Language;
  readonly url: string;
}

export type Begun =
  | AddedSearch
  /** "slowed": this Telegram user has made too many accounts; "busy": all chats together have. */
  | { readonly outcome: "slowed" | "busy"; readonly freeAt: Date }
  | { readonly outcome: "chat-full" | "person-full" };

/** Makes the account if there is none, connects the chat and saves the search, all or nothing. */
export async function startInChat(sql: Sql, beginning: Beginning, nowMs: number): Promise<Begun> {
  const { telegramId, name, language, url } = beginning;
  const metadata = jsonOf(sql, { full_name: name, language });
  const [begun] = await sql<[Begun]>`
    select outcome, search_id as "searchId", free_at as "freeAt",
      (select searches.name from public.searches where id = search_id) as name
    from watch.start_in_chat(${telegramId}, ${metadata}, ${name}, ${url}, ${new Date(nowMs)})`;
  return begun;
}

/** Connects the private chat to its owner's account, if the chat has not met it. Returns whether it did. */
export async function connectOwnAccount(
  sql: Sql,
  { telegramId, title }: { telegramId: string; title: string },
): Promise<boolean> {
  const [row] = await sql<[{ isConnected: boolean }]>`
    select watch.connect_own_account(${telegramId}, ${title}) as "isConnected"`;
  return row.isConnected;
}

export async function hasTelegramAccount(sql: Sql, telegramId: string): Promise<boolean> {
  return (await sql`select from watch.telegram_identities where telegram_id = ${telegramId}`).length > 0;
}

export interface OwnAccount {
  readonly userId: string;
  /** Then the website asks for it before it deletes the account. */
  readonly hasPassword: boolean;
}

/** The account that the owner of the private chat signs in to with Telegram, if the chat is connected to it. */
export async function findOwnAccount(sql: Sql, chatId: string): Promise<OwnAccount | undefined> {
  const [own] = await sql<{ userId: string | null; hasPassword: boolean }[]>`
    select person as "userId", has_password as "hasPassword" from watch.own_account(${chatId})`;
  return own?.userId ? { userId: own.userId, hasPassword: own.hasPassword } : undefined;
}

/** The same as the website's export. Undefined if the chat owns no account. */
export async function exportOwnAccount(sql: Sql, chatId: string): Promise<unknown> {
  const [row] = await sql<[{ exported: unknown }]>`select watch.export_own_account(${chatId}) as exported`;
  return row.exported ?? undefined;
}

/** Returns false if the chat does not own this account, or if it has a password. */
export async function deleteOwnAccount(
  sql: Sql,
  { chatId, userId }: { chatId: string; userId: string },
): Promise<boolean> {
  return actForAccounts(sql, [userId], async (db) => {
    const [row] = await db<{ isDeleted: boolean }[]>`
      select watch.delete_own_account(${chatId}) as "isDeleted"
      from watch.own_account(${chatId}) as own where own.person = ${userId}`;
    return row?.isDeleted ?? false;
  });
}
