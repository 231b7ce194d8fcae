import type { Sql } from "postgres";
import {
  type BudgetAnswer,
  LONGEST_WAIT_MS,
  nextMonthOf,
  REQUEST_SPACING_MS,
  type RequestBudget,
} from "#core/ports/request-budget.ts";

export type RequestBudgetOptions = {
  sql: Sql;
  /** Which allowance: one name for each data API and key. */
  name: string;
  monthlyRequests: number;
  now: () => number;
};

/** A budget that all processes on one database share: the row is the turnstile. */
export function createRequestBudget({
  sql,
  name,
  monthlyRequests,
  now,
}: RequestBudgetOptions): RequestBudget {
  const take = async (): Promise<BudgetAnswer> => {
    const at = now();
    const moment = new Date(at);
    const month = moment.toISOString().slice(0, 7).concat("-01");
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
    const month = new Date(now()).toISOString().slice(0, 7).concat("-01");
    await sql`
      insert into watch.request_budgets (name, month, next_at) values (${name}, ${month}, ${new Date(moment)})
      on conflict (name) do update set next_at = greatest(request_budgets.next_at, excluded.next_at)`;
  };

  return { take, holdUntil };
}
