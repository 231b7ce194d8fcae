import {
  type BudgetAnswer,
  LONGEST_WAIT_MS,
  nextMonthOf,
  REQUEST_SPACING_MS,
  type RequestBudget,
} from "#core/ports/request-budget.ts";

interface MemoryBudgetOptions {
  readonly now: () => number;
  /** Null for no limit. */
  readonly monthlyRequests: number | null;
}

/** A request budget in memory, with the rules of the one in the database. */
export function createMemoryRequestBudget({ now, monthlyRequests }: MemoryBudgetOptions): RequestBudget {
  let nextAt = 0;
  let monthEndsAt = 0;
  let used = 0;
  return {
    take: async (): Promise<BudgetAnswer> => {
      const at = now();
      if (at >= monthEndsAt) {
        monthEndsAt = nextMonthOf(at);
        used = 0;
      }
      if (monthlyRequests !== null && used >= monthlyRequests) {
        return { isGranted: false, because: "month-spent", retryAfterMs: monthEndsAt - at };
      }
      const waitMs = Math.max(nextAt - at, 0);
      if (waitMs > LONGEST_WAIT_MS) {
        return { isGranted: false, because: "held-back", retryAfterMs: waitMs };
      }
      used += 1;
      nextAt = at + waitMs + REQUEST_SPACING_MS;
      return { isGranted: true, waitMs };
    },
    holdUntil: async (moment) => {
      nextAt = Math.max(nextAt, moment);
    },
  };
}
