import type { Sql } from "postgres";
import {
  type BudgetAnswer,
  LONGEST_WAIT_MS,
  nextMonthOf,
  REQUEST_SPACING_MS,
  type RequestBudget,
} from "#core/ports/request-budget.ts";
import type { Db } from "#platform/database/json-parameter.ts";

export const BUDGET_NAMES = { official: "idealista-api", "by-url": "search-by-url" } as const;

export type RequestBudgetOptions = {
  sql: Sql;
  /** One name per data API and key. */
  name: string;
  monthlyRequests: number;
  now: () => number;
};

/** A request budget that all processes on one database share, through one row. */
export function createRequestBudget({
  sql,
  name,
  monthlyRequests,
  now,
}: RequestBudgetOptions): RequestBudget {
  const take = async (): Promise<BudgetAnswer> => {
    const at = now();
    const moment = new Date(at);
    const month = monthOf(moment);
    await sql`
      insert into watch.request_budgets (name, month) values (${name}, ${month}) on conflict (name) do nothing`;
    const [turn] = await sql<[{ turn_at: Date }?]>`
      update watch.request_budgets set
        used = case when month >= ${month} then used + 1 else 1 end,
        month = greatest(month, ${month}),
        next_at = greatest(next_at, ${moment}) + ${REQUEST_SPACING_MS} * interval '1 ms'
      where name = ${name}
        and (month < ${month} or used < ${monthlyRequests})
        and next_at <= ${moment}::timestamptz + ${LONGEST_WAIT_MS} * interval '1 ms'
      returning next_at - ${REQUEST_SPACING_MS} * interval '1 ms' as turn_at`;
    return turn ? { isGranted: true, waitMs: turn.turn_at.getTime() - at } : refusal(at, month);
  };

  const refusal = async (at: number, month: string): Promise<BudgetAnswer> => {
    const [row] = await sql<[{ is_spent: boolean; next_at: Date }]>`
      select month >= ${month} and used >= ${monthlyRequests} as is_spent, next_at
      from watch.request_budgets where name = ${name}`;
    if (row.is_spent) return { isGranted: false, because: "month-spent", retryAfterMs: nextMonthOf(at) - at };
    return { isGranted: false, because: "held-back", retryAfterMs: Math.max(0, row.next_at.getTime() - at) };
  };

  const holdUntil = async (moment: number): Promise<void> => {
    const month = monthOf(new Date(now()));
    await sql`
      insert into watch.request_budgets (name, month, next_at) values (${name}, ${month}, ${new Date(moment)})
      on conflict (name) do update set next_at = greatest(request_budgets.next_at, excluded.next_at)`;
  };

  return { take, holdUntil };
}

/** The first day of the month in which a request is counted. */
function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7).concat("-01");
}

type Source = keyof typeof BUDGET_NAMES;

export async function readUsedRequests(db: Db, source: Source, now: Date): Promise<number> {
  const [row] = await db<[{ used: number }?]>`
    select used::float8 as used from watch.request_budgets
    where name = ${BUDGET_NAMES[source]} and month >= ${monthOf(now)}`;
  return row?.used ?? 0;
}

/** Stores the limit next to the count, for display. */
export async function saveMonthlyLimit(
  db: Db,
  source: Source,
  monthlyRequests: number,
  now: Date,
): Promise<void> {
  await db`
    insert into watch.request_budgets as held (name, month, monthly_requests)
    values (${BUDGET_NAMES[source]}, ${monthOf(now)}, ${monthlyRequests})
    on conflict (name) do update set monthly_requests = excluded.monthly_requests
    where held.monthly_requests is distinct from excluded.monthly_requests`;
}

/** True for the first call of a month, across all processes. */
export async function isFirstWarning(db: Db, source: Source, now: Date): Promise<boolean> {
  const rows = await db`
    update watch.request_budgets set warned_month = ${monthOf(now)}
    where name = ${BUDGET_NAMES[source]} and warned_month is distinct from ${monthOf(now)} returning name`;
  return rows.length > 0;
}

/** True for the first call of a day, across all processes. */
export async function isFirstCostWarning(db: Db, source: Source, now: Date): Promise<boolean> {
  const day = now.toISOString().slice(0, 10);
  const rows = await db`
    update watch.request_budgets set costs_reported_on = ${day}
    where name = ${BUDGET_NAMES[source]} and costs_reported_on is distinct from ${day} returning name`;
  return rows.length > 0;
}
