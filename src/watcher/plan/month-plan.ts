/**
 * What is left of a month's requests, divided: first checks that are due, a reserve for newcomers, deep readings where all
 * else is carried, and rounds with the rest. The interval of the rounds follows; it is one for all feeds of a source.
 */
import { nextMonthOf, REQUEST_SPACING_MS } from "#core/ports/request-budget.ts";

const DAY_SECONDS = 86_400;
const MONTH_SECONDS = 30 * DAY_SECONDS;
/** Of what is left, for the first checks of people who come later in the month, and for retries. */
const RESERVED_SHARE = 0.1;
/** A source that is asked all the time leaves no turn for a filter that was just saved. */
const SHARE_OF_TURNS = 0.8;
/** A deep reading goes on with the page it ended at. */
const PAGES_READ_TWICE = 1.25;
/** Of a check of which nothing is known. */
export const USUAL_REQUESTS = 2;
/** A month with less time left is planned as if it had that. */
const SHORTEST_SPAN_SECONDS = 3 * DAY_SECONDS;
/** A need that moves a little does not move everyone's checks: longer from here on, and shorter from there. */
const LONGER_FROM = 1.1;
const SHORTER_FROM = 1.2;
/** Beyond ten minutes people are told the interval: so it is one that a person can read. */
const READABLE_SECONDS = [
  ...[15, 20, 30, 45, 60, 90].map((minutes) => minutes * 60),
  ...[2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 30, 36].map((hours) => hours * 3_600),
  ...[2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30].map((days) => days * DAY_SECONDS),
];

export interface MonthRequests {
  readonly limit: number;
  readonly used: number;
  readonly now: number;
}

export interface MonthInput {
  /** What was asked for. */
  readonly checkIntervalSeconds: number;
  /** Null: no limit. */
  readonly month: MonthRequests | null;
  /** Between two requests. */
  readonly spacingMs?: number | undefined;
  readonly feeds: readonly { readonly requestsPerCheck: number; readonly hasLooked: boolean }[];
  readonly pages: { readonly baseline: number; readonly deep: number };
  /** The interval so far. */
  readonly heldSeconds?: number | undefined;
}

/** Requests until the month's end; null where they are not counted. */
export interface MonthPlan {
  readonly intervalSeconds: number;
  readonly isStretched: boolean;
  readonly left: number | null;
  readonly reserve: number;
  readonly firstChecks: number;
  readonly rounds: number;
  readonly deep: number;
  /** The requests carry a deep reading of every feed a day. */
  readonly readsDeep: boolean;
}

export function planMonth(input: MonthInput): MonthPlan {
  const { checkIntervalSeconds, month, feeds, pages } = input;
  const perRound = feeds.reduce((sum, { requestsPerCheck }) => sum + requestsPerCheck, 0);
  const firstChecks = feeds.filter(({ hasLooked }) => !hasLooked).length * pages.baseline;
  const left = month && Math.max(0, month.limit - month.used);
  const reserve = left === null ? 0 : Math.min(left, Math.max(pages.baseline, left * RESERVED_SHARE));
  const secondsLeft = month ? (nextMonthOf(month.now) - month.now) / 1000 : MONTH_SECONDS;
  const carried =
    month && carriedSeconds({ perRound, secondsLeft, month, forRounds: (left ?? 0) - reserve - firstChecks });
  const needed = Math.max(carried ?? 0, turnSeconds(perRound, input.spacingMs));
  const intervalSeconds = chosenInterval(needed, checkIntervalSeconds, input.heldSeconds);
  const isStretched = intervalSeconds > checkIntervalSeconds;
  const rounds = Math.round((perRound * secondsLeft) / intervalSeconds);
  const deep = Math.round(feeds.length * pages.deep * PAGES_READ_TWICE * (secondsLeft / DAY_SECONDS));
  const readsDeep = !isStretched && (left === null || rounds + firstChecks + reserve + deep <= left);
  return {
    intervalSeconds,
    isStretched,
    left,
    reserve: Math.ceil(reserve),
    firstChecks,
    rounds,
    deep: readsDeep ? deep : 0,
    readsDeep,
  };
}

interface Carried {
  readonly perRound: number;
  readonly secondsLeft: number;
  readonly month: MonthRequests;
  readonly forRounds: number;
}

/** The shortest interval at which the requests last until the month's end, or into the next one where they do not. */
function carriedSeconds({ perRound, secondsLeft, month, forRounds }: Carried): number {
  const inAFullMonth = (perRound * MONTH_SECONDS) / (Math.max(1, month.limit) * (1 - RESERVED_SHARE));
  // What is left in the last hours is no reason to promise everyone a check every few minutes.
  const span = Math.max(secondsLeft, SHORTEST_SPAN_SECONDS);
  return Math.min(forRounds > 0 ? (perRound * span) / forRounds : Infinity, secondsLeft + inAFullMonth);
}

function turnSeconds(perRound: number, spacingMs = REQUEST_SPACING_MS): number {
  return (perRound * spacingMs) / 1000 / SHARE_OF_TURNS;
}

/** Longer as soon as it must be, shorter only where that will last. */
function chosenInterval(needed: number, asked: number, held: number | undefined): number {
  if (needed <= asked) return asked;
  if (held !== undefined && held > asked && needed <= held * LONGER_FROM) {
    return Math.min(held, readableInterval(needed * SHORTER_FROM, asked));
  }
  return held === asked && needed <= asked * LONGER_FROM ? asked : readableInterval(needed, asked);
}

function readableInterval(needed: number, asked: number): number {
  if (needed <= asked) return asked;
  const step = needed > 60 ? 10 : 1;
  if (needed <= 600) return Math.ceil(needed / step) * step;
  const readable = READABLE_SECONDS.find((seconds) => seconds >= Math.max(needed, asked));
  return readable ?? Math.ceil(needed / DAY_SECONDS) * DAY_SECONDS;
}
