import type { Listing } from "#core/listing/listing.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import { lastAnchorOf, placesOf } from "../check/anchors.ts";
import { readOrder } from "../rows/feed-memory.ts";
import type { FeedRow } from "../rows/feeds/feeds.ts";
import { scanSoon } from "../rows/feeds/full-scans.ts";
import { fillGaps, type GapCause, readOpenGap, recordFeedGap, tellGaps } from "../rows/feeds/gaps.ts";

/** A full scan has this long to fill a gap before it is told. */
const FILLED_WITHIN_MS = 2 * 3_600_000;
/** A feed without a check for so many intervals was not checked at all. */
const DOWN_AFTER_INTERVALS = 3;

interface GapFacts {
  readonly hasGap: boolean;
  /** All that was read, the full scan included. */
  readonly listings: readonly Listing[];
  readonly isWhole: boolean;
  readonly coveredAt: Date;
  readonly now: number;
  /** A full scan reads further down than this reading. */
  readonly mayReadDeeper: boolean;
}

/** Records that a reading did not connect, marks what a deeper one has filled, and tells what is due. */
export async function noteGaps(db: Db, feed: FeedRow, facts: GapFacts): Promise<void> {
  const now = new Date(facts.now);
  if (!facts.hasGap && (await isFilled(db, feed, facts))) await fillGaps(db, feed.key, now);
  if (facts.hasGap && feed.coveredAt) {
    await recordFeedGap(db, feed.key, {
      cause: causeOf(feed, facts.now),
      from: feed.coveredAt,
      until: facts.coveredAt,
      tellAt: new Date(facts.now + (facts.mayReadDeeper ? FILLED_WITHIN_MS : 0)),
    });
    if (facts.mayReadDeeper) await scanSoon(db, feed.key);
  }
  await tellGaps(db, now);
}

/** The list was read to its end, or down to what the feed knew before the gap. */
async function isFilled(db: Db, feed: FeedRow, { listings, isWhole }: GapFacts): Promise<boolean> {
  const since = await readOpenGap(db, feed.key);
  if (since === null || isWhole) return since !== null;
  const codes = [...new Set(listings.map(({ propertyCode }) => propertyCode))];
  const order = await readOrder(db, feed.key, codes.length, since);
  return lastAnchorOf(placesOf(codes, order)) !== -1;
}

function causeOf({ failingSince, coveredAt, intervalSeconds }: FeedRow, now: number): GapCause {
  if (failingSince !== null) return "outage";
  const overdue = now - (coveredAt?.getTime() ?? now);
  return overdue > DOWN_AFTER_INTERVALS * intervalSeconds * 1000 ? "downtime" : "page-limit";
}
