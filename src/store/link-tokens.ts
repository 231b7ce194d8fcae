import { createHash } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import type { ChatKind } from "#core/chat.ts";
import { inTransaction } from "./in-transaction.ts";

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
      readonly email: string;
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
    await tx`select from watch.chats where chat_id = ${use.chatId} for update`;
    await tx`select from public.filter_settings where user_id = ${userId} for update`;
    const wasConnected = await isConnected(tx, userId, use.chatId);
    const full = await findLimit(tx, userId, use.chatId);
    if (full !== undefined) return { is: full };
    await tx`update watch.link_tokens set used_at = now(), chat_id = ${use.chatId} where token_hash = ${hashOf(use.token)}`;
    await connectChat(tx, { ...use, userId });
    const facts = await factsOf(tx, userId);
    return { is: wasConnected ? "already-connected" : "connected", ...facts };
  });
}

/** A token that was shown where it must not work is worth nothing any more. */
export async function burnToken(sql: Sql, token: string, chatId: string): Promise<void> {
  await sql`
    update watch.link_tokens set used_at = now(), chat_id = ${chatId}
    where token_hash = ${hashOf(token)} and used_at is null`;
}

interface Connection {
  readonly userId: string;
  readonly chatId: string;
  readonly kind: ChatKind;
  readonly title: string;
}

/** The row comes first: a change of the list asks about every chat that has none. */
export async function connectChat(
  tx: TransactionSql,
  { userId, chatId, kind, title }: Connection,
): Promise<void> {
  await tx`
    insert into public.chats (user_id, chat_id, kind, title, state)
    values (${userId}, ${chatId}, ${kind}, ${title}, 'connected')
    on conflict (user_id, chat_id) do update set
      kind = excluded.kind, title = excluded.title, state = 'connected', reason = null`;
  await tx`
    update public.filter_settings set receiver_ids = array_append(receiver_ids, ${chatId}::text)
    where user_id = ${userId} and not (${chatId}::text = any (receiver_ids))`;
  await tx`
    update watch.chat_questions set answer = 'yes'
    where user_id = ${userId} and chat_id = ${chatId} and answer is distinct from 'yes'`;
  await tx`
    update watch.alerts set state = 'merged'
    where user_id = ${userId} and chat_id = ${chatId} and kind = 'question' and state = 'pending'`;
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
  return isOurs ? { is: "already-connected", ...(await factsOf(tx, token.user_id)) } : { is: "used" };
}

async function isConnected(tx: TransactionSql, userId: string, chatId: string): Promise<boolean> {
  const [row] = await tx`
    select from public.chats where user_id = ${userId} and chat_id = ${chatId} and state = 'connected'`;
  return row !== undefined;
}

async function factsOf(tx: TransactionSql, userId: string): Promise<{ email: string; hasFilter: boolean }> {
  const [row] = await tx<[{ email: string | null; has_filter: boolean }]>`
    select private.masked_email(${userId}) as email,
      exists (select from public.filter_settings where user_id = ${userId}) as has_filter`;
  return { email: row.email ?? "", hasFilter: row.has_filter };
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
