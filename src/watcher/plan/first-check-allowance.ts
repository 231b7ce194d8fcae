/** What new searches may cost: how many first checks one person, chat or network address has, and all newcomers together. */

/** A first check takes some four requests, a round one or two. */
const FIRST_CHECK_REQUESTS = 4;
/** A person who changes the link twelve times in a row is still served at once, and one who never stops costs little. */
const USUAL: Allowance = { atOnce: 12, everySeconds: 1_800 };
/** Of the month's requests, for one person's or one chat's changes at once; the rest is for everyone. */
const SHARE_OF_ONE = 0.3;
const SHARE_OF_ADDRESS = 0.1;
/** In a small month an address has as much as one person and so many more, for a second one in the same home. */
const MORE_FOR_ADDRESS = 3;
const FEWEST = 3;
/** Requests that are not limited count as so many a month. */
const PLENTY = 1e9;
const MONTH_SECONDS = 30 * 86_400;
/** Of what is left of the month's requests, for the newcomers of one day. */
const NEWCOMERS_SHARE_OF_REST = 0.2;
/** Of the whole month's requests, for all newcomers of the month. */
const NEWCOMERS_SHARE_OF_MONTH = 0.5;
/** A person is a newcomer for so long after the very first check. */
export const NEWCOMER_DAYS = 7;

/** So many at once, and then one more whenever so much time has passed. */
export interface Allowance {
  readonly atOnce: number;
  readonly everySeconds: number;
}

export type PayerKind = "person" | "chat" | "address";

/** With few requests a month, fewer. Null: no limit. */
export function firstCheckAllowances(
  limits: readonly (number | null)[],
): Readonly<Record<PayerKind, Allowance>> {
  const limit = Math.min(PLENTY, ...limits.map((one) => one ?? PLENTY));
  const checksIn = (share: number) => Math.floor((limit * share) / FIRST_CHECK_REQUESTS);
  const ofOne = Math.max(FEWEST, checksIn(SHARE_OF_ONE));
  const one = {
    atOnce: Math.min(USUAL.atOnce, ofOne),
    everySeconds: Math.max(USUAL.everySeconds, Math.round(MONTH_SECONDS / ofOne)),
  };
  // Many people may share an address, so only the month limits it.
  const ofAddress = Math.max(one.atOnce + MORE_FOR_ADDRESS, checksIn(SHARE_OF_ADDRESS));
  const address = { atOnce: ofAddress, everySeconds: Math.round(MONTH_SECONDS / ofAddress) };
  return { person: one, chat: one, address };
}

export interface NewcomerMonth {
  /** The moment that the checks are counted at: now, or the next month where this one's requests are spent. */
  readonly at: number;
  readonly limit: number;
  readonly used: number;
  /** First checks of newcomers. */
  readonly checksToday: number;
  readonly checksThisMonth: number;
}

/** How many first checks newcomers have left: today, and in the month. */
export function newcomerChecksLeft({ limit, used, checksToday, checksThisMonth }: NewcomerMonth) {
  const left = Math.max(0, limit - used);
  const leftThisMorning = left + checksToday * FIRST_CHECK_REQUESTS;
  const ofDay = Math.floor((leftThisMorning * NEWCOMERS_SHARE_OF_REST) / FIRST_CHECK_REQUESTS);
  const least = left >= FIRST_CHECK_REQUESTS ? 1 : 0;
  const ofMonth = Math.floor((limit * NEWCOMERS_SHARE_OF_MONTH) / FIRST_CHECK_REQUESTS);
  return {
    today: Math.max(least, ofDay) - checksToday,
    thisMonth: Math.max(1, ofMonth) - checksThisMonth,
  };
}
