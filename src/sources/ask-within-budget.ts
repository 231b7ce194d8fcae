import { setTimeout as wait } from "node:timers/promises";
import { isRefusal, type RequestBudget, type RequestTurn } from "#core/ports/request-budget.ts";
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

interface BudgetedAsk<Result> {
  /** Called within the request's slot, including a token it may need, so that nothing is sent while the source is paused. */
  readonly requestOf: () => HttpRequest | Promise<HttpRequest>;
  readonly read: (answer: HttpAnswer) => Result;
  /** The answer is not counted and proves nothing about the source. */
  readonly isVoid?: (result: Result) => boolean;
}

/** Takes a request from the budget, waits for its slot, sends it, and reports to the budget how it ended. */
export async function askWithinBudget<Result>(
  source: string,
  { requestOf, read, isVoid }: BudgetedAsk<Result>,
  deps: SourceDeps,
  signal?: AbortSignal,
): Promise<Result> {
  const turn = await takeTurn(source, deps.budget);
  try {
    if (turn.waitMs > 0) await deps.sleep(turn.waitMs, signal);
    const result = read(await exchange(source, await requestOf(), deps.http, signal));
    await turn.settle(isVoid?.(result) ? "void" : "answered");
    return result;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw await settledError(turn, error);
  }
}

async function takeTurn(source: string, budget: RequestBudget): Promise<RequestTurn> {
  const answer = await budget.take();
  if (answer.isGranted) return answer;
  const { because, retryAfterMs } = answer;
  if (because === "backing-off") {
    throw new SourceError(source, answer.reason, { detail: "no request after refusals", retryAfterMs });
  }
  if (because === "month-spent") {
    throw new SourceError(source, "quota-spent", { detail: "our monthly budget is spent", retryAfterMs });
  }
  throw new SourceError(source, "rate-limited", { detail: "rate-limited by our budget", retryAfterMs });
}

async function settledError(turn: RequestTurn, error: SourceError): Promise<SourceError> {
  const { source, reason, retryAfterMs, detail, cause } = error;
  if (!isRefusal(reason)) {
    await turn.settle("answered");
    return error;
  }
  const pauseMs = await turn.settle({ reason, retryAfterMs });
  return new SourceError(source, reason, {
    ...(detail === undefined ? {} : { detail }),
    retryAfterMs: Math.max(pauseMs, retryAfterMs ?? 0),
    cause,
  });
}
