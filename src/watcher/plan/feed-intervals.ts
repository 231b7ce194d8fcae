import type { Sql } from "postgres";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { type PlannedInterval, rescheduleFeeds } from "../rows/feeds/source-intervals.ts";

/** Overdue feeds are checked within this time, not all at once. */
export const CATCH_UP_MS = 6 * 3_600_000;
/** Up to this interval each feed has a fixed slot in it. Longer intervals are counted from the last check. */
const LONGEST_SHARED_SECONDS = 3_600;
/** Checks may come this much early, so that feeds that started together drift apart. */
const SPREAD = 0.1;

/** The next slot of a feed in the interval. Slots spread the checks over time. */
export function nextCheckAt(key: string, now: number, intervalSeconds: number): number {
  const intervalMs = intervalSeconds * 1000;
  // Slots in intervals of days would cost requests: a feed whose interval changes would be checked too early.
  if (intervalSeconds > LONGEST_SHARED_SECONDS) return now + intervalMs - spreadOf(key, intervalMs * SPREAD);
  const phase = spreadOf(key, intervalMs);
  const slot = Math.floor((now - phase) / intervalMs) * intervalMs + phase + intervalMs;
  // A slot that is almost due was meant for the check that has just run.
  return slot - now < intervalMs * 0.05 ? slot + intervalMs : slot;
}

/** A fraction of the span that is always the same for a key. */
export function spreadOf(key: string, spanMs: number): number {
  return hashOf(key) % Math.max(1, Math.floor(spanMs));
}

function hashOf(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619) >>> 0;
  return hash;
}

/** More than the retry delay of a failing source. */
const LONGEST_RETRY_MS = 2 * 3_600_000;

/** A feed whose next check is later was waiting for the next month. */
export function latestCheckAt(now: number, intervalSeconds: number): number {
  return now + Math.max(intervalSeconds * 1_100, LONGEST_RETRY_MS);
}

export interface NewInterval {
  readonly promisedSeconds: number;
  readonly intervalSeconds: number;
}

/** Sets the intervals of feeds, and their next checks accordingly. */
export async function setFeedIntervals(
  sql: Sql,
  feeds: readonly PlannedInterval[],
  { intervalOf, now }: { intervalOf: (key: string) => NewInterval | undefined; now: number },
): Promise<void> {
  const rescheduled = feeds.flatMap((feed) => {
    const plan = intervalOf(feed.key);
    if (feed.isIdle || !plan) return [];
    const { intervalSeconds } = plan;
    const promisedSeconds = feed.lastOkAt ? plan.promisedSeconds : feed.promisedSeconds;
    const isInTime = feed.nextCheckAt.getTime() <= latestCheckAt(now, intervalSeconds);
    const isAsPlanned = feed.intervalSeconds === intervalSeconds && isInTime;
    if (isAsPlanned && feed.promisedSeconds === promisedSeconds) return [];
    const nextCheckAt = isAsPlanned ? feed.nextCheckAt : new Date(newCheckTime(feed, intervalSeconds, now));
    return [{ key: feed.key, plannedAt: feed.nextCheckAt, nextCheckAt, intervalSeconds, promisedSeconds }];
  });
  if (rescheduled.length > 0) await inTransaction(sql, (db) => rescheduleFeeds(db, rescheduled));
}

function newCheckTime(feed: PlannedInterval, intervalSeconds: number, now: number): number {
  const planned = feed.nextCheckAt.getTime();
  // Due: a new search waits for its first check.
  if (planned <= now) return planned;
  const isLong = intervalSeconds > LONGEST_SHARED_SECONDS;
  if (!isLong) return Math.min(planned, nextCheckAt(feed.key, now, intervalSeconds));
  const late = now + spreadOf(feed.key, Math.min(intervalSeconds * 1000, CATCH_UP_MS));
  const next = feed.lastOkAt ? nextCheckAt(feed.key, feed.lastOkAt.getTime(), intervalSeconds) : late;
  const fitting = next > now ? next : late;
  return feed.isFailing ? Math.min(planned, fitting) : fitting;
}
