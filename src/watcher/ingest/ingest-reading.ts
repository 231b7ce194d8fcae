/**
 * What a reading means for people, written in the one transaction that also moves the feed on: either all of it
 * happened, or none and the next check finds the same again.
 */
import { detailsOf } from "#core/alert/alert-listing.ts";
import type { Listing } from "#core/listing/listing.ts";
import { marketKeyOf, pricePerM2Of, zoneIdOf } from "#core/listing/market.ts";
import type { Warning } from "#core/warnings/warning.ts";
import { wordingOf } from "#core/warnings/wording.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import { type FeedRow, finishCheck } from "#store/feeds/feeds.ts";
import { type FullScan, forgetFullScan, readFullScan, readRepricedSince } from "#store/feeds/full-scans.ts";
import { readAlertListings } from "#store/listings/alert-listings.ts";
import { addChangeAlerts, addFoundAlerts } from "#store/listings/found-listings.ts";
import { completeMailListings } from "#store/listings/mail-listings.ts";
import {
  linkReadverts,
  readKnown,
  recordFeedListings,
  recordListings,
  recordMissed,
} from "#store/listings/portal-listings.ts";
import { alertSourceUp } from "#store/listings/source-alerts.ts";
import type { FeedIndexes } from "../check/feed-indexes.ts";
import type { ReadFeed } from "../check/read-feed.ts";
import { nextCheckAt } from "../plan/feed-intervals.ts";
import {
  detectChanges,
  type FeedChanges,
  freshAboveKnown,
  type KnownListing,
  MISSES_UNTIL_GONE,
} from "./detect-changes.ts";
import { fillDemo } from "./fill-demo.ts";
import { foundEventsOf } from "./found-events.ts";
import { homeKeyOf, READVERT_PRICE_SHARE } from "./home-key.ts";
import { startSearches } from "./start-searches.ts";

export const DOWN_AFTER_ROUNDS = 3;

interface Ingest {
  readonly feed: FeedRow;
  readonly reading: ReadFeed;
  readonly now: number;
  readonly indexes: FeedIndexes;
  readonly checkIntervalSeconds: number;
}

export interface IngestResult {
  readonly fresh: number;
  readonly alerts: number;
  readonly hasGap: boolean;
}

/** The feed is locked by the caller, under the caller's lease. */
export async function ingestReading(db: Db, ingest: Ingest): Promise<IngestResult> {
  const { feed } = ingest;
  const now = new Date(ingest.now);
  const deep = canTakeDeep(feed, ingest.reading) ? await readFullScan(db, feed.key) : undefined;
  const reading = deep ? await withDeepReading(db, ingest.reading, deep) : ingest.reading;
  const isFirst = feed.lastOkAt === null;
  const isWhole = reading.end === "end-of-list" || reading.end === "nothing-listed";
  const known = await knownOf(db, feed.key, reading.listings);
  const changes = detectChanges({ listings: reading.listings, isWhole }, known, feed.topRank);
  const hasGap = !isFirst && isGap(reading, changes, known);
  const fresh = deep ? freshAboveKnown(reading.listings, known) : changes.fresh;

  const index = await ingest.indexes.at(db, feed);
  const told = [...fresh, ...[...changes.repriced, ...changes.back].map(({ listing }) => listing)];
  const alertListingOf = await readAlertListings(db, told, now);
  const signsOf = new Map(told.map((listing) => [listing.propertyCode, alertListingOf(listing).signs]));
  const recorded = await record(db, {
    feed,
    changes,
    reading,
    signsOf,
    missedFrom: deep?.baselineAt ?? now,
    now,
  });
  const find = (listing: Listing) => (isFirst ? [] : index.find(listing));
  const events = foundEventsOf({ ...changes, ...recorded, fresh, find, alertListingOf, now });
  // Before the rows of this reading are there: a listing that is new to a person has no former price to tell.
  const changed = await addChangeAlerts(db, feed, events.changed, now);
  const found = await addFoundAlerts(db, feed, events.found, now);
  await completeMailListings(db, changes.fresh, detailsOf);
  await fillDemo(db, feed, { fresh, now });
  if (feed.failedRounds >= DOWN_AFTER_ROUNDS) {
    await alertSourceUp(db, { feedKey: feed.key }, { now, mayHaveMissed: hasGap });
  }
  const isReadToEnd = isWhole || (feed.isReadToEnd && !hasGap);
  await finishCheck(db, feed.key, {
    now,
    nextCheckAt: new Date(nextCheckAt(feed.key, ingest.now, feed.intervalSeconds)),
    topRank: changes.topRank,
    requests: reading.requests,
    isReadToEnd,
    isDeep: deep !== undefined || isFirst,
    isFirst,
  });
  if (deep) await forgetFullScan(db, feed.key);
  await startSearches(db, { ...ingest, feed: { ...feed, isReadToEnd } });
  return { fresh: fresh.length, alerts: changed + found, hasGap };
}

/**
 * What a check has just read of the top of the list, and below it what the deep reading met: older by minutes, so that what
 * was seen since goes before it.
 */
async function withDeepReading(db: Db, reading: ReadFeed, deep: FullScan): Promise<ReadFeed> {
  const top = new Set(reading.listings.map(({ propertyCode }) => propertyCode));
  const below = new Map<string, Listing>();
  for (const listing of deep.listings) {
    if (!top.has(listing.propertyCode)) below.set(listing.propertyCode, listing);
  }
  for (const listing of await readRepricedSince(db, [...below.keys()], deep.baselineAt)) {
    below.set(listing.propertyCode, listing);
  }
  const end = reading.end === "end-of-list" || deep.isEndOfList ? "end-of-list" : "caught-up";
  return { ...reading, listings: [...reading.listings, ...below.values()], end };
}

/** A reading that reached what was known joins up with what lies below. */
function canTakeDeep(feed: FeedRow, { end }: ReadFeed): boolean {
  return feed.lastOkAt !== null && (end === "caught-up" || end === "end-of-list");
}

/** Everything on the list is new though there was a list before: what came and went in between cannot be known. */
function isGap({ end }: ReadFeed, { fresh }: FeedChanges, known: ReadonlyMap<string, unknown>): boolean {
  return end === "gap" || (end === "end-of-list" && fresh.length > 0 && known.size === 0);
}

async function knownOf(db: Db, feedKey: string, listings: readonly Listing[]) {
  const rows = await readKnown(
    db,
    feedKey,
    listings.map(({ propertyCode }) => propertyCode),
  );
  return new Map<string, KnownListing>(
    rows.map((row) => [row.listingId, { ...row, goneAt: row.goneAt?.getTime() ?? null }]),
  );
}

interface Recorded {
  readonly feed: FeedRow;
  readonly reading: ReadFeed;
  readonly changes: FeedChanges;
  /** Of what is told; the others keep those that they have. */
  readonly signsOf: ReadonlyMap<string, readonly Warning[] | undefined>;
  /** What came after this moment the reading cannot have missed. */
  readonly missedFrom: Date;
  readonly now: Date;
}

/** Gives what that shows: former adverts of what is fresh, and listings that are gone. */
async function record(db: Db, { feed, reading, changes, signsOf, missedFrom, now }: Recorded) {
  const codesOf = (listings: readonly Listing[]) => listings.map(({ propertyCode }) => propertyCode);
  const rows = reading.listings.map(({ photoUrls, ...listing }) => ({
    listing,
    homeKey: homeKeyOf(listing),
    marketKey: marketKeyOf(listing),
    pricePerM2Eur: pricePerM2Of(listing),
    placeId: zoneIdOf(listing),
    signs: signsOf.get(listing.propertyCode),
    photos: photoUrls,
    textKey: wordingOf(listing).textKey,
  }));
  await recordListings(db, rows, now);
  const former = await linkReadverts(db, codesOf(changes.fresh), { now, priceShare: READVERT_PRICE_SHARE });
  await recordFeedListings(db, feed.key, changes.kept, now);
  if (changes.missedAboveRank === null) return { former, gone: [] };
  const gone = await recordMissed(db, feed.key, {
    aboveRank: changes.missedAboveRank,
    metCodes: codesOf(reading.listings),
    seenUntil: missedFrom,
    untilGone: MISSES_UNTIL_GONE,
    now,
  });
  return { former, gone };
}
