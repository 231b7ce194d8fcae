import type { SourceErrorReason } from "./source.ts";

/**
 * The requests that all processes with the same API key share: one per second, a monthly quota, and a pause after refusals. A
 * source takes one before each request, waits for the returned time, and reports how the request ended.
 */
export interface RequestBudget {
  take(): Promise<BudgetAnswer>;
}

export type BudgetAnswer =
  | RequestTurn
  | {
      readonly isGranted: false;
      readonly because: "month-spent" | "held-back";
      readonly retryAfterMs: number;
    }
  /** The source has refused requests, and another one may be tried after this time. */
  | {
      readonly isGranted: false;
      readonly because: "backing-off";
      readonly reason: SourceErrorReason;
      readonly retryAfterMs: number;
    };

/** Send the request after this wait. The slot is reserved, and the request is counted. */
export interface RequestTurn {
  readonly isGranted: true;
  readonly waitMs: number;
  /**
   * "answered": it stays counted. "void": it is not counted and proves nothing. A refusal is not counted either, and all processes
   * pause for the returned number of milliseconds.
   */
  settle(result: "answered" | "void" | RefusedRequest): Promise<number>;
}

export interface RefusedRequest {
  readonly reason: SourceErrorReason;
  /** The source's own wish. */
  readonly retryAfterMs: number | undefined;
}

/** Answers that say nothing about the request itself: another one would be refused as well. */
const REFUSALS: readonly SourceErrorReason[] = [
  "rate-limited",
  "quota-spent",
  "refused-credentials",
  "server-trouble",
  "unreachable",
];

export function isRefusal(reason: SourceErrorReason): boolean {
  return REFUSALS.includes(reason);
}

const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 3_600_000;
const LONGEST_WISH_MS = 24 * 3_600_000;
/** Several installations with one key must not return at the same moment. */
const JITTER = 0.2;

/**
 * The pause after a refusal that `before` others preceded: 30 seconds, doubled up to an hour, or what the source asks for, up to
 * a day. A spent quota has a known end and is not probed earlier. `random` is between 0 and 1.
 */
export function pauseAfter(
  { reason, retryAfterMs = 0 }: RefusedRequest,
  before: number,
  random: number,
): number {
  if (reason === "quota-spent" && retryAfterMs > 0) return retryAfterMs;
  const own = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(before, 20), LONGEST_PAUSE_MS);
  return Math.round(Math.max(own * (1 + JITTER * random), Math.min(retryAfterMs, LONGEST_WISH_MS)));
}

/** While a source refuses, one process at a time may try it, for at most this long. */
export const PROBE_MS = 60_000;

/** More than a second, because requests sent a second apart may arrive closer together. */
export const REQUEST_SPACING_MS = 1100;

/** A later slot is refused, so that callers do not block for long. */
export const LONGEST_WAIT_MS = 30_000;

/** The first instant of the next month, UTC: when the monthly quota is reset. */
export function nextMonthOf(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
