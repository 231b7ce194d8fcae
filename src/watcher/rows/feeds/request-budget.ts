import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import {
  type BudgetAnswer,
  LONGEST_WAIT_MS,
  nextMonthOf,
  PROBE_MS,
  pauseAfter,
  REQUEST_SPACING_MS,
  type RequestBudget,
  type RequestTurn,
} from "#core/ports/request-budget.ts";
import type { SourceErrorReason } from "#core/ports/source.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";
import type { Db } from "#platform/database/json-parameter.ts";

export const BUDGET_NAMES = { official: "idealista-api", "by-url": "search-by-url" } as const;

export interface RequestBudgetOptions {
  readonly sql: Sql;
  /** One name per data API and key. */
  readonly name: string;
  readonly monthlyRequests: number;
  readonly now: () => number;
  /** Between 0 and 1. */
  readonly random?: () => number;
}

interface BudgetRow {
  readonly isSpent: boolean;
  readonly nextAt: Date;
  readonly refusals: number;
  readonly reason: SourceErrorReason | null;
  readonly pausedUntil: Date | null;
  readonly probeUntil: Date | null;
}

/**
 * A request budget that all processes on one database share, through one row.
 *
 *   open ──refusal──► paused ──paused_until──► one probe ──answer──► open
 *                       ▲                          │
 *                       └───── refusal, longer ────┘
 */
export function createRequestBudget(options: RequestBudgetOptions): RequestBudget {
  const { sql, name, monthlyRequests, now } = options;

  const take = async (): Promise<BudgetAnswer> => {
    const at = now();
    const moment = new Date(at);
    const month = monthOf(moment);
    await sql`
      insert into watch.request_budgets (name, month) values (${name}, ${month}) on conflict (name) do nothing`;
    const [turn] = await sql<[{ turnAt: Date; probeId: string | null }?]>`
      update watch.request_budgets set
        used = case when month >= ${month} then used + 1 else 1 end,
        refused = case when month >= ${month} then refused else 0 end,
        month = greatest(month, ${month}),
        next_at = greatest(next_at, ${moment}) + ${REQUEST_SPACING_MS} * interval '1 ms',
        probe_id = case when refusals_in_a_row > 0 then ${randomUUID()}::uuid end,
        probe_until = case when refusals_in_a_row > 0 then ${new Date(at + PROBE_MS)}::timestamptz end
      where name = ${name}
        and (month < ${month} or used < ${monthlyRequests})
        and next_at <= ${moment}::timestamptz + ${LONGEST_WAIT_MS} * interval '1 ms'
        and (
          refusals_in_a_row = 0
          or (paused_until <= ${moment} and (probe_until is null or probe_until <= ${moment}))
        )
      returning next_at - ${REQUEST_SPACING_MS} * interval '1 ms' as "turnAt", probe_id as "probeId"`;
    if (!turn) return await findRefusal(at, month);
    const { turnAt, probeId } = turn;
    return {
      isGranted: true,
      waitMs: turnAt.getTime() - at,
      settle: async (result) => {
        if (result === "answered" && probeId === null) return 0;
        return await inTransaction(sql, (db) => settleTurn(db, options, { result, probeId, month }));
      },
    };
  };

  const findRefusal = async (at: number, month: string): Promise<BudgetAnswer> => {
    const [row] = await sql<[BudgetRow]>`
      select month >= ${month} and used >= ${monthlyRequests} as "isSpent", next_at as "nextAt",
        refusals_in_a_row as refusals, refused_because as reason, paused_until as "pausedUntil", probe_until as "probeUntil"
      from watch.request_budgets where name = ${name}`;
    if (row.isSpent) return { isGranted: false, because: "month-spent", retryAfterMs: nextMonthOf(at) - at };
    if (row.refusals > 0) {
      const until = Math.max(row.pausedUntil?.getTime() ?? at, row.probeUntil?.getTime() ?? at);
      const { reason } = row;
      const retryAfterMs = Math.max(0, until - at);
      return { isGranted: false, because: "backing-off", reason: reason ?? "rate-limited", retryAfterMs };
    }
    return { isGranted: false, because: "held-back", retryAfterMs: Math.max(0, row.nextAt.getTime() - at) };
  };

  return { take };
}

interface Settled {
  readonly result: Parameters<RequestTurn["settle"]>[0];
  /** Null for a request that was sent before the first refusal: it neither ends nor lengthens a pause. */
  readonly probeId: string | null;
  readonly month: string;
}

async function settleTurn(
  db: Db,
  { name, now, random = Math.random }: RequestBudgetOptions,
  { result, probeId, month }: Settled,
): Promise<number> {
  const [held] = await db<[{ refusals: number; isMine: boolean; pausedUntil: Date | null }?]>`
    select refusals_in_a_row as refusals, paused_until as "pausedUntil",
      case when ${probeId}::uuid is null then refusals_in_a_row = 0 else probe_id is not distinct from ${probeId} end as "isMine"
    from watch.request_budgets where name = ${name} for update`;
  if (!held) return 0;
  if (result === "answered") {
    await db`
      update watch.request_budgets set
        refusals_in_a_row = 0, refused_because = null, paused_until = null, probe_id = null, probe_until = null
      where name = ${name} and ${held.isMine}`;
    return 0;
  }
  // A request of the month before is not given back to this one.
  const isRefused = result !== "void";
  await db`
    update watch.request_budgets set
      used = case when month = ${month} then greatest(0, used - 1) else used end,
      refused = refused + ${isRefused ? 1 : 0},
      probe_id = case when probe_id = ${probeId} then null else probe_id end,
      probe_until = case when probe_id = ${probeId} then null else probe_until end
    where name = ${name}`;
  if (!isRefused) return 0;
  const at = now();
  const pauseMs = held.isMine
    ? pauseAfter(result, held.refusals, random())
    : Math.max(result.retryAfterMs ?? 0, (held.pausedUntil?.getTime() ?? at) - at);
  await db`
    update watch.request_budgets set
      refusals_in_a_row = greatest(1, refusals_in_a_row + ${held.isMine ? 1 : 0}), refused_because = ${result.reason},
      paused_until = greatest(paused_until, ${new Date(at + pauseMs)}::timestamptz)
    where name = ${name}`;
  return pauseMs;
}

/** The first day of the month in which a request is counted. */
function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7).concat("-01");
}

type BudgetName = keyof typeof BUDGET_NAMES;

export async function readUsedRequests(db: Db, source: BudgetName, now: Date): Promise<number> {
  const [row] = await db<[{ used: number }?]>`
    select used::float8 as used from watch.request_budgets
    where name = ${BUDGET_NAMES[source]} and month >= ${monthOf(now)}`;
  return row?.used ?? 0;
}

/** Stores the limit next to the count, for display. */
export async function saveMonthlyLimit(
  db: Db,
  source: BudgetName,
  monthlyRequests: number,
  now: Date,
): Promise<void> {
  await db`
    insert into watch.request_budgets (name, month, monthly_requests)
    values (${BUDGET_NAMES[source]}, ${monthOf(now)}, ${monthlyRequests})
    on conflict (name) do update set monthly_requests = excluded.monthly_requests
    where request_budgets.monthly_requests is distinct from excluded.monthly_requests`;
}

/** True for the first call of a month, across all processes. */
export async function isFirstWarning(db: Db, source: BudgetName, now: Date): Promise<boolean> {
  const rows = await db`
    update watch.request_budgets set warned_month = ${monthOf(now)}
    where name = ${BUDGET_NAMES[source]} and warned_month is distinct from ${monthOf(now)} returning name`;
  return rows.length > 0;
}

/** True for the first call of a day, across all processes. */
export async function isFirstCostWarning(db: Db, source: BudgetName, now: Date): Promise<boolean> {
  const day = now.toISOString().slice(0, 10);
  const rows = await db`
    update watch.request_budgets set costs_reported_on = ${day}
    where name = ${BUDGET_NAMES[source]} and costs_reported_on is distinct from ${day} returning name`;
  return rows.length > 0;
}
