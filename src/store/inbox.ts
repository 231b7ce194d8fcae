import type { Sql } from "postgres";

/** Telegram keeps an update for a day and may tell it again as long. */
const REMEMBERED = "48 hours";

export interface StoredUpdate {
  readonly updateId: string;
  readonly content: string;
  /** How often dealing with it has failed. */
  readonly attempts: number;
}

/** Keeps updates that were not told before; answers how many those are. */
export async function keepUpdates(
  sql: Sql,
  updates: readonly { readonly updateId: number; readonly content: string }[],
): Promise<number> {
  if (updates.length === 0) return 0;
  const rows = updates.map(({ updateId, content }) => ({ update_id: updateId, content }));
  const kept = await sql`
    insert into watch.updates (update_id, content)
    select update_id, content from json_to_recordset(${JSON.stringify(rows)}::text::json) as told (update_id bigint, content text)
    on conflict (update_id) do nothing`;
  return kept.count;
}

/** The oldest update that waits. */
export async function findWaitingUpdate(sql: Sql): Promise<StoredUpdate | undefined> {
  const [row] = await sql<{ update_id: string; content: string; attempts: number }[]>`
    select update_id::text, content, attempts from watch.updates
    where done_at is null order by update_id limit 1`;
  return row && { updateId: row.update_id, content: row.content, attempts: row.attempts };
}

export async function finishUpdate(sql: Sql, updateId: string): Promise<void> {
  await sql`update watch.updates set done_at = now(), content = null where update_id = ${updateId}`;
}

export async function countFailedAttempt(sql: Sql, updateId: string): Promise<void> {
  await sql`update watch.updates set attempts = attempts + 1 where update_id = ${updateId}`;
}

export async function forgetOldUpdates(sql: Sql): Promise<void> {
  await sql`delete from watch.updates where done_at < now() - ${REMEMBERED}::interval`;
}
