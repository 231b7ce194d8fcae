/**
 * Writes the results of a reading, alerts included, in the transaction that also advances the feed. If it fails, nothing is
 * written, and the next check finds the same again.
 */
import type { Listing } from "#core/listing/listing.ts";
import { zoneIdOf } from "#core/listing/market.ts";
import type { Warning } from "#core/warnings/warning.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import { noteChangedZones } from "#store/finds/market-figures.ts";
import { lastAnchorOf, placesOf } from "../check/anchors.ts";
import type { FeedIndex, FeedIndexes } from "../check/feed-indexes.ts";
import type { ReadFeed } from "../check/read-feed.ts";
import { nextCheckAt } from "../plan/feed-intervals.ts";
import { readAlertListings } from "../rows/alert-listings.ts";
import { sendAhead } from "../rows/alerts-ahead.ts";
import { findCutsSinceTold } from "../rows/cuts-since-told.ts";
import {
  type FeedMemory,
  moveUp,
  readMemory,
  recordFeedListings,
  recordMissed,
} from "../rows/feed-memory.ts";
import { type FeedRow, finishCheck } from "../rows/feeds/feeds.ts";
import { deleteFullScan, type FullScan, readFullScan, readRepricedSince } from "../rows/feeds/full-scans.ts";
import {
  completeMailListings,
  linkReadverts,
  readMarketListings,
  recordListings,
} from "../rows/portal-listings.ts";
import { alertSourceUp } from "../rows/source-alerts.ts";
import { writeEvents } from "../rows/write-events.ts";
import { applyRules } from "./apply-rules.ts";
import { detectChanges, type FeedChanges, MISSES_UNTIL_GONE } from "./detect-changes.ts";
import { foundEventsOf } from "./events-of-finding.ts";
import { type PagesAhead, writtenAhead } from "./ingest-page.ts";
import { listingRowOf } from "./listing-rows.ts";
import { marketChangesOf } from "./market-changes.ts";
import { noteGaps } from "./note-gaps.ts";

export const DOWN_AFTER_ROUNDS = 3;

interface Ingest {
  readonly feed: FeedRow;
  readonly reading: ReadFeed;
  /** When the reading began: whatever was listed before, it has seen. */
  readonly startedAt: number;
  readonly now: number;
  readonly indexes: FeedIndexes;
  readonly checkIntervalSeconds: number;
  /** A full scan reads further down than this reading. */
  readonly mayReadDeeper: boolean;
  /** It is the feed's weekly scan, and has read so many pages on. */
  readonly scanPages: number;
  readonly ahead?: PagesAhead | undefined;
}

export interface IngestResult {
  /** As far as its searches are covered now. */
  readonly covered: FeedRow;
  readonly freshListings: readonly Listing[];
  readonly alerts: number;
  readonly hasGap: boolean;
}

/** The caller holds the feed's lease and has locked its row. */
export async function ingestReading(db: Db, ingest: Ingest): Promise<IngestResult> {
  const { feed, ahead } = ingest;
  const now = new Date(ingest.now);
  const whole = await wholeReading(db, ingest);
  const { reading, isWhole, hasGap, scan, changes } = whole;
  const isFirst = feed.lastOkAt === null;
  const market = await readMarketListings(db, codesToCompare(changes));
  const news = marketChangesOf(changes, market, feed);
  // If a search has joined the feed since, the listing is announced to that one now.
  const isWritten = ({ propertyCode }: Listing) => ahead?.revisionOf.get(propertyCode) === feed.revision;
  const unwritten = news.fresh.filter((listing) => !isWritten(listing));

  const index = await ingest.indexes.at(db, feed);
  const find = isFirst ? () => [] : findingOnce(index);
  const cuts = await findCutsSinceTold(db, [...unwritten, ...changes.older], find);
  const again = [...news.changed, ...news.back, ...cuts].map(({ listing }) => listing);
  const alerted = [...new Set([...unwritten, ...again])];
  const alertListingOf = await readAlertListings(db, alerted);
  const warningsOf = new Map(
    alerted.map((listing) => [listing.propertyCode, alertListingOf(listing).warnings]),
  );
  const recorded = await record(db, ingest, whole, warningsOf);
  await noteChangedZones(
    db,
    [...alerted, ...changes.fresh, ...changes.older, ...recorded.gone].map(zoneIdOf),
  );
  const plain = foundEventsOf({ ...news, ...recorded, fresh: unwritten, cuts, find, alertListingOf, now });
  const wordsOf = new Map(alerted.map(({ propertyCode, wording }) => [propertyCode, wording?.words]));
  const { alertCount } = await writeEvents(db, feed, await applyRules(db, plain, wordsOf), now);
  if (ahead) await sendAhead(db, { ...writtenAhead(ahead), now });
  await completeMailListings(db, [...changes.fresh, ...changes.older]);
  if (feed.failedRounds >= DOWN_AFTER_ROUNDS) {
    await alertSourceUp(db, { feedKey: feed.key }, { now, mayHaveMissed: hasGap });
  }
  const coveredAt = new Date(ingest.startedAt);
  await noteGaps(db, feed, { ...ingest, hasGap, listings: reading.listings, isWhole, coveredAt });
  const covered = await finish(db, ingest, whole);
  if (scan) await deleteFullScan(db, feed.key);
  const alerts = (ahead?.alerts ?? 0) + alertCount;
  return { covered, freshListings: news.fresh, alerts, hasGap };
}

/** It is asked for cuts and for events. */
function findingOnce(index: FeedIndex): (listing: Listing) => string[] {
  const found = new WeakMap<Listing, string[]>();
  return (listing) => {
    const ids = found.get(listing) ?? index.find(listing);
    found.set(listing, ids);
    return ids;
  };
}

interface WholeReading {
  readonly reading: ReadFeed;
  /** The full scan that is part of it. */
  readonly scan: FullScan | undefined;
  readonly isWhole: boolean;
  readonly hasGap: boolean;
  readonly changes: FeedChanges;
}

/** The reading with the full scan that it connects to, compared with what the feed remembers. */
async function wholeReading(db: Db, { feed, reading: top }: Ingest): Promise<WholeReading> {
  const memory = await readMemory(db, feed, top.listings);
  const hasGap = feed.lastOkAt !== null && isGap(top, memory);
  const scan = canIngestScan(feed, top) ? await readFullScan(db, feed.key) : undefined;
  const reading = scan ? await withFullScan(db, top, scan) : top;
  const isWhole = reading.end === "end-of-list" || reading.end === "nothing-listed";
  const remembered = scan ? await readMemory(db, feed, reading.listings) : memory;
  const changes = detectChanges({ ...reading, isWhole }, remembered);
  return { reading, scan, isWhole, hasGap, changes };
}

/** Advances the feed. Returns it as far as its searches are covered now. */
async function finish(
  db: Db,
  { feed, startedAt, ...ingest }: Ingest,
  { reading, scan, isWhole, hasGap, changes }: WholeReading,
): Promise<FeedRow> {
  const isFirst = feed.lastOkAt === null;
  const coveredAt = new Date(startedAt);
  const isReadToEnd = isWhole || (feed.isReadToEnd && !hasGap);
  await finishCheck(db, feed.key, {
    now: new Date(ingest.now),
    nextCheckAt: new Date(nextCheckAt(feed.key, ingest.now, feed.intervalSeconds)),
    coveredAt,
    hasGap,
    topRank: changes.topRank,
    total: reading.total,
    requests: Math.max(1, reading.requests - ingest.scanPages),
    arrived: changes.arrived,
    isReadToEnd,
    isDeep: scan !== undefined || isFirst || ingest.scanPages > 0,
    isFirst,
  });
  const coveredFrom = isFirst || hasGap ? coveredAt : feed.coveredFrom;
  return { ...feed, isReadToEnd, coveredAt, coveredFrom, topRank: changes.topRank };
}

function codesToCompare({ fresh, changed }: FeedChanges): string[] {
  const corrected = changed.filter(({ isCorrected }) => isCorrected).map(({ listing }) => listing);
  return [...fresh, ...corrected].map(({ propertyCode }) => propertyCode);
}

/** Appends the listings of the full scan below those of the check. The scan is some minutes older, so newer data wins. */
async function withFullScan(db: Db, reading: ReadFeed, scan: FullScan): Promise<ReadFeed> {
  const top = new Set(reading.listings.map(({ propertyCode }) => propertyCode));
  const below = new Map<string, Listing>();
  for (const listing of scan.listings) {
    if (!top.has(listing.propertyCode)) below.set(listing.propertyCode, listing);
  }
  for (const listing of await readRepricedSince(db, [...below.keys()], scan.baselineAt)) {
    below.set(listing.propertyCode, listing);
  }
  const end = reading.end === "end-of-list" || scan.isEndOfList ? "end-of-list" : "caught-up";
  return { ...reading, listings: [...reading.listings, ...below.values()], end };
}

/** A reading that reached known listings connects to what lies below. */
function canIngestScan(feed: FeedRow, { end }: ReadFeed): boolean {
  return feed.lastOkAt !== null && (end === "caught-up" || end === "end-of-list");
}

/** The page limit was reached, or the whole list is new: listings may have come and gone unseen in between. */
function isGap({ end, listings }: ReadFeed, { known, order }: FeedMemory): boolean {
  if (end === "end-of-list") return listings.length > 0 && known.size === 0;
  if (end !== "gap") return false;
  return lastAnchorOf(placesOf([...new Set(listings.map(({ propertyCode }) => propertyCode))], order)) === -1;
}

/** Stores the reading. Returns former adverts of fresh listings, and the listings that are gone. */
async function record(
  db: Db,
  { feed, ahead, ...ingest }: Ingest,
  { reading, changes, scan }: WholeReading,
  /** For the listings in alerts. The others keep their stored warnings. */
  warningsOf: ReadonlyMap<string, readonly Warning[] | undefined>,
) {
  const now = new Date(ingest.now);
  const codesOf = (listings: readonly Listing[]) => listings.map(({ propertyCode }) => propertyCode);
  const fresh = new Set(feed.lastOkAt === null ? [] : codesOf(changes.fresh));
  // What lies below was there before; at a first reading nobody knows since when.
  const olderSince = feed.coveredAt ?? new Date(ingest.startedAt);
  const rows = reading.listings.map((listing) => {
    const listedBy = fresh.has(listing.propertyCode) ? now : olderSince;
    return listingRowOf(listing, warningsOf.get(listing.propertyCode), listedBy);
  });
  await recordListings(db, rows, now);
  // When the check wrote its first listings.
  const since = ahead ? new Date(ahead.sinceMs) : now;
  const former = await linkReadverts(db, codesOf([...changes.fresh, ...changes.older]), since);
  await recordFeedListings(db, feed.key, changes.kept, now);
  await moveUp(db, feed.key, changes.moved);
  if (changes.missedAboveRank === null) return { former, gone: [] };
  const gone = await recordMissed(db, feed.key, {
    aboveRank: changes.missedAboveRank,
    metCodes: codesOf(reading.listings),
    // The reading cannot have missed listings that came later.
    seenUntil: scan?.baselineAt ?? now,
    untilGone: MISSES_UNTIL_GONE,
    now,
  });
  return { former, gone };
}
