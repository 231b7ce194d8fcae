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

/** What a source needs from outside; a test hands in its own clock, patience and limits. */
export interface SourceDeps {
  readonly budget: RequestBudget;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly http: HttpLimits;
}

export type SurroundingsOptions = Pick<SourceDeps, "budget"> & Partial<SourceDeps>;

export function surroundingsOf(options: SurroundingsOptions): SourceDeps {
  return {
    budget: options.budget,
    now: options.now ?? Date.now,
    sleep: options.sleep ?? ((ms, signal) => wait(ms, undefined, signal === undefined ? {} : { signal })),
    http: options.http ?? HTTP_LIMITS,
  };
}

/**
 * Takes a request out of the budget, waits for its turn and sends it. What the request needs first, such as a token, is
 * asked for within the turn: who is held back asks nothing at all.
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
      detail: isSpent ? "our own monthly budget" : "held back by our own budget",
      retryAfterMs: answer.retryAfterMs,
    });
  }
  if (answer.waitMs > 0) {
    await sleep(answer.waitMs, signal);
  }
  return exchange(source, await requestOf(), http, signal);
}

/** Reads an answer; where it speaks of the provider's limits, all who share the budget are held back. */
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
