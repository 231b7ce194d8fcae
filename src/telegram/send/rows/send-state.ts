/** What the sender has learned about Telegram's rate limits, kept across restarts. */
import type { Sql } from "postgres";

/** The slowdown since Telegram last rate-limited us. */
export interface Slowdown {
  /** The step reached at that time. */
  readonly slowdown: number;
  readonly floodedAtMs: number | null;
}

export interface ChatPace extends Slowdown {
  readonly chatId: string;
  /** When the latest messages were sent, newest first. */
  readonly recentMs: readonly number[];
  readonly pausedUntilMs: number | null;
  readonly failingSinceMs: number | null;
  readonly failures: number;
}

export interface SenderState extends Slowdown {
  readonly pausedUntilMs: number | null;
  readonly refusedSinceMs: number | null;
  readonly lastSentMs: number | null;
}

export async function readPaces(sql: Sql, nowMs: number): Promise<ChatPace[]> {
  return sql<ChatPace[]>`
    select chat_id::text as "chatId", recent_ms as "recentMs", failures, slowdown,
      ${milliseconds(sql, "paused_until")} as "pausedUntilMs", ${milliseconds(sql, "failing_since")} as "failingSinceMs",
      ${milliseconds(sql, "flooded_at")} as "floodedAtMs"
    from watch.chat_paces
    where (recent_ms ->> 0)::float8 > ${nowMs}::float8 - 65000 or paused_until > ${new Date(nowMs)}
      or failing_since is not null or slowdown > 0`;
}

export async function savePaces(sql: Sql, paces: readonly ChatPace[]): Promise<void> {
  await sql`
    insert into watch.chat_paces (
      chat_id, recent_ms, paused_until, failing_since, failures, slowdown, flooded_at
    )
    select "chatId"::bigint, "recentMs", to_timestamp("pausedUntilMs" / 1000), to_timestamp("failingSinceMs" / 1000),
      failures, slowdown, to_timestamp("floodedAtMs" / 1000)
    from jsonb_to_recordset(${sql.json(paces as never)}) as pace(
      "chatId" text, "recentMs" jsonb, "pausedUntilMs" float8, "failingSinceMs" float8, failures integer,
      slowdown integer, "floodedAtMs" float8
    )
    on conflict (chat_id) do update set
      recent_ms = excluded.recent_ms, paused_until = excluded.paused_until, failing_since = excluded.failing_since,
      failures = excluded.failures, slowdown = excluded.slowdown, flooded_at = excluded.flooded_at`;
}

/** After a day without messages nothing needs to be remembered. */
export async function forgetOldPaces(sql: Sql, nowMs: number): Promise<void> {
  await sql`
    delete from watch.chat_paces
    where coalesce((recent_ms ->> 0)::float8, 0) < ${nowMs}::float8 - 86400000
      and (failing_since is null or failing_since < ${new Date(nowMs)}::timestamptz - interval '1 day')
      and (paused_until is null or paused_until < ${new Date(nowMs)})`;
}

export async function readSender(sql: Sql): Promise<SenderState | undefined> {
  const [row] = await sql<SenderState[]>`
    select ${milliseconds(sql, "paused_until")} as "pausedUntilMs", ${milliseconds(sql, "refused_since")} as "refusedSinceMs",
      ${milliseconds(sql, "last_sent_at")} as "lastSentMs", slowdown, ${milliseconds(sql, "flooded_at")} as "floodedAtMs"
    from watch.sender`;
  return row;
}

export async function saveSender(sql: Sql, state: SenderState): Promise<void> {
  const at = (ms: number | null) => (ms === null ? null : new Date(ms));
  await sql`
    insert into watch.sender (paused_until, refused_since, last_sent_at, slowdown, flooded_at)
    values (
      ${at(state.pausedUntilMs)}, ${at(state.refusedSinceMs)}, ${at(state.lastSentMs)}, ${state.slowdown},
      ${at(state.floodedAtMs)}
    )
    on conflict (is_only) do update set
      paused_until = excluded.paused_until, refused_since = excluded.refused_since, last_sent_at = excluded.last_sent_at,
      slowdown = excluded.slowdown, flooded_at = excluded.flooded_at`;
}

/** Since when Telegram has not answered; null while it does. */
export async function readAwaySince(sql: Sql): Promise<number | null> {
  const [row] = await sql<{ ms: number | null }[]>`
    select ${milliseconds(sql, "away_since")} as ms from watch.sender`;
  return row?.ms ?? null;
}

export async function saveAwaySince(sql: Sql, sinceMs: number | null): Promise<void> {
  const since = sinceMs === null ? null : new Date(sinceMs);
  await sql`
    insert into watch.sender (away_since) values (${since})
    on conflict (is_only) do update set away_since = excluded.away_since`;
}

function milliseconds(sql: Sql, column: string) {
  return sql`extract(epoch from ${sql(column)})::float8 * 1000`;
}
