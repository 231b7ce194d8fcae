import { setTimeout as wait } from "node:timers/promises";
import type { RequestBudget } from "#core/ports/request-budget.ts";
import { SourceError } from "#core/ports/source.ts";
import {
  exchange,
  HTTP_LIMITS,
  type HttpAnswer,
  type HttpLimits,
  type HttpRequest,
} from "./http-exchange.ts";

/** What a source needs from outside. Tests pass their own clock, sleep and limits. */
export interface SourceDeps {
  readonly budget: RequestBudget;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly http: HttpLimits;
}

export type SourceOptions = Pick<SourceDeps, "budget"> & Partial<SourceDeps>;

export function sourceDepsOf(options: SourceOptions): SourceDeps {
  return {
    budget: options.budget,
    now: options.now ?? Date.now,
    sleep: options.sleep ?? ((ms, signal) => wait(ms, undefined, signal === undefined ? {} : { signal })),
    http: options.http ?? HTTP_LIMITS,
  };
}

/**
 * Takes a request from the budget, waits for its slot and sends it. The request is built within the slot, including a
 * token it may need, so that nothing is sent while the budget is held back.
 */
export async function askWithinBudget(
  source: string,
  requestOf: () => HttpRequest | Promise<HttpRequest>,
  { budget, sleep, http }: SourceDeps,
  signal?: AbortSignal,
): Promise<HttpAnswer> {
  const answer = await budget.take();
  if (!answer.isGranted) {
    const isSpent = answer.because === "month-spent";
    throw new SourceError(source, isSpent ? "quota-spent" : "rate-limited", {
      detail: isSpent ? "our monthly budget is spent" : "rate-limited by our budget",
      retryAfterMs: answer.retryAfterMs,
    });
  }
  if (answer.waitMs > 0) {
    await sleep(answer.waitMs, signal);
  }
  return exchange(source, await requestOf(), http, signal);
}

/** Reads an answer. If the provider has rate-limited us, all processes that share the budget are held back. */
export async function readOrHoldBack<Result>(
  read: () => Result,
  { budget, now }: Pick<SourceDeps, "budget" | "now">,
): Promise<Result> {
  try {
    return read();
  } catch (error) {
    if (error instanceof SourceError && error.retryAfterMs !== undefined) {
      await budget.holdUntil(now() + error.retryAfterMs);
    }
    throw error;
  }
}
