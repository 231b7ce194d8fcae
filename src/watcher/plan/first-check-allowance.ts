/** How many first checks new searches may have: those of one account, and those of all newcomers together. */
import { nextMonthOf } from "#core/ports/request-budget.ts";
import type { FeedRow } from "../rows/feeds/feeds.ts";

/** A first check takes about four requests, a regular one one or two. */
const FIRST_CHECK_REQUESTS = 4;
/** A person who changes the link twelve times in a row is still served at once, and one who never stops costs little. */
const USUAL: Allowance = { atOnce: 12, everySeconds: 1_800 };
/** The share of the month's requests that the changes of one account may use. */
const SHARE_OF_ONE = 0.3;
const FEWEST = 3;
/** Stands for an unlimited quota. */
const PLENTY = 1e9;
const MONTH_SECONDS = 30 * 86_400;
/** The share of the month's requests, as far as others leave them, for all newcomers of the month. */
const NEWCOMERS_SHARE = 0.5;
/** How long an account is a newcomer's after its very first check. */
export const NEWCOMER_DAYS = 7;

/** `atOnce` immediately, then one more every `everySeconds`. */
export interface Allowance {
  readonly atOnce: number;
  readonly everySeconds: number;
}

/** Fewer with a small monthly quota. Null: unlimited. */
export function firstCheckAllowance(limits: readonly (number | null)[]): Allowance {
  const limit = Math.min(PLENTY, ...limits.map((one) => one ?? PLENTY));
  const checks = Math.max(FEWEST, Math.floor((limit * SHARE_OF_ONE) / FIRST_CHECK_REQUESTS));
  return {
    atOnce: Math.min(USUAL.atOnce, checks),
    everySeconds: Math.max(USUAL.everySeconds, Math.round(MONTH_SECONDS / checks)),
  };
}

export interface NewcomerMonth {
  /** The time of the first checks: now, or the next month if this one's requests are spent. */
  readonly at: number;
  readonly limit: number;
  readonly used: number;
  /** First checks of newcomers in this month. */
  readonly checks: number;
  /** First checks that take nothing from what others are promised. */
  readonly free?: number;
}

/** How many first checks newcomers have left in the month. One, as long as there are requests for it. */
export function newcomerChecksLeft({
  limit,
  used,
  checks,
  free = Number.POSITIVE_INFINITY,
}: Omit<NewcomerMonth, "at">): number {
  const left = Math.max(0, limit - used);
  const leftByOthers = Math.min(limit, left + checks * FIRST_CHECK_REQUESTS);
  const share = Math.floor((leftByOthers * NEWCOMERS_SHARE) / FIRST_CHECK_REQUESTS);
  const least = left >= FIRST_CHECK_REQUESTS ? 1 : 0;
  return Math.min(free, Math.max(least, share) - checks);
}

export interface Applicant {
  readonly userId: string;
  /** When the account's allowance is complete again; null if it was never used. */
  readonly wholeAt: Date | null;
  readonly isNewcomer: boolean;
  /** Undefined if no source can serve the search. */
  readonly source: FeedRow["source"] | undefined;
}

export interface AdmissionOptions {
  readonly now: number;
  readonly allowance: Allowance;
  readonly months: ReadonlyMap<FeedRow["source"], NewcomerMonth>;
}

/** Admits applicants one by one. Returns the time an applicant must wait for; undefined if it may start now. */
export function createAdmission({ now, allowance, months }: AdmissionOptions) {
  const { atOnce, everySeconds } = allowance;
  const wholeAtOf = new Map<string, number>();
  const newcomers = new Map(
    [...months].map(([source, month]) => [source, { at: month.at, left: newcomerChecksLeft(month) }]),
  );

  return ({ userId, wholeAt, isNewcomer, source }: Applicant): Date | undefined => {
    const whole = Math.max(now, wholeAtOf.get(userId) ?? wholeAt?.getTime() ?? now);
    const share = isNewcomer && source ? newcomers.get(source) : undefined;
    const isShareSpent = share !== undefined && share.left < 1;
    const until = Math.max(
      whole - (atOnce - 1) * everySeconds * 1000,
      isShareSpent ? nextMonthOf(share.at) : now,
    );
    if (until > now) return new Date(until);
    wholeAtOf.set(userId, whole + everySeconds * 1000);
    if (share) share.left -= 1;
    return undefined;
  };
}
