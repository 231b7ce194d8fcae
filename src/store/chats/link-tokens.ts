import { createHash } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import type { ChatKind } from "#core/alert/chat.ts";
import { inTransaction } from "../connection/in-transaction.ts";

const MOST_CHATS_OF_A_PERSON = 10;
export const MOST_PEOPLE_OF_A_CHAT = 5;

export interface LinkUse {
  readonly token: string;
  readonly chatId: string;
  readonly kind: ChatKind;
  readonly title: string;
}

export type LinkAnswer =
  | {
      readonly is: "connected" | "already-connected";
      readonly userId: string;
      readonly email: string;
      /** The chat has said that the account is its own. */
      readonly isConfirmed: boolean;
      /** Alerts come only once a filter is saved too. */
      readonly hasFilter: boolean;
    }
  | { readonly is: "unknown" | "expired" | "used" | "chat-full" | "person-full" };

type Token = { user_id: string; is_used: boolean; is_expired: boolean; is_of_this_chat: boolean };

/**
 * Connects the chat that pressed Start with this token to the person who made it: everything or nothing. A refusal for
 * want of room leaves the token as it was, to be tried again.
 */
export function connectByLink(sql: Sql, use: LinkUse): Promise<LinkAnswer> {
  return inTransaction(sql, async (tx): Promise<LinkAnswer> => {
    const token = await findToken(tx, use);
    if (token === undefined) return { is: "unknown" };
    const userId = token.user_id;
    if (token.is_used) return replayed(tx, token, use.chatId);
    if (token.is_expired) return { is: "expired" };
    await lockPersonAndChat(tx, userId, use.chatId);
    const wasConnected = await isConnected(tx, userId, use.chatId);
    const full = await findLimit(tx, userId, use.chatId);
    if (full !== undefined) return { is: full };
    await tx`update watch.link_tokens set used_at = now(), chat_id = ${use.chatId} where token_hash = ${hashOf(use.token)}`;
    // Who brings the bot into a group of theirs has said yes by that; a private chat has only followed a link.
    await connectChat(tx, { ...use, userId, isConfirmed: use.kind !== "private" });
    const facts = await factsOf(tx, userId, use.chatId);
    return { is: wasConnected ? "already-connected" : "connected", ...facts };
  });
}

/** A token that was shown where it must not work is worth nothing any more. */
export async function burnToken(sql: Sql, token: string, chatId: string): Promise<void> {
  await sql`
    update watch.link_tokens set used_at = now(), chat_id = ${chatId}
    where token_hash = ${hashOf(token)} and used_at is null`;
}

/** In the order in which saving a filter locks, or the two could wait for each other. */
export async function lockPersonAndChat(tx: TransactionSql, userId: string, chatId: string): Promise<void> {
  await tx`select from public.filter_settings where user_id = ${userId} for update`;
  await tx`select from watch.chats where chat_id = ${chatId} for update`;
}

interface Connection {
  readonly userId: string;
  readonly chatId: string;
  readonly kind: ChatKind;
  readonly title: string;
  /** The chat has said that the account is its own: from now on the account knows its name. */
  readonly isConfirmed: boolean;
}

/** The row comes first: a change of the list asks about every chat that has none. */
export async function connectChat(
  tx: TransactionSql,
  { userId, chatId, kind, title, isConfirmed }: Connection,
): Promise<void> {
  await tx`
    insert into public.chats as known (user_id, chat_id, state, confirmed_at)
    values (${userId}, ${chatId}, 'connected', case when ${isConfirmed} then now() end)
    on conflict (user_id, chat_id) do update set
      state = 'connected', reason = null, confirmed_at = coalesce(known.confirmed_at, excluded.confirmed_at)`;
  await tx`
    update public.chats set kind = ${kind}, title = ${title}
    where user_id = ${userId} and chat_id = ${chatId} and confirmed_at is not null`;
  await tx`
    update public.filter_settings set receiver_ids = array_append(receiver_ids, ${chatId}::text)
    where user_id = ${userId} and not (${chatId}::text = any (receiver_ids))`;
  await noteAnswer(tx, { userId, chatId, answer: isConfirmed ? "yes" : null });
}

/** What the chat said of the person; null takes a former answer back. What is on its way to be asked need not go out. */
export async function noteAnswer(
  tx: TransactionSql,
  { userId, chatId, answer }: { userId: string; chatId: string; answer: "yes" | "no" | null },
): Promise<void> {
  // Where nobody was asked, an answer is kept without counting as a question.
  await tx`
    insert into watch.chat_questions (user_id, chat_id, asked_at, answer)
    select ${userId}, ${chatId}, 'epoch', ${answer}::text where ${answer}::text is not null
    on conflict (user_id, chat_id) do update set answer = excluded.answer`;
  if (answer === null) {
    await tx`
      update watch.chat_questions set answer = null
      where user_id = ${userId} and chat_id = ${chatId} and answer = 'no'`;
  }
  await tx`
    update watch.alerts set state = 'merged'
    where user_id = ${userId} and chat_id = ${chatId} and kind in ('question', 'connected') and state = 'pending'`;
}

/** The first limit that another chat for this person, or another person for this chat, would break. */
export async function findLimit(
  tx: TransactionSql,
  userId: string,
  chatId: string,
): Promise<"chat-full" | "person-full" | undefined> {
  const [row] = await tx<[{ others: number; chats: number }]>`
    select
      (select count(*)::int from public.chats
        where chat_id = ${chatId} and user_id <> ${userId} and state = 'connected') as others,
      (select count(*)::int from (
        select chat_id::text from public.chats where user_id = ${userId}
        union
        select unnest(receiver_ids) from public.filter_settings where user_id = ${userId}
      ) as held (id) where id <> ${chatId}::text) as chats`;
  if (row.others >= MOST_PEOPLE_OF_A_CHAT) return "chat-full";
  return row.chats >= MOST_CHATS_OF_A_PERSON ? "person-full" : undefined;
}

async function findToken(tx: TransactionSql, { token, chatId }: LinkUse): Promise<Token | undefined> {
  const [row] = await tx<Token[]>`
    select user_id, used_at is not null as is_used, expires_at <= now() as is_expired,
      chat_id is not distinct from ${chatId}::bigint as is_of_this_chat
    from watch.link_tokens where token_hash = ${hashOf(token)} for update`;
  return row;
}

async function replayed(tx: TransactionSql, token: Token, chatId: string): Promise<LinkAnswer> {
  const isOurs = token.is_of_this_chat && (await isConnected(tx, token.user_id, chatId));
  return isOurs ? { is: "already-connected", ...(await factsOf(tx, token.user_id, chatId)) } : { is: "used" };
}

async function isConnected(tx: TransactionSql, userId: string, chatId: string): Promise<boolean> {
  const [row] = await tx`
    select from public.chats where user_id = ${userId} and chat_id = ${chatId} and state = 'connected'`;
  return row !== undefined;
}

async function factsOf(tx: TransactionSql, userId: string, chatId: string) {
  const [row] = await tx<[{ email: string | null; has_filter: boolean; is_confirmed: boolean }]>`
    select private.masked_email(${userId}) as email,
      exists (select from public.filter_settings where user_id = ${userId}) as has_filter,
      exists (
        select from public.chats where user_id = ${userId} and chat_id = ${chatId} and confirmed_at is not null
      ) as is_confirmed`;
  return { userId, email: row.email ?? "", hasFilter: row.has_filter, isConfirmed: row.is_confirmed };
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
