/** Which chats a person's alerts may be sent to. The database decides; these functions call it. */
import { createHash } from "node:crypto";
import type { Sql } from "postgres";
import type { ChatKind } from "#core/alert/chat.ts";
import type { ChatPerson } from "./chat-people.ts";

interface ChatName {
  readonly chatId: string;
  readonly kind: ChatKind;
  readonly title: string;
}

export interface LinkUse extends ChatName {
  readonly token: string;
}

export type LinkAnswer =
  | {
      readonly is: "connected" | "already-connected";
      readonly userId: string;
      readonly account: string;
      /** The chat has confirmed that the account is its own. */
      readonly isConfirmed: boolean;
      /** Without a saved filter there are no alerts yet. */
      readonly hasFilter: boolean;
    }
  | { readonly is: "unknown" | "expired" | "used" | "chat-full" | "person-full" };

/** Connects the chat that pressed Start with this token to the person who created it, in one transaction. */
export async function connectByLink(sql: Sql, use: LinkUse): Promise<LinkAnswer> {
  const [answer] = await sql<[LinkAnswer]>`
    select outcome as is, person as "userId", coalesce(account, '') as account, is_confirmed as "isConfirmed",
      has_filter as "hasFilter"
    from watch.connect_by_link(${hashOf(use.token)}, ${use.chatId}, ${use.kind}, ${use.title})`;
  return answer;
}

/** Invalidates a token that was shown where it must not be used. */
export async function burnToken(sql: Sql, token: string, chatId: string): Promise<void> {
  // By the database's clock, as for the token's expiry.
  await sql`
    update watch.link_tokens set used_at = now(), chat_id = ${chatId}
    where token_hash = ${hashOf(token)} and used_at is null`;
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

export interface QuestionAnswer extends ChatName {
  readonly userId: string;
  /** "yes" and "no" answer whether alerts may be sent; "me" and "not-me" say whether the connected account is the chat's own. */
  readonly says: "yes" | "no" | "me" | "not-me";
}

export type AnsweredQuestion =
  | { readonly is: "connected" | "declined"; readonly account: string }
  | { readonly is: "not-asked" | "chat-full" | "person-full" };

export async function answerQuestion(sql: Sql, answer: QuestionAnswer): Promise<AnsweredQuestion> {
  const { userId, chatId, says, kind, title } = answer;
  const [answered] = await sql<[AnsweredQuestion]>`
    select outcome as is, coalesce(account, '') as account
    from watch.answer_question(${userId}, ${chatId}, ${says}, ${kind}, ${title})`;
  return answered;
}

interface GroupPress extends ChatName {
  /** The id of a Telegram user is also that of their private chat. */
  readonly presserId: number;
}

export type ConnectedGroup =
  | { readonly is: "connected"; readonly account: string }
  | { readonly is: "nobody" | "several" | "chat-full" | "person-full" };

/** Connects the group to the account that the presser's private chat has confirmed. */
export async function connectGroup(sql: Sql, press: GroupPress): Promise<ConnectedGroup> {
  const { presserId, chatId, kind, title } = press;
  const [connected] = await sql<[ConnectedGroup]>`
    select outcome as is, coalesce(account, '') as account
    from watch.connect_group(${presserId}, ${chatId}, ${kind}, ${title})`;
  return connected;
}

/** Stops all alerts to the chat. Returns the number of people for whom that is new. */
export async function stopChat(sql: Sql, chatId: string): Promise<number> {
  const [row] = await sql<[{ stopped: number }]>`select watch.stop_chat(${chatId}) as stopped`;
  return row.stopped;
}

/** The people who wait for the chat's answer, or were stopped. */
export async function peopleToAskAbout(sql: Sql, chatId: string): Promise<readonly ChatPerson[]> {
  return sql<ChatPerson[]>`
    select user_id as "userId", coalesce(account, '') as account from watch.people_to_ask_about(${chatId})`;
}

/** Records that the chat was asked these questions, so that it can answer them. */
export async function noteQuestions(sql: Sql, chatId: string, people: readonly ChatPerson[]): Promise<void> {
  await sql`
    insert into watch.chat_questions (user_id, chat_id)
    select person_id::uuid, ${chatId} from ${idsOf(sql, people)} as people (person_id)
    on conflict (user_id, chat_id) do nothing`;
}

/** Cancels queued questions and greetings about people who were just named in the chat. */
export async function noteNamed(sql: Sql, chatId: string, people: readonly ChatPerson[]): Promise<void> {
  await sql`
    update watch.alerts set state = 'merged'
    where chat_id = ${chatId} and kind in ('question', 'connected') and state = 'pending'
      and user_id in (select person_id::uuid from ${idsOf(sql, people)} as people (person_id))`;
}

function idsOf(sql: Sql, people: readonly ChatPerson[]) {
  return sql`jsonb_array_elements_text(${sql.json(people.map(({ userId }) => userId))})`;
}
