/** Accepted mails, from their acknowledgement until they are processed. */
import { createHash } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";

/** Per person. Further mails are rejected temporarily. */
const MAX_WAITING = 500;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** After this time its job is considered lost, and the mail is picked up again. */
const FORGOTTEN_SECONDS = 60;

export interface IncomingMail {
  readonly userId: string;
  readonly raw: Buffer;
  readonly receivedAt: Date;
}

/** The id of the mail; null if it is a duplicate, "full" if too many of the person are waiting. */
export async function keepMail(db: TransactionSql, mail: IncomingMail): Promise<string | null | "full"> {
  const { userId, raw, receivedAt } = mail;
  const digest = createHash("sha256").update(raw).digest();
  const [standing] = await db<[{ isKnown: boolean; isFull: boolean }]>`
    select exists (select from watch.mails where user_id = ${userId} and digest = ${digest}) as "isKnown",
      (
        select count(*) >= ${MAX_WAITING} or coalesce(sum(octet_length(raw)), 0) + ${raw.length} > ${MAX_WAITING_BYTES}
        from watch.mails where user_id = ${userId} and done_at is null
      ) as "isFull"`;
  if (standing.isKnown) return null;
  if (standing.isFull) return "full";
  const [row] = await db<{ id: string }[]>`
    insert into watch.mails (user_id, raw, received_at, digest, next_try_at)
    values (${userId}, ${raw}, ${receivedAt}, ${digest}, ${receivedAt}::timestamptz + ${FORGOTTEN_SECONDS} * interval '1 second')
    on conflict on constraint mail_is_kept_once do nothing
    returning id`;
  return row?.id ?? null;
}

export interface KeptMail extends IncomingMail {
  readonly id: string;
  /** How often processing was started, including this time. */
  readonly attempts: number;
}

/** Starts processing a mail; undefined if it is done. */
export async function beginMail(sql: Sql, id: string, now: Date): Promise<KeptMail | undefined> {
  const [row] = await sql<KeptMail[]>`
    update watch.mails set attempts = attempts + 1,
      next_try_at = ${now}::timestamptz + ${FORGOTTEN_SECONDS} * interval '1 second'
    where id = ${id} and done_at is null
    returning id, user_id as "userId", raw, received_at as "receivedAt", attempts`;
  return row;
}

/** If several processes handle one mail, only the first continues; false for the others. */
export async function lockMail(db: TransactionSql, id: string): Promise<boolean> {
  const rows = await db`select from watch.mails where id = ${id} and done_at is null for update`;
  return rows.length > 0;
}

/** `isUnfinished` keeps the text for debugging. */
export async function finishMail(
  db: TransactionSql,
  id: string,
  { now, isUnfinished = false }: { now: Date; isUnfinished?: boolean },
): Promise<void> {
  await db`
    update watch.mails set done_at = ${now}, raw = case when ${isUnfinished} then raw end where id = ${id}`;
}

export async function putOffMail(
  db: Sql | TransactionSql,
  id: string,
  { until, attempts }: { until: Date; attempts: number },
): Promise<void> {
  await db`
    update watch.mails set next_try_at = ${until}, attempts = ${attempts} where id = ${id} and done_at is null`;
}

export async function findDueMails(sql: Sql, now: Date, limit: number): Promise<{ id: string }[]> {
  return sql<{ id: string }[]>`
    select id from watch.mails where done_at is null and next_try_at <= ${now} order by next_try_at limit ${limit}`;
}
