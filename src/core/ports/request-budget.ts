/**
 * The right to ask, shared by every process that uses the same key: one request a second and so many a
 * month. A source takes one before each request and waits as long as it is told.
 */
export interface RequestBudget {
  take(): Promise<BudgetAnswer>;
  /** The provider refused for its limits: nobody asks before this moment (milliseconds since 1970). */
  holdUntil(moment: number): Promise<void>;
}

export type BudgetAnswer =
  /** Ask after waiting that long; the slot is yours alone. */
  | { readonly isGranted: true; readonly waitMs: number }
  | {
      readonly isGranted: false;
      readonly because: "month-spent" | "held-back";
      readonly retryAfterMs: number;
    };

/** More than a second: two requests sent a second apart may arrive closer together than that. */
export const REQUEST_SPACING_MS = 1100;

/** A turn further off than this is refused: whoever asks has better things to do than to sleep. */
export const LONGEST_WAIT_MS = 30_000;

/** The first instant of the next month, UTC: when a month's budget begins anew. */
export function nextMonthOf(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
