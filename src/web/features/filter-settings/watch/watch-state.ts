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

/** Whole minutes until then, never less than one; undefined once it is due. */
export function minutesUntil(time: string, now: Date): number | undefined {
  const leftMs = Date.parse(time) - now.getTime();
  return leftMs > 0 ? Math.ceil(leftMs / 60_000) : undefined;
}
