import type { Watch } from "./watch-calls.ts";

export type WatchState = "watching" | "first" | "no-chat" | "paused" | "failing" | "problem";

const REASONS = [
  "refused-credentials",
  "quota-spent",
  "rate-limited",
  "not-found",
  "refused-request",
  "server-trouble",
  "unreachable",
  "not-understood",
] as const;

export type FailureReason = (typeof REASONS)[number] | "unknown";

/** The one thing to say of a watch; what the person did themselves comes first. */
export function watchStateOf(watch: Watch): WatchState {
  if (watch.is_paused) return "paused";
  if (watch.problem !== null) return "problem";
  if (!watch.can_tell) return "no-chat";
  if (watch.failing_since !== null) return "failing";
  return watch.begun_at === null ? "first" : "watching";
}

/** Why the source cannot be reached; a word this page does not know is no reason to show it. */
export function failureReasonOf({ failure_reason }: Pick<Watch, "failure_reason">): FailureReason {
  return REASONS.find((reason) => reason === failure_reason) ?? "unknown";
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

interface Wait {
  count: number;
  unit: "minute" | "hour" | "day";
}

/** Whole minutes, hours or days until then, never less than one; undefined once it is due. */
export function waitUntil(time: string, now: Date): Wait | undefined {
  const leftMs = Date.parse(time) - now.getTime();
  if (!(leftMs > 0)) return undefined;
  if (leftMs <= 2 * HOUR_MS) return { count: Math.ceil(leftMs / MINUTE_MS), unit: "minute" };
  if (leftMs <= 2 * DAY_MS) return { count: Math.ceil(leftMs / HOUR_MS), unit: "hour" };
  return { count: Math.ceil(leftMs / DAY_MS), unit: "day" };
}
