import type { Sql } from "postgres";
import type { ChatKind } from "#core/alert/chat.ts";
import type { Language } from "#core/languages.ts";

/** A chat as Telegram describes it when somebody speaks there. */
export interface MetChat {
  readonly id: string;
  readonly kind: ChatKind;
  readonly title: string;
  /** What Telegram says of the person who spoke; undefined where it says nothing. */
  readonly telegramLanguage: string | undefined;
}

/** What is known of the language of a chat: its own choice, and what Telegram says of who spoke there. */
export interface ChatLanguages {
  readonly chosen: Language | null;
  readonly telegram: string | null;
}

/** Notes what the chat is called and speaks. */
export async function meetChat(sql: Sql, chat: MetChat): Promise<ChatLanguages> {
  const [languages] = await sql<[ChatLanguages]>`
    insert into watch.chats as known (chat_id, kind, title, telegram_language)
    values (${chat.id}, ${chat.kind}, ${chat.title}, ${chat.telegramLanguage ?? null})
    on conflict (chat_id) do update set
      kind = excluded.kind, title = excluded.title,
      telegram_language = coalesce(excluded.telegram_language, known.telegram_language)
    returning language as chosen, telegram_language as telegram`;
  // Those it said yes to know its name already; from all others it keeps it to itself.
  await sql`
    update public.chats set kind = ${chat.kind}, title = ${chat.title}
    where chat_id = ${chat.id} and confirmed_at is not null and state in ('connected', 'blocked', 'unreachable')
      and (kind, title) is distinct from (${chat.kind}, ${chat.title})`;
  return languages;
}

/** The chat asked for its id: typed on the page within a day, it needs no question. */
export async function noteAskedForId(sql: Sql, chatId: string): Promise<void> {
  // By the database's clock, for the trigger that asks how long ago it was has no other.
  await sql`update watch.chats set asked_id_at = now() where chat_id = ${chatId}`;
}

export async function setChatLanguage(sql: Sql, chatId: string, language: Language): Promise<void> {
  await sql`update watch.chats set language = ${language} where chat_id = ${chatId}`;
}

/** Undefined where the bot has not met the chat. */
export async function findChatLanguages(sql: Sql, chatId: string): Promise<ChatLanguages | undefined> {
  const [languages] = await sql<ChatLanguages[]>`
    select language as chosen, telegram_language as telegram from watch.chats where chat_id = ${chatId}`;
  return languages;
}

/** Alerts to the chat wait until then, or until it says /resume. Answers when that is, where it is a time. */
export async function muteChat(
  sql: Sql,
  chatId: string,
  until: Date | "infinity",
): Promise<Date | undefined> {
  const [row] = await sql<{ until: Date | null }[]>`
    update watch.chats set muted_until = greatest(muted_until, ${typeof until === "string" ? until : until.toISOString()}::text::timestamptz)
    where chat_id = ${chatId} returning nullif(muted_until, 'infinity') as until`;
  return row?.until ?? undefined;
}

/** Ends a mute of some hours; a pause only where that is asked for. */
export async function unmuteChat(sql: Sql, chatId: string, ends: "mute" | "mute-and-pause"): Promise<void> {
  await sql`
    update watch.chats set muted_until = null
    where chat_id = ${chatId} and (muted_until < 'infinity' or ${ends} = 'mute-and-pause')`;
}

export type Silence =
  | { readonly is: "none" | "until-resumed" }
  | { readonly is: "for-a-while"; readonly until: Date };

export async function silenceOf(sql: Sql, chatId: string, nowMs: number): Promise<Silence> {
  const [row] = await sql<{ is_endless: boolean; until: Date | null }[]>`
    select muted_until = 'infinity' as is_endless, nullif(muted_until, 'infinity') as until
    from watch.chats where chat_id = ${chatId} and muted_until > ${new Date(nowMs)}`;
  if (row === undefined) return { is: "none" };
  return row.until === null ? { is: "until-resumed" } : { is: "for-a-while", until: row.until };
}
