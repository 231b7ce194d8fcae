import type { Sql } from "postgres";
import { inTransaction } from "#platform/database/in-transaction.ts";
import type { FeedRow } from "#store/feeds/feeds.ts";
import { type MisplacedFeed, placeFeeds, readMisplacedFeeds } from "#store/feeds/source-intervals.ts";
import { LONGEST_SHARED_SECONDS, nextCheckAt, spreadOf } from "./feed-intervals.ts";

/** Whoever waited longer than the new interval is checked within so much time, not all at once. */
export const CATCH_UP_MS = 6 * 3_600_000;

interface Placing {
  readonly source: FeedRow["source"];
  readonly intervalSeconds: number;
  readonly now: Date;
}

/** Gives the feeds of a source their interval, and a next check that fits it. */
export async function setFeedIntervals(sql: Sql, placing: Placing): Promise<void> {
  const { source, intervalSeconds, now } = placing;
  const misplaced = await readMisplacedFeeds(sql, source, { intervalSeconds, now });
  if (misplaced.length === 0) return;
  const placed = misplaced.map((feed) => ({
    key: feed.key,
    plannedAt: feed.nextCheckAt,
    nextCheckAt: new Date(placeOf(feed, placing)),
  }));
  await inTransaction(sql, (db) => placeFeeds(db, placed, intervalSeconds));
}

function placeOf(feed: MisplacedFeed, { intervalSeconds, now: at }: Placing): number {
  const now = at.getTime();
  const planned = feed.nextCheckAt.getTime();
  // Due: a search has come that waits for its first check.
  if (planned <= now) return planned;
  const isLong = intervalSeconds > LONGEST_SHARED_SECONDS;
  if (!isLong) return Math.min(planned, nextCheckAt(feed.key, now, intervalSeconds));
  const late = now + spreadOf(feed.key, Math.min(intervalSeconds * 1000, CATCH_UP_MS));
  const next = feed.lastOkAt ? nextCheckAt(feed.key, feed.lastOkAt.getTime(), intervalSeconds) : late;
  const fitting = next > now ? next : late;
  return feed.isFailing ? Math.min(planned, fitting) : fitting;
}
