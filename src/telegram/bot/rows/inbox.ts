/** The bot's inbox: updates are stored before they are acknowledged, and handled once, in order per chat. */
import type { Sql } from "postgres";

/** Telegram keeps an update for a day and may send it again during that time. */
const REMEMBERED_MS = 48 * 3_600_000;
/** Updates of one person that may wait in a chat: more than the twenty per minute that are answered, plus the rate limit notice. */
const WAITING_OF_A_PERSON = 40;
const WAITING_IN_A_CHAT = 200;
/** Smaller than every chat id. */
export const FIRST_TURN = "-9223372036854775808";

export interface UpdateSource {
  /** "0" if it does not come from a chat. */
  readonly chatId: string;
  /** "0" if it has no sender. */
  readonly senderId: string;
}

export interface IncomingUpdate extends UpdateSource {
  readonly updateId: number;
  readonly content: string;
  /** Accepted regardless of how many are waiting. */
  readonly isUrgent: boolean;
}

export interface WaitingUpdate {
  readonly updateId: string;
  readonly content: string;
  readonly attempts: number;
  /** Null if it is not known yet. */
  readonly chatId: string | null;
}

export interface Kept {
  readonly kept: number;
  /** How many are not handled, because too many of the same person or chat are waiting. */
  readonly skipped: number;
}

export async function keepUpdates(
  sql: Sql,
  updates: readonly IncomingUpdate[],
  nowMs: number,
): Promise<Kept> {
  if (updates.length === 0) return { kept: 0, skipped: 0 };
  const rows = await sql<{ isKept: boolean }[]>`
    with incoming as (
      select distinct on ("updateId") *
      from json_to_recordset(${JSON.stringify(updates)}::text::json) as incoming(
        "updateId" bigint, content text, "chatId" bigint, "senderId" bigint, "isUrgent" boolean
      )
    ),
    waiting as (
      select chat_id, sender_id, count(*) as count from watch.updates
      where done_at is null and chat_id in (select "chatId" from incoming) group by 1, 2
    ),
    queued as (
      select incoming.*,
        row_number() over (partition by "chatId", "senderId" order by "updateId")
          + coalesce((
            select count from waiting where chat_id = "chatId" and sender_id = "senderId"
          ), 0) as of_person,
        row_number() over (partition by "chatId" order by "updateId")
          + coalesce((select sum(count) from waiting where chat_id = "chatId"), 0) as in_chat
      from incoming
    ),
    judged as (
      select queued.*, "isUrgent" or (of_person <= ${WAITING_OF_A_PERSON} and in_chat <= ${WAITING_IN_A_CHAT}) as is_kept
      from queued
    )
    insert into watch.updates (update_id, content, chat_id, sender_id, done_at)
    select "updateId", case when is_kept then content end, case when is_kept then "chatId" end,
      case when is_kept then "senderId" end, case when is_kept then null else ${new Date(nowMs)}::timestamptz end
    from judged
    on conflict (update_id) do nothing
    returning done_at is null as "isKept"`;
  const kept = rows.filter(({ isKept }) => isKept).length;
  return { kept, skipped: rows.length - kept };
}

export interface Turn {
  /** The chat that was served last. */
  readonly after: string;
  /** Chats that are being served. */
  readonly except: readonly string[];
  readonly limit: number;
}

/** The oldest update of each of the next chats; updates of unknown origin come first. */
export async function findWaitingUpdates(sql: Sql, turn: Turn): Promise<WaitingUpdate[]> {
  const next = await headsAfter(sql, turn);
  if (next.length >= turn.limit || turn.after === FIRST_TURN) return next;
  const met = next.flatMap(({ chatId }) => chatId ?? []);
  const again = await headsAfter(sql, {
    after: FIRST_TURN,
    except: [...turn.except, ...met],
    limit: turn.limit - next.length,
  });
  return [...next, ...again.filter(({ chatId }) => chatId !== null)];
}

async function headsAfter(sql: Sql, { after, except, limit }: Turn): Promise<WaitingUpdate[]> {
  const isFree = sql`
    chat_id not in (select value::bigint from jsonb_array_elements_text(${sql.json(except as never)}) as value)`;
  return sql<WaitingUpdate[]>`
    with recursive heads as (
      (
        select chat_id, update_id from watch.updates
        where done_at is null and chat_id > ${after} and ${isFree}
        order by chat_id, update_id limit 1
      )
      union all
      select next.chat_id, next.update_id
      from heads cross join lateral (
        select updates.chat_id, updates.update_id from watch.updates
        where done_at is null and updates.chat_id > heads.chat_id and ${isFree}
        order by updates.chat_id, updates.update_id limit 1
      ) as next
    ),
    found as (
      (
        select update_id from watch.updates where done_at is null and chat_id is null order by update_id limit 100
      )
      union all
      (select update_id from heads limit ${limit})
    )
    select update_id::text as "updateId", content, attempts, chat_id::text as "chatId"
    from found join watch.updates using (update_id)
    order by chat_id nulls first, update_id`;
}

/** Sets the origin of an update that was stored without one. */
export async function setUpdateSource(
  sql: Sql,
  updateId: string,
  { chatId, senderId }: UpdateSource,
): Promise<void> {
  await sql`
    update watch.updates set chat_id = ${chatId}, sender_id = ${senderId}
    where update_id = ${updateId} and done_at is null`;
}

/** Only the ids are kept, to detect duplicates; content and sender are deleted. */
export async function finishUpdates(sql: Sql, updateIds: readonly string[], nowMs: number): Promise<void> {
  if (updateIds.length === 0) return;
  await sql`
    update watch.updates set done_at = ${new Date(nowMs)}, content = null, chat_id = null, sender_id = null
    where done_at is null
      and update_id in (select value::bigint from jsonb_array_elements_text(${sql.json(updateIds as never)}) as value)`;
}

export async function countFailedAttempt(sql: Sql, updateId: string): Promise<void> {
  await sql`update watch.updates set attempts = attempts + 1 where update_id = ${updateId}`;
}

export async function forgetOldUpdates(sql: Sql, nowMs: number): Promise<void> {
  await sql`delete from watch.updates where done_at < ${new Date(nowMs - REMEMBERED_MS)}`;
}
