/**
 * Messages to edit: another search found their home, somebody hid, kept or noted it, or the home has ended. The last ones have an
 * `edit_until`: they come after all others and are dropped after that time.
 */
import type { Sql } from "postgres";

const TRIES = 5;
const RETRY_MS = 60_000;
/** Telegram allows twenty a minute in a group. */
const BETWEEN_EDITS_MS = 3_500;
/** Leaves most of them to other edits and to alerts. */
const BETWEEN_LOW_EDITS_MS = 15_000;

export interface DueEdit {
  readonly chatId: string;
  readonly messageId: string;
  /** It gives way to everything else. */
  readonly isLow: boolean;
}

/** Takes the message that has waited longest, and delays the next edit in its chat. */
export async function takeEdit(sql: Sql, nowMs: number): Promise<DueEdit | undefined> {
  const now = new Date(nowMs);
  await dropFailedEdits(sql, now);
  const [edit] = await sql<DueEdit[]>`
    update watch.alerts set edit_due_at = ${new Date(nowMs + RETRY_MS)}, edit_attempts = edit_attempts + 1
    where id = (
      select id from watch.alerts where edit_due_at <= ${now} and state in ('sent', 'merged')
        and not exists (select from watch.pause)
      order by edit_until is not null, edit_due_at limit 1 for update skip locked
    )
    returning chat_id::text as "chatId", message_id::text as "messageId", edit_until is not null as "isLow"`;
  if (edit === undefined) return undefined;
  const later = new Date(nowMs + betweenMs(edit));
  await sql`
    update watch.alerts set edit_due_at = ${later}
    where chat_id = ${edit.chatId} and edit_due_at < ${later} and (not ${edit.isLow} or edit_until is not null)`;
  return edit;
}

function betweenMs({ isLow }: DueEdit): number {
  return isLow ? BETWEEN_LOW_EDITS_MS : BETWEEN_EDITS_MS;
}

/** Drops edits without a message, too late ones, and those that failed too often. A message being sent is tried again later. */
async function dropFailedEdits(sql: Sql, now: Date): Promise<void> {
  await sql`
    update watch.alerts set edit_due_at = null, edit_until = null
    where edit_due_at <= ${now} and state <> 'sending' and (
      state not in ('sent', 'merged') or message_id is null or edit_attempts >= ${TRIES} or edit_until < ${now}
    )`;
}

/** Ends the edit, done or not. If a search was added meanwhile, its edit has another due time and stays. */
export async function finishEdit(sql: Sql, edit: DueEdit, takenMs: number): Promise<void> {
  await sql`
    update watch.alerts set edit_due_at = null, edit_until = null
    where chat_id = ${edit.chatId} and message_id = ${edit.messageId}
      and edit_due_at in (${new Date(takenMs + RETRY_MS)}, ${new Date(takenMs + betweenMs(edit))})`;
}

export async function postponeEdit(sql: Sql, { chatId, messageId }: DueEdit, untilMs: number): Promise<void> {
  await sql`
    update watch.alerts set edit_due_at = ${new Date(untilMs)}, edit_attempts = greatest(0, edit_attempts - 1)
    where chat_id = ${chatId} and message_id = ${messageId} and edit_due_at is not null`;
}
