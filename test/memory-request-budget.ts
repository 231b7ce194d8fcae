import {
  type BudgetAnswer,
  LONGEST_WAIT_MS,
  nextMonthOf,
  pauseAfter,
  REQUEST_SPACING_MS,
  type RequestBudget,
  type RequestTurn,
} from "#core/ports/request-budget.ts";
import type { SourceErrorReason } from "#core/ports/source.ts";

interface MemoryBudgetOptions {
  readonly now: () => number;
  /** Null for no limit. */
  readonly monthlyRequests: number | null;
}

/** A request budget in memory for one process, with the rules of the one in the database but for the limit of probes. */
export function createMemoryRequestBudget({ now, monthlyRequests }: MemoryBudgetOptions): RequestBudget {
  let nextAt = 0;
  let monthEndsAt = 0;
  let used = 0;
  let refusals = 0;
  let paused: { until: number; reason: SourceErrorReason } | undefined;

  const settle: RequestTurn["settle"] = async (result) => {
    if (result === "answered") {
      refusals = 0;
      paused = undefined;
      return 0;
    }
    used = Math.max(0, used - 1);
    if (result === "void") return 0;
    const pauseMs = pauseAfter(result, refusals, 0);
    refusals += 1;
    paused = { until: now() + pauseMs, reason: result.reason };
    return pauseMs;
  };

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
      if (paused && at < paused.until) {
        const { until, reason } = paused;
        return { isGranted: false, because: "backing-off", reason, retryAfterMs: until - at };
      }
      const waitMs = Math.max(nextAt - at, 0);
      if (waitMs > LONGEST_WAIT_MS) {
        return { isGranted: false, because: "held-back", retryAfterMs: waitMs };
      }
      used += 1;
      nextAt = at + waitMs + REQUEST_SPACING_MS;
      return { isGranted: true, waitMs, settle };
    },
  };
}
