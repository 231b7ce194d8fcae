/** Messages to edit: another search found their home, or somebody hid, kept or noted it. */
import type { Sql } from "postgres";

const TRIES = 5;
const RETRY_MS = 60_000;
/** Telegram allows twenty a minute in a group. */
const BETWEEN_EDITS_MS = 3_500;

export interface DueEdit {
  readonly chatId: string;
  readonly messageId: string;
}

/** Takes the message that has waited longest, and delays the next edit in its chat. */
export async function takeEdit(sql: Sql, nowMs: number): Promise<DueEdit | undefined> {
  const now = new Date(nowMs);
  await dropFailedEdits(sql, now);
  const [edit] = await sql<DueEdit[]>`
    update watch.alerts set edit_due_at = ${new Date(nowMs + RETRY_MS)}, edit_attempts = edit_attempts + 1
    where id = (
      select id from watch.alerts where edit_due_at <= ${now} and state in ('sent', 'merged')
        and not exists (select from watch.pause) and not watch.is_setup_held(user_id)
      order by edit_due_at limit 1 for update skip locked
    )
    returning chat_id::text as "chatId", message_id::text as "messageId"`;
  if (edit === undefined) return undefined;
  const laterMs = nowMs + BETWEEN_EDITS_MS;
  await sql`
    update watch.alerts set edit_due_at = ${new Date(laterMs)}
    where chat_id = ${edit.chatId} and edit_due_at < ${new Date(laterMs)}`;
  return edit;
}

/** Drops edits without a message, and those that failed too often. A message being sent is tried again later. */
async function dropFailedEdits(sql: Sql, now: Date): Promise<void> {
  await sql`
    update watch.alerts set edit_due_at = null
    where edit_due_at <= ${now} and state <> 'sending' and (
      state not in ('sent', 'merged') or message_id is null or edit_attempts >= ${TRIES}
    )`;
}

/** Ends the edit, done or not. If a search was added meanwhile, its edit has another due time and stays. */
export async function finishEdit(sql: Sql, { chatId, messageId }: DueEdit, takenMs: number): Promise<void> {
  await sql`
    update watch.alerts set edit_due_at = null
    where chat_id = ${chatId} and message_id = ${messageId}
      and edit_due_at in (${new Date(takenMs + RETRY_MS)}, ${new Date(takenMs + BETWEEN_EDITS_MS)})`;
}

export async function postponeEdit(sql: Sql, { chatId, messageId }: DueEdit, untilMs: number): Promise<void> {
  await sql`
    update watch.alerts set edit_due_at = ${new Date(untilMs)}, edit_attempts = greatest(0, edit_attempts - 1)
    where chat_id = ${chatId} and message_id = ${messageId} and edit_due_at is not null`;
}
