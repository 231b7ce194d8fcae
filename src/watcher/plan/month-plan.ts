/**
 * Divides the remaining requests of a month: due first checks, a reserve for newcomers, full scans if everything else is
 * covered, and checks with the rest. The result is the check interval, the same for all feeds of a source.
 */
import { nextMonthOf, REQUEST_SPACING_MS } from "#core/ports/request-budget.ts";
import { pagesPerCheck } from "./feed-cost.ts";

const DAY_SECONDS = 86_400;
const MONTH_SECONDS = 30 * DAY_SECONDS;
const LONGEST_MONTH_SECONDS = 31 * DAY_SECONDS;
/** The share of the remaining requests for first checks of later newcomers and for retries. */
const RESERVED_SHARE = 0.1;
/** The share of the month's requests for weekly scans, if there is none a day. */
const SCANNED_SHARE = 0.14;
const WEEK_SECONDS = 7 * DAY_SECONDS;
/** A fully used source would leave no slot for a new filter. */
const SHARE_OF_TURNS = 0.8;
/** A full scan continues with the page at which it was interrupted, so some pages are read twice. */
const PAGES_READ_TWICE = 1.25;
/** For a check about which nothing is known. */
export const USUAL_REQUESTS = 2;
/** The last days of a month are planned as if this much time were left. */
const SHORTEST_SPAN_SECONDS = 3 * DAY_SECONDS;
const STEPS = 20;
/** Hysteresis: small changes of the need do not change everyone's interval. */
const LONGER_FROM = 1.1;
const SHORTER_FROM = 1.2;
/** Intervals beyond ten minutes are shown to users, so they are rounded to readable ones. */
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
  readonly checkIntervalSeconds: number;
  /** Null: no limit. */
  readonly month: MonthRequests | null;
  readonly spacingMs?: number | undefined;
  readonly feeds: readonly {
    readonly requestsPerCheck: number;
    readonly hasLooked: boolean;
    /** If it is known: the longer the interval, the more pages. */
    readonly advertsPerHour?: number | undefined;
  }[];
  readonly pages: { readonly baseline: number; readonly deep: number };
  readonly heldSeconds?: number | undefined;
}

/** Requests until the end of the month; null if unlimited. */
export interface MonthPlan {
  readonly intervalSeconds: number;
  readonly isStretched: boolean;
  readonly left: number | null;
  readonly reserve: number;
  readonly firstChecks: number;
  readonly rounds: number;
  readonly fullScans: number;
  /** The pages a week that the requests allow for scans if they do not suffice for a daily one. */
  readonly weeklyPages: number;
  /** The requests allow a full scan of every feed per day. */
  readonly hasFullScans: boolean;
}

export function planMonth(input: MonthInput): MonthPlan {
  const { checkIntervalSeconds, month, feeds, pages } = input;
  const perRoundAt = (seconds: number) =>
    feeds.reduce((sum, { requestsPerCheck, advertsPerHour }) => {
      const intervalSeconds = Math.max(seconds, checkIntervalSeconds);
      return (
        sum +
        (advertsPerHour === undefined ? requestsPerCheck : pagesPerCheck({ intervalSeconds, advertsPerHour }))
      );
    }, 0);
  const firstChecks = feeds.filter(({ hasLooked }) => !hasLooked).length * pages.baseline;
  const left = month && Math.max(0, month.limit - month.used);
  const reserve = left === null ? 0 : Math.min(left, Math.max(pages.baseline, left * RESERVED_SHARE));
  const secondsLeft = month ? (nextMonthOf(month.now) - month.now) / 1000 : MONTH_SECONDS;
  const forRounds = (left ?? 0) - reserve - firstChecks;
  let needed = 0;
  // The interval and what a round then costs depend on each other.
  for (let step = 0; step < STEPS; step++) {
    const perRound = perRoundAt(needed);
    const carried = month && carriedSeconds({ perRound, secondsLeft, month, forRounds });
    needed = Math.max(carried ?? 0, turnSeconds(perRound, input.spacingMs));
  }
  const intervalSeconds = chosenInterval(needed, checkIntervalSeconds, input.heldSeconds);
  const isStretched = intervalSeconds > checkIntervalSeconds;
  const rounds = Math.round((perRoundAt(intervalSeconds) * secondsLeft) / intervalSeconds);
  const fullScans = Math.round(feeds.length * pages.deep * PAGES_READ_TWICE * (secondsLeft / DAY_SECONDS));
  const hasFullScans = !isStretched && (left === null || rounds + firstChecks + reserve + fullScans <= left);
  return {
    intervalSeconds,
    isStretched,
    left,
    reserve: Math.ceil(reserve),
    firstChecks,
    rounds,
    fullScans: hasFullScans ? fullScans : 0,
    weeklyPages:
      month && !hasFullScans
        ? weeklyPages(month, { isStretched, secondsLeft, spare: forRounds - rounds })
        : 0,
    hasFullScans,
  };
}

/** A share of the month; only of what is to spare, as long as everything is checked as often as configured. */
function weeklyPages(
  { limit }: MonthRequests,
  { isStretched, secondsLeft, spare }: { isStretched: boolean; secondsLeft: number; spare: number },
): number {
  const most = (limit * SCANNED_SHARE * WEEK_SECONDS) / LONGEST_MONTH_SECONDS;
  return isStretched ? most : Math.min(most, Math.max(0, (spare * WEEK_SECONDS) / secondsLeft));
}

interface Carried {
  readonly perRound: number;
  readonly secondsLeft: number;
  readonly month: MonthRequests;
  readonly forRounds: number;
}

/** The shortest interval with which the requests last until the end of the month, or into the next month if they do not. */
function carriedSeconds({ perRound, secondsLeft, month, forRounds }: Carried): number {
  const inAFullMonth = (perRound * MONTH_SECONDS) / (Math.max(1, month.limit) * (1 - RESERVED_SHARE));
  // The last hours of a month are no reason to promise a check every few minutes.
  const span = Math.max(secondsLeft, SHORTEST_SPAN_SECONDS);
  return Math.min(forRounds > 0 ? (perRound * span) / forRounds : Infinity, secondsLeft + inAFullMonth);
}

/** The requests an hour that a source can answer, in the long run and until the end of the month. */
export function requestsPerHour({ month, spacingMs = REQUEST_SPACING_MS, feeds, pages }: CapacityInput) {
  const turns = spacingMs === 0 ? Number.POSITIVE_INFINITY : (3_600_000 / spacingMs) * SHARE_OF_TURNS;
  if (month === null) return { pagesPerHour: turns, lastingPerHour: turns, secondsLeft: 0 };
  const firstChecks = feeds.filter(({ hasLooked }) => !hasLooked).length * pages.baseline;
  const left = Math.max(0, month.limit - month.used - firstChecks);
  const secondsLeft = (nextMonthOf(month.now) - month.now) / 1000;
  const perHour = (requests: number, seconds: number) => Math.min(turns, (requests * 3_600) / seconds);
  const planned = perHour(left, Math.max(secondsLeft, SHORTEST_SPAN_SECONDS));
  return {
    pagesPerHour: Math.min(planned, perHour(month.limit, LONGEST_MONTH_SECONDS)),
    lastingPerHour: perHour(left, secondsLeft),
    secondsLeft,
  };
}

type CapacityInput = Pick<MonthInput, "month" | "spacingMs" | "feeds" | "pages">;

function turnSeconds(perRound: number, spacingMs = REQUEST_SPACING_MS): number {
  return (perRound * spacingMs) / 1000 / SHARE_OF_TURNS;
}

/** Longer as soon as necessary, shorter only if that will last. */
function chosenInterval(needed: number, asked: number, held: number | undefined): number {
  if (needed <= asked) return asked;
  if (held !== undefined && held > asked && needed <= held * LONGER_FROM) {
    return Math.min(held, readableInterval(needed * SHORTER_FROM, asked));
  }
  return held === asked && needed <= asked * LONGER_FROM ? asked : readableInterval(needed, asked);
}

export function readableInterval(needed: number, asked: number): number {
  if (needed <= asked) return asked;
  const step = needed > 60 ? 10 : 1;
  if (needed <= 600) return Math.ceil(needed / step) * step;
  const readable = READABLE_SECONDS.find((seconds) => seconds >= Math.max(needed, asked));
  return readable ?? Math.ceil(needed / DAY_SECONDS) * DAY_SECONDS;
}
