/** The states of an alert from pending to its end. Only the holder of the lease may end it. */
import type { PendingQuery, Row, Sql } from "postgres";
import type { Language } from "#core/languages.ts";
import { NO_ACTIVE_SEARCH } from "#store/outbox/merge-search-ids.ts";
import { accountOf, type QuietRecipient, type Recipient, recipientRows, waits } from "./recipients.ts";

export interface Leased {
  readonly ids: readonly string[];
  readonly leaseBy: string;
}

/** Leases the alerts for sending. Returns those that were still available and are not held. */
export async function leaseAlerts(
  sql: Sql,
  { ids, leaseBy, nowMs, untilMs }: Leased & { nowMs: number; untilMs: number },
): Promise<Set<string>> {
  const now = new Date(nowMs);
  // An expired lease means that the sender died: its message may have arrived.
  const rows = await sql<{ id: string }[]>`
    update watch.alerts set
      is_ambiguous = is_ambiguous or state = 'sending', unanswered = unanswered + (state = 'sending')::int, state = 'sending', lease_by = ${leaseBy},
      lease_until = ${new Date(untilMs)}, attempts = attempts + 1
    where id in (${idList(sql, ids)})
      and ((state = 'pending' and not_before <= ${now}) or (state = 'sending' and lease_until <= ${now}))
    returning id`;
  return new Set(rows.map(({ id }) => id));
}

export interface SentMessage {
  readonly messageId: string | null;
  readonly language: Language;
  readonly nowMs: number;
}

/** The first alert was sent as a message; the others are part of it. */
export async function markSent(
  sql: Sql,
  { ids, leaseBy, messageId, language, nowMs }: Leased & SentMessage,
): Promise<void> {
  await sql`
    update watch.alerts set
      state = case when id = ${ids[0] ?? null} then 'sent' else 'merged' end, message_id = ${messageId},
      language = ${language}, sent_at = ${new Date(nowMs)}, lease_by = null, lease_until = null, last_error = null
    where id in (${idList(sql, ids)}) and lease_by = ${leaseBy} and state = 'sending'`;
}

export interface Release extends Leased {
  readonly error: string | null;
  readonly isTry: boolean;
  readonly isAmbiguous?: boolean;
  readonly notBeforeMs?: number;
  readonly failingSinceMs?: number;
  /** To be sent one by one from now on. */
  readonly isSingle?: boolean;
}

export async function releaseAlerts(sql: Sql, release: Release): Promise<void> {
  const { ids, leaseBy, error, isTry, isAmbiguous = false, notBeforeMs, failingSinceMs } = release;
  const { isSingle = false } = release;
  const at = (ms: number | undefined) => (ms === undefined ? null : new Date(ms));
  await sql`
    update watch.alerts set
      state = 'pending', lease_by = null, lease_until = null, last_error = coalesce(${error}, last_error),
      held_at = case when ${isSingle} then null else held_at end, attempts = attempts - ${isTry ? 0 : 1}, is_ambiguous = is_ambiguous or ${isAmbiguous}, unanswered = unanswered + ${isAmbiguous}::boolean::int,
      not_before = coalesce(${at(notBeforeMs)}, not_before), failing_since = coalesce(failing_since, ${at(failingSinceMs)})
    where id in (${idList(sql, ids)}) and lease_by = ${leaseBy} and state = 'sending'`;
}

export interface AlertEnd {
  readonly state: "merged" | "undeliverable" | "expired";
  readonly error: string | null;
  readonly nowMs: number;
  /** Set if the person should have got it: the page and the operator are shown it. */
  readonly failure?: "refused" | "unanswered" | "expired";
}

/** Ends alerts without sending them, if we hold their lease or nobody does. */
export async function endAlerts(sql: Sql, { ids, leaseBy }: Leased, end: AlertEnd): Promise<void> {
  await sql`
    update watch.alerts set
      state = ${end.state}, lease_by = null, lease_until = null, last_error = coalesce(${end.error}, last_error),
      failure = ${end.failure ?? null}, failed_at = ${end.failure === undefined ? null : new Date(end.nowMs)}
    where id in (${idList(sql, ids)}) and state in ('pending', 'sending')
      and (lease_by is null or lease_by = ${leaseBy} or lease_until <= ${new Date(end.nowMs)})`;
}

/** The chat does not accept messages: ends all its open alerts. */
export async function endAlertsOfChat(sql: Sql, chatId: string, error: string): Promise<void> {
  await sql`
    update watch.alerts set state = 'undeliverable', lease_by = null, lease_until = null, last_error = ${error}
    where chat_id = ${chatId} and state in ('pending', 'sending')`;
}

/** Ends a person's alerts for a chat that is not theirs any more. */
export async function endAlertsOfRecipient(
  sql: Sql,
  { chatId, userId }: Recipient,
  { error, kinds, nowMs }: { error: string; kinds: readonly string[]; nowMs: number },
): Promise<void> {
  await sql`
    update watch.alerts set state = 'undeliverable', lease_by = null, lease_until = null, last_error = ${error}
    where chat_id = ${chatId} and ${accountOf(sql)} = ${userId} and kind in (${textList(sql, kinds)})
      and (state = 'pending' or (state = 'sending' and lease_until <= ${new Date(nowMs)}))`;
}

/** Ends a person's alerts of these kinds for a chat if all their searches are deleted, paused or do not name the chat. */
export async function endAlertsWithoutSearch(
  sql: Sql,
  { chatId, userId }: Recipient,
  { kinds, nowMs }: { kinds: readonly string[]; nowMs: number },
): Promise<void> {
  await sql`
    update watch.alerts set state = 'undeliverable', lease_by = null, lease_until = null, last_error = ${NO_ACTIVE_SEARCH}
    where chat_id = ${chatId} and ${accountOf(sql)} = ${userId} and kind in (${textList(sql, kinds)})
      and (state = 'pending' or (state = 'sending' and lease_until <= ${new Date(nowMs)}))
      and not exists (
        select from public.searches
        where searches.user_id = ${userId} and not searches.is_paused and ${chatId} = any (searches.receiver_ids)
          and (alerts.search_ids is null or searches.id = any (alerts.search_ids))
      )
      and not exists (
        select from public.marks
        where marks.user_id = alerts.user_id and marks.home_id = alerts.home_id and marks.mark = 'kept'
          and marks.chat_id = alerts.chat_id
      )`;
}

interface Failing {
  readonly failingSinceMs: number;
  readonly beforeMs: number;
  readonly nowMs: number;
}

/** Drops alerts after a day of failures. Those that wait for the end of a mute were not tried, and wait on. */
export async function expireAlertsOfChat(
  sql: Sql,
  chatId: string,
  { failingSinceMs, beforeMs, nowMs }: Failing,
): Promise<void> {
  await sql`
    update watch.alerts set
      state = 'expired', lease_by = null, lease_until = null, failure = 'expired', failed_at = ${new Date(nowMs)}
    where chat_id = ${chatId} and state = 'pending'
      and greatest(created_at, ${new Date(failingSinceMs)}) <= ${new Date(beforeMs)}
      and not (held_at is not null and (${isMutedUntil(sql, sql`${new Date(nowMs)}`)}))`;
}

/** Those that have waited through a day without the right to post are sent as one summary when the chat has it again. */
export async function holdAlertsOfChat(
  sql: Sql,
  chatId: string,
  { kinds, failingSinceMs, beforeMs, nowMs }: { kinds: readonly string[] } & Failing,
): Promise<void> {
  await sql`
    update watch.alerts set held_at = ${new Date(nowMs)}
    where chat_id = ${chatId} and state = 'pending' and held_at is null and kind in (${textList(sql, kinds)})
      and greatest(created_at, ${new Date(failingSinceMs)}) <= ${new Date(beforeMs)}`;
}

/** Drops alerts that waited a day for a chat or searches that are muted without an end. Alerts of held setups wait on. */
export async function expirePausedAlerts(sql: Sql, beforeMs: number): Promise<void> {
  await sql`
    update watch.alerts set state = 'expired', last_error = 'the chat is paused'
    where alerts.state = 'pending' and alerts.held_at is not null and alerts.created_at <= ${new Date(beforeMs)}
      and (${isMutedUntil(sql, sql`'infinity'`)})`;
}

/** The chat, or each of the alert's searches in it, is muted until then at least. */
function isMutedUntil(sql: Sql, moment: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`
    exists (select from watch.chats where chats.chat_id = alerts.chat_id and chats.muted_until >= ${moment}::timestamptz)
    or (cardinality(alerts.search_ids) > 0 and not exists (
      select from unnest(alerts.search_ids) as search (id)
      where not exists (
        select from watch.search_chats
        where search_chats.search_id = search.id and search_chats.chat_id = alerts.chat_id
          and search_chats.muted_until >= ${moment}::timestamptz
      )
    ))`;
}

/** Marks alerts as held, so that they are sent as one summary. */
export async function holdAlerts(
  sql: Sql,
  recipients: readonly QuietRecipient[],
  nowMs: number,
): Promise<void> {
  await sql`
    update watch.alerts set held_at = ${new Date(nowMs)}
    from ${recipientRows(sql, recipients)}
    where alerts.chat_id = recipient."chatId"::bigint and ${accountOf(sql)} = recipient."userId"
      and alerts.state in ('pending', 'sending') and alerts.held_at is null and ${waits(sql)}`;
}

/** Adds all open alerts of these kinds to the summary that is about to be sent. */
export async function holdWithOthers(
  sql: Sql,
  { chatId, userId }: Recipient,
  { kinds, nowMs }: { kinds: readonly string[]; nowMs: number },
): Promise<void> {
  await sql`
    update watch.alerts set held_at = ${new Date(nowMs)}
    where chat_id = ${chatId} and ${accountOf(sql)} = ${userId} and state in ('pending', 'sending') and held_at is null
      and kind in (${textList(sql, kinds)})`;
}

function idList(sql: Sql, ids: readonly string[]) {
  return sql`select value::uuid from jsonb_array_elements_text(${sql.json(ids as never)}) as value`;
}

function textList(sql: Sql, texts: readonly string[]) {
  return sql`select value from jsonb_array_elements_text(${sql.json(texts as never)}) as value`;
}
