import { REQUEST_SPACING_MS } from "#core/ports/request-budget.ts";

const MONTH_SECONDS = 30 * 86_400;
/** Of the month's requests for the rounds; the rest is for first checks, deep readings and retries. */
const SHARE_FOR_ROUNDS = 0.9;
/** A source that is asked all the time leaves no turn for a filter that was just saved. */
const SHARE_OF_TURNS = 0.8;

export interface IntervalInput {
  /** What was asked for. */
  readonly checkIntervalSeconds: number;
  /** Null: no limit. */
  readonly monthlyRequests: number | null;
  /** Between two requests. */
  readonly spacingMs?: number | undefined;
  /** Of each feed of the source. */
  readonly requestsPerCheck: readonly number[];
}

export interface FeedInterval {
  readonly intervalSeconds: number;
  readonly isStretched: boolean;
  readonly requestsPerMonth: number;
}

/** One interval for all feeds of a source: where the requests do not carry the wish, all wait equally longer. */
export function intervalOf(input: IntervalInput): FeedInterval {
  const { checkIntervalSeconds, monthlyRequests, requestsPerCheck, spacingMs = REQUEST_SPACING_MS } = input;
  const perRound = requestsPerCheck.reduce((sum, requests) => sum + requests, 0);
  const carried =
    monthlyRequests === null ? 0 : (perRound * MONTH_SECONDS) / (monthlyRequests * SHARE_FOR_ROUNDS);
  const turned = (perRound * spacingMs) / 1000 / SHARE_OF_TURNS;
  const needed = Math.max(carried, turned);
  const isStretched = needed > checkIntervalSeconds;
  const intervalSeconds = isStretched ? roundedUp(needed) : checkIntervalSeconds;
  return {
    intervalSeconds,
    isStretched,
    requestsPerMonth: Math.round((perRound * MONTH_SECONDS) / intervalSeconds),
  };
}

/** To numbers a person can read. */
function roundedUp(seconds: number): number {
  const step = seconds > 600 ? 60 : seconds > 60 ? 10 : 1;
  return Math.ceil(seconds / step) * step;
}

/** The next moment of a feed's own place in the interval, so that checks spread instead of coming together. */
export function nextCheckAt(key: string, now: number, intervalSeconds: number): number {
  const intervalMs = intervalSeconds * 1000;
  const phase = hashOf(key) % intervalMs;
  const slot = Math.floor((now - phase) / intervalMs) * intervalMs + phase + intervalMs;
  // A slot that is almost here was meant for the check that has just been made.
  return slot - now < intervalMs * 0.05 ? slot + intervalMs : slot;
}

function hashOf(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619) >>> 0;
  return hash;
}
