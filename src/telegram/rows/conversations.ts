import type { Sql } from "postgres";
import type { ChatKind } from "#core/alert/chat.ts";
import { type Language, languageOr } from "#core/languages.ts";

/** A chat as described in an update from Telegram. */
export interface MetChat {
  readonly id: string;
  readonly kind: ChatKind;
  readonly title: string;
  /** The Telegram language of the sender; undefined if we do not support it. */
  readonly telegramLanguage: Language | undefined;
}

/** The language of a chat. */
export interface ChatLanguages {
  /** Chosen with /language. */
  readonly chosen: Language | null;
  /** The language used: the chosen one, else the sender's on Telegram, else the last used, else that of the people who ask to connect. */
  readonly spoken: Language | null;
  /** That of the last message to it. */
  readonly last: Language | null;
}

export async function meetChat(sql: Sql, chat: MetChat): Promise<ChatLanguages> {
  const [languages] = await sql<[ChatLanguages]>`
    insert into watch.chats as known (chat_id, kind, title, telegram_language)
    values (${chat.id}, ${chat.kind}, ${chat.title}, ${chat.telegramLanguage ?? null})
    on conflict (chat_id) do update set
      kind = excluded.kind, title = excluded.title,
      telegram_language = coalesce(excluded.telegram_language, known.telegram_language)
    returning known.language as chosen, ${spoken(sql)} as spoken, known.last_language as last`;
  // Only people whose alerts the chat accepted may see its name.
  await sql`
    update public.chats set kind = ${chat.kind}, title = ${chat.title}
    where chat_id = ${chat.id} and confirmed_at is not null and state in ('connected', 'blocked', 'unreachable')
      and (kind, title) is distinct from (${chat.kind}, ${chat.title})`;
  return known(languages);
}

/** The chat asked for its id. If the id is entered on the page within a day, no question is needed. */
export async function noteAskedForId(sql: Sql, chatId: string): Promise<void> {
  // By the database's clock, which the trigger that compares it also uses.
  await sql`update watch.chats set asked_id_at = now() where chat_id = ${chatId}`;
}

export async function setChatLanguage(sql: Sql, chatId: string, language: Language): Promise<void> {
  await sql`update watch.chats set language = ${language} where chat_id = ${chatId}`;
}

/** Undefined if the bot does not know the chat. */
export async function findChatLanguages(sql: Sql, chatId: string): Promise<ChatLanguages | undefined> {
  const [languages] = await sql<ChatLanguages[]>`
    select known.language as chosen, ${spoken(sql)} as spoken, known.last_language as last from watch.chats as known where chat_id = ${chatId}`;
  return languages && known(languages);
}

/** The language of the people who ask may be one that we do not support. */
function known({ chosen, spoken, last }: ChatLanguages): ChatLanguages {
  return { chosen, spoken: languageOr(spoken, null), last };
}

function spoken(sql: Sql) {
  return sql`coalesce(
    known.language, known.telegram_language, known.last_language, watch.language_of_askers(known.chat_id)
  )`;
}

export async function noteLanguage(sql: Sql, chatId: string, language: Language): Promise<void> {
  await sql`
    update watch.chats set last_language = ${language}
    where chat_id = ${chatId} and last_language is distinct from ${language}`;
}

/** Holds alerts to the chat until then, or until /resume. Returns the end of the mute, if it has one. */
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

/** Ends a mute of some hours; ends a pause only if requested. */
export async function unmuteChat(sql: Sql, chatId: string, ends: "mute" | "mute-and-pause"): Promise<void> {
  await sql`
    update watch.chats set muted_until = null
    where chat_id = ${chatId} and (muted_until < 'infinity' or ${ends} = 'mute-and-pause')`;
}

export type MuteState =
  | { readonly is: "none" | "until-resumed" }
  | { readonly is: "for-a-while"; readonly until: Date };

export async function muteStateOf(sql: Sql, chatId: string, nowMs: number): Promise<MuteState> {
  const [row] = await sql<{ is_endless: boolean; until: Date | null }[]>`
    select muted_until = 'infinity' as is_endless, nullif(muted_until, 'infinity') as until
    from watch.chats where chat_id = ${chatId} and muted_until > ${new Date(nowMs)}`;
  if (row === undefined) return { is: "none" };
  return row.until === null ? { is: "until-resumed" } : { is: "for-a-while", until: row.until };
}
