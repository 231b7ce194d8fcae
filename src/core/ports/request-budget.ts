/**
 * The requests that all processes with the same API key share: one per second, and a monthly quota. A source takes one
 * before each request and waits for the returned time.
 */
export interface RequestBudget {
  take(): Promise<BudgetAnswer>;
  /** The provider has rate-limited us: no process sends a request before this time (milliseconds since 1970). */
  holdUntil(moment: number): Promise<void>;
}

export type BudgetAnswer =
  /** Send the request after this wait. The slot is reserved. */
  | { readonly isGranted: true; readonly waitMs: number }
  | {
      readonly isGranted: false;
      readonly because: "month-spent" | "held-back";
      readonly retryAfterMs: number;
    };

/** More than a second, because requests sent a second apart may arrive closer together. */
export const REQUEST_SPACING_MS = 1100;

/** A later slot is refused, so that callers do not block for long. */
export const LONGEST_WAIT_MS = 30_000;

/** The first instant of the next month, UTC: when the monthly quota is reset. */
export function nextMonthOf(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
