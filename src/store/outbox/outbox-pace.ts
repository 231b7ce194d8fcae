/** The limits delivery has learned and must not forget. */
import type { Sql } from "postgres";

export interface ChatPace {
  readonly chatId: string;
  /** When a burst may be sent again. */
  readonly wholeAtMs: number;
  /** The latest messages, newest first. */
  readonly recentMs: readonly number[];
  readonly pausedUntilMs: number | null;
  readonly failingSinceMs: number | null;
  readonly failures: number;
  /** How far it was slowed down when Telegram last asked for silence. */
  readonly caution: number;
  readonly floodedAtMs: number | null;
}

export interface SenderState {
  readonly pausedUntilMs: number | null;
  readonly refusedSinceMs: number | null;
  readonly lastSentMs: number | null;
  readonly caution: number;
  readonly floodedAtMs: number | null;
}

/** The chats that are not simply free. */
export async function readPaces(sql: Sql, nowMs: number): Promise<ChatPace[]> {
  const now = new Date(nowMs);
  return sql<ChatPace[]>`
    select chat_id::text as "chatId", extract(epoch from whole_at)::float8 * 1000 as "wholeAtMs", recent_ms as "recentMs",
      extract(epoch from paused_until)::float8 * 1000 as "pausedUntilMs",
      extract(epoch from failing_since)::float8 * 1000 as "failingSinceMs", failures,
      caution, extract(epoch from flooded_at)::float8 * 1000 as "floodedAtMs"
    from watch.chat_paces
    where whole_at > ${now}::timestamptz - interval '1 minute' or paused_until > ${now} or failing_since is not null
      or caution > 0`;
}

export async function savePaces(sql: Sql, paces: readonly ChatPace[]): Promise<void> {
  await sql`
    insert into watch.chat_paces as known (
      chat_id, whole_at, recent_ms, paused_until, failing_since, failures, caution, flooded_at
    )
    select "chatId"::bigint, to_timestamp("wholeAtMs" / 1000), "recentMs", to_timestamp("pausedUntilMs" / 1000),
      to_timestamp("failingSinceMs" / 1000), failures, caution, to_timestamp("floodedAtMs" / 1000)
    from jsonb_to_recordset(${sql.json(paces as never)}) as pace(
      "chatId" text, "wholeAtMs" float8, "recentMs" jsonb, "pausedUntilMs" float8, "failingSinceMs" float8, failures integer,
      caution integer, "floodedAtMs" float8
    )
    on conflict (chat_id) do update set
      whole_at = excluded.whole_at, recent_ms = excluded.recent_ms, paused_until = excluded.paused_until,
      failing_since = excluded.failing_since, failures = excluded.failures,
      caution = excluded.caution, flooded_at = excluded.flooded_at`;
}

/** A chat nobody has written to for a day has nothing left to remember. */
export async function forgetOldPaces(sql: Sql, nowMs: number): Promise<void> {
  const now = new Date(nowMs);
  await sql`
    delete from watch.chat_paces
    where whole_at < ${now}::timestamptz - interval '1 day' and failing_since is null
      and (paused_until is null or paused_until < ${now})`;
}

export async function readSender(sql: Sql): Promise<SenderState> {
  const [row] = await sql<[SenderState?]>`
    select extract(epoch from paused_until)::float8 * 1000 as "pausedUntilMs",
      extract(epoch from refused_since)::float8 * 1000 as "refusedSinceMs",
      extract(epoch from last_sent_at)::float8 * 1000 as "lastSentMs",
      caution, extract(epoch from flooded_at)::float8 * 1000 as "floodedAtMs"
    from watch.sender`;
  return (
    row ?? { pausedUntilMs: null, refusedSinceMs: null, lastSentMs: null, caution: 0, floodedAtMs: null }
  );
}

export async function saveSender(sql: Sql, state: SenderState): Promise<void> {
  const at = (ms: number | null) => (ms === null ? null : new Date(ms));
  await sql`
    insert into watch.sender (paused_until, refused_since, last_sent_at, caution, flooded_at)
    values (
      ${at(state.pausedUntilMs)}, ${at(state.refusedSinceMs)}, ${at(state.lastSentMs)}, ${state.caution},
      ${at(state.floodedAtMs)}
    )
    on conflict (is_only) do update set
      paused_until = excluded.paused_until, refused_since = excluded.refused_since, last_sent_at = excluded.last_sent_at,
      caution = excluded.caution, flooded_at = excluded.flooded_at`;
}
