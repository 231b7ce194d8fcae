/** How many first checks new searches may have: per person, per chat, per network address, and for all newcomers together. */
import { nextMonthOf } from "#core/ports/request-budget.ts";
import type { FeedRow } from "../rows/feeds/feeds.ts";
import type { FirstCheckPayer } from "../rows/feeds/first-checks.ts";

/** A first check takes about four requests, a regular one one or two. */
const FIRST_CHECK_REQUESTS = 4;
/** A person who changes the link twelve times in a row is still served at once, and one who never stops costs little. */
const USUAL: Allowance = { atOnce: 12, everySeconds: 1_800 };
/** The share of the month's requests that the changes of one person or chat may use. */
const SHARE_OF_ONE = 0.3;
const SHARE_OF_ADDRESS = 0.1;
/** With a small quota an address has as much as one person plus these, for a second person in the same home. */
const MORE_FOR_ADDRESS = 3;
const FEWEST = 3;
/** Stands for an unlimited quota. */
const PLENTY = 1e9;
const MONTH_SECONDS = 30 * 86_400;
/** The share of the month's remaining requests for the newcomers of one day. */
const NEWCOMERS_SHARE_OF_REST = 0.2;
/** The share of the month's requests for all newcomers of the month. */
const NEWCOMERS_SHARE_OF_MONTH = 0.5;
/** The part of these for newcomers who have only been in Telegram: nothing else tells apart a thousand of them. */
const CHATS_SHARE_OF_NEWCOMERS = 0.5;
/** How long a person is a newcomer after the very first check. */
export const NEWCOMER_DAYS = 7;

/** `atOnce` immediately, then one more every `everySeconds`. */
export interface Allowance {
  readonly atOnce: number;
  readonly everySeconds: number;
}

export type PayerKind = "person" | "chat" | "address";

/** Fewer with a small monthly quota. Null: unlimited. */
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
  // Many people may share an address, so only its share of the month limits it.
  const ofAddress = Math.max(one.atOnce + MORE_FOR_ADDRESS, checksIn(SHARE_OF_ADDRESS));
  const address = { atOnce: ofAddress, everySeconds: Math.round(MONTH_SECONDS / ofAddress) };
  return { person: one, chat: one, address };
}

export interface NewcomerMonth {
  /** The time of the first checks: now, or the next month if this one's requests are spent. */
  readonly at: number;
  readonly limit: number;
  readonly used: number;
  readonly checksToday: number;
  readonly checksThisMonth: number;
  /** Those of newcomers who have only been in Telegram, included in the above. */
  readonly chatChecksToday: number;
  readonly chatChecksThisMonth: number;
}

/** How many first checks newcomers have left, today and this month; and how many of these those have who only use Telegram. */
export function newcomerChecksLeft(month: NewcomerMonth) {
  const { limit, used, checksToday, checksThisMonth } = month;
  const left = Math.max(0, limit - used);
  const leftThisMorning = left + checksToday * FIRST_CHECK_REQUESTS;
  const ofDay = Math.floor((leftThisMorning * NEWCOMERS_SHARE_OF_REST) / FIRST_CHECK_REQUESTS);
  const least = left >= FIRST_CHECK_REQUESTS ? 1 : 0;
  const ofMonth = Math.floor((limit * NEWCOMERS_SHARE_OF_MONTH) / FIRST_CHECK_REQUESTS);
  const [today, thisMonth] = [Math.max(least, ofDay), Math.max(1, ofMonth)];
  return {
    today: today - checksToday,
    thisMonth: thisMonth - checksThisMonth,
    chatsToday: Math.ceil(today * CHATS_SHARE_OF_NEWCOMERS) - month.chatChecksToday,
    chatsThisMonth: Math.ceil(thisMonth * CHATS_SHARE_OF_NEWCOMERS) - month.chatChecksThisMonth,
  };
}

type Source = FeedRow["source"];

export interface Applicant {
  readonly payers: readonly FirstCheckPayer[];
  readonly isNewcomer: boolean;
  /** The account has only been used in Telegram. */
  readonly isOnlyInChat: boolean;
  /** Undefined if no source can serve the search. */
  readonly source: Source | undefined;
}

export interface AdmissionOptions {
  readonly now: number;
  readonly allowances: Readonly<Record<PayerKind, Allowance>>;
  readonly months: ReadonlyMap<Source, NewcomerMonth>;
}

/** Admits applicants one by one. Returns the time an applicant must wait for; undefined if it may start now. */
export function createAdmission({ now, allowances, months }: AdmissionOptions) {
  const wholeAt = new Map<string, number>();
  const left = new Map(
    [...months].map(([source, month]) => [source, { at: month.at, ...newcomerChecksLeft(month) }]),
  );
  const wholeAtOf = ({ id, wholeAt: stored }: FirstCheckPayer) =>
    Math.max(now, wholeAt.get(id) ?? stored?.getTime() ?? now);
  const freeAt = (payer: FirstCheckPayer) => {
    const { atOnce, everySeconds } = allowances[payer.kind];
    return wholeAtOf(payer) - (atOnce - 1) * everySeconds * 1000;
  };

  return ({ payers, isNewcomer, isOnlyInChat, source }: Applicant): Date | undefined => {
    const together = isNewcomer && source ? left.get(source) : undefined;
    const newcomers = together ? newcomersFreeAt(together, { now, isOnlyInChat }) : now;
    const until = Math.max(now, ...payers.map(freeAt), newcomers);
    if (until > now) return new Date(until);
    for (const payer of payers)
      wholeAt.set(payer.id, wholeAtOf(payer) + allowances[payer.kind].everySeconds * 1000);
    if (together && source) left.set(source, lessOne(together, isOnlyInChat));
    return undefined;
  };
}

type ChecksLeft = ReturnType<typeof newcomerChecksLeft> & { readonly at: number };

function lessOne(left: ChecksLeft, isOnlyInChat: boolean): ChecksLeft {
  const ofChats = isOnlyInChat ? 1 : 0;
  return {
    at: left.at,
    today: left.today - 1,
    thisMonth: left.thisMonth - 1,
    chatsToday: left.chatsToday - ofChats,
    chatsThisMonth: left.chatsThisMonth - ofChats,
  };
}

function newcomersFreeAt(
  { at, ...left }: ChecksLeft,
  { now, isOnlyInChat }: { now: number; isOnlyInChat: boolean },
): number {
  const thisMonth = isOnlyInChat ? Math.min(left.thisMonth, left.chatsThisMonth) : left.thisMonth;
  const today = isOnlyInChat ? Math.min(left.today, left.chatsToday) : left.today;
  if (thisMonth < 1) return nextMonthOf(at);
  return today < 1 ? new Date(at).setUTCHours(24, 0, 0, 0) : now;
}
