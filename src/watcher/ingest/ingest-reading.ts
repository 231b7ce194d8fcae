/**
 * What a reading means for people, written in the one transaction that also moves the feed on: either all of it
 * happened, or none and the next check finds the same again.
 */
import type { Listing } from "#core/listing/listing.ts";
import { listingFactsOf } from "#core/matching/listing-facts.ts";
import { matches } from "#core/matching/match.ts";
import type { Db } from "#store/connection/json-parameter.ts";
import {
  type DeepReading,
  forgetDeepReading,
  readDeepReading,
  readRepricedSince,
} from "#store/feeds/deep-readings.ts";
import { markDemoJoined, readDemoOfFeed } from "#store/feeds/demo-filters.ts";
import type { FeedRow } from "#store/feeds/feeds.ts";
import { finishCheck } from "#store/feeds/feeds.ts";
import {
  type FoundEvent,
  recordDemoListings,
  tellChanged,
  tellFound,
  tellSight,
} from "#store/listings/found-listings.ts";
import {
  type FormerAdvert,
  linkReadverts,
  readKnown,
  readListed,
  recordFeedListings,
  recordListings,
  recordMissed,
} from "#store/listings/portal-listings.ts";
import type { FeedIndex, FeedIndexes } from "../check/feed-indexes.ts";
import { searchOf } from "../check/feed-indexes.ts";
import type { ReadFeed } from "../check/read-feed.ts";
import { nextCheckAt } from "../plan/feed-intervals.ts";
import {
  alertListingOf,
  detailsOf,
  homeKeyOf,
  marketKeyOf,
  pricePerM2Of,
  READVERT_PRICE_SHARE,
} from "./alert-listing.ts";
import {
  detectChanges,
  type FeedChanges,
  freshAboveKnown,
  type KnownListing,
  MISSES_UNTIL_GONE,
} from "./detect-changes.ts";
import { joinSearches } from "./join-searches.ts";
import { medianOf, readMarketMedians } from "./market-medians.ts";

export const BLIND_AFTER_ROUNDS = 3;

export interface Ingest {
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
  const { feed, indexes } = ingest;
  const deep = canJoinDeep(feed, ingest.reading) ? await readDeepReading(db, feed.key) : undefined;
  const reading = deep ? await withDeepReading(db, ingest.reading, deep) : ingest.reading;
  const now = new Date(ingest.now);
  const index = await indexes.at(db, feed);
  const isFirst = feed.lastOkAt === null;
  const isWhole = reading.end === "end-of-list" || reading.end === "nothing-listed";
  const known = await knownOf(db, feed.key, reading.listings);
  const changes = detectChanges({ listings: reading.listings, isWhole }, known, feed.topRank);
  const hasGap = !isFirst && isGap(reading, changes, known);

  const news = deep ? freshAboveKnown(reading.listings, known) : changes.fresh;

  const missedFrom = deep?.begunAt ?? now;
  const events = await recordChanges(db, { ...ingest, reading }, { changes, news, index, missedFrom });
  // Before the rows of this reading are there: a listing that is new to a person has no former price to tell.
  const changed = await tellChanged(db, feed.key, events.changed, now);
  const found = await tellFound(db, feed.key, events.found, now);
  await fillDemo(db, feed, { fresh: news, now });
  if (feed.failedRounds >= BLIND_AFTER_ROUNDS) {
    await tellSight(db, { feedKey: feed.key }, { now, mayHaveMissed: hasGap });
  }
  await finishCheck(db, feed.key, {
    now,
    nextCheckAt: new Date(nextCheckAt(feed.key, ingest.now, feed.intervalSeconds)),
    topRank: changes.topRank,
    requests: reading.requests,
    isWhole,
    isDeep: deep !== undefined || isFirst,
    isFirst,
    hasGap,
  });
  if (deep) await forgetDeepReading(db, feed.key);
  const isReadToEnd = isWhole || (feed.isReadToEnd && !hasGap);
  await joinSearches(db, { ...ingest, feed: { ...feed, isReadToEnd } });
  return { fresh: news.length, alerts: changed + found, hasGap };
}

/**
 * What a check has just read of the top of the list, and below it what the deep reading met: older by minutes, so that what
 * was seen since goes before it.
 */
async function withDeepReading(db: Db, reading: ReadFeed, deep: DeepReading): Promise<ReadFeed> {
  const top = new Set(reading.listings.map(({ propertyCode }) => propertyCode));
  const below = new Map<string, Listing>();
  for (const listing of deep.listings) {
    if (!top.has(listing.propertyCode)) below.set(listing.propertyCode, listing);
  }
  for (const listing of await readRepricedSince(db, [...below.keys()], deep.begunAt)) {
    below.set(listing.propertyCode, listing);
  }
  const end = reading.end === "end-of-list" || deep.isEndOfList ? "end-of-list" : "caught-up";
  return { ...reading, listings: [...reading.listings, ...below.values()], end };
}

/** A reading that reached what was known joins up with what lies below. */
function canJoinDeep(feed: FeedRow, { end }: ReadFeed): boolean {
  return feed.lastOkAt !== null && (end === "caught-up" || end === "end-of-list");
}

/** Everything on the list is new though there was a list before: what came and went in between cannot be known. */
function isGap(
  { end }: Ingest["reading"],
  { fresh }: FeedChanges,
  known: ReadonlyMap<string, unknown>,
): boolean {
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

interface Finding {
  readonly changes: FeedChanges;
  readonly news: readonly Listing[];
  readonly index: FeedIndex;
  /** What came after this moment the reading cannot have missed. */
  readonly missedFrom: Date;
}

async function recordChanges(
  db: Db,
  { feed, reading, now: nowMs }: Ingest,
  { changes, news, index, missedFrom }: Finding,
) {
  const now = new Date(nowMs);
  const find = (listing: Listing) => (feed.lastOkAt === null ? [] : index.find(listing));
  const freshFinds = news.map((listing) => ({ listing, filterIds: find(listing) }));
  const repricedFinds = changes.repriced.map((repriced) => ({
    ...repriced,
    ...splitByPrice(find, repriced),
  }));
  const backFinds = changes.back.map((back) => ({ ...back, filterIds: find(back.listing) }));
  const medians = await readMarketMedians(
    db,
    [...freshFinds, ...repricedFinds, ...backFinds].map(({ listing }) => listing),
    now,
  );
  const told = (listing: Listing) => alertListingOf(listing, medianOf(medians, listing));

  await recordListings(db, reading.listings.map(portalListingOf), now);
  const former = await linkReadverts(
    db,
    changes.fresh.map(({ propertyCode }) => propertyCode),
    { now, priceShare: READVERT_PRICE_SHARE },
  );
  await recordFeedListings(db, feed.key, changes.kept, now);
  const gone = await missedBy(db, feed.key, { changes, reading, missedFrom, now });

  const formerOf = new Map(former.map((advert) => [advert.listingId, advert]));
  const found: FoundEvent[] = [
    ...freshFinds.map(({ listing, filterIds }) =>
      foundEvent(listing, { filterIds, told, former: formerOf.get(listing.propertyCode) }),
    ),
    ...repricedFinds.map(({ listing, newlyIds }) => foundEvent(listing, { filterIds: newlyIds, told })),
  ].filter(({ filterIds }) => filterIds.length > 0);
  const changed: FoundEvent[] = [
    ...repricedFinds.flatMap((repriced) => dropEvent(repriced, told)),
    ...backFinds.map(({ listing, goneAt, filterIds }) => ({
      ...eventOf("back", listing, { listing: told(listing) }),
      eventKey: new Date(goneAt).toISOString(),
      filterIds,
    })),
    ...gone.map((listing) => ({
      ...eventOf("gone", listing, { listing: told(listing) }),
      eventKey: now.toISOString(),
    })),
  ];
  return { found, changed };
}

interface Repriced {
  readonly listing: Listing;
  readonly formerPriceEur: number;
}

/** Whom it fits at the new price, and whom of these it did not fit at the former one. */
function splitByPrice(find: (listing: Listing) => string[], { listing, formerPriceEur }: Repriced) {
  const filterIds = find(listing);
  const before = new Set(find({ ...listing, priceEur: formerPriceEur }));
  return { filterIds, newlyIds: filterIds.filter((id) => !before.has(id)) };
}

function dropEvent(
  { listing, formerPriceEur, filterIds }: Repriced & { filterIds: readonly string[] },
  told: (listing: Listing) => unknown,
): FoundEvent[] {
  if (listing.priceEur >= formerPriceEur) return [];
  const dropPercent = Math.max(1, Math.round((1 - listing.priceEur / formerPriceEur) * 100));
  const payload = { listing: told(listing), formerPriceEur, dropPercent };
  return [{ ...eventOf("price-drop", listing, payload), eventKey: String(listing.priceEur), filterIds }];
}

function foundEvent(
  listing: Listing,
  how: {
    filterIds: readonly string[];
    told: (listing: Listing) => unknown;
    former?: FormerAdvert | undefined;
  },
): FoundEvent {
  const { filterIds, told, former } = how;
  const payload = former
    ? {
        listing: told(listing),
        formerListingId: former.formerListingId,
        formerPriceEur: former.formerPriceEur,
      }
    : { listing: told(listing) };
  return { ...eventOf(former ? "readvertised" : "new", listing, payload), filterIds };
}

function eventOf(kind: FoundEvent["kind"], listing: Listing, payload: unknown): FoundEvent {
  return {
    kind,
    listingId: listing.propertyCode,
    eventKey: "",
    payload,
    details: detailsOf(listing),
    filterIds: [],
  };
}

function portalListingOf(listing: Listing) {
  return {
    listing,
    homeKey: homeKeyOf(listing),
    marketKey: marketKeyOf(listing),
    pricePerM2Eur: pricePerM2Of(listing),
  };
}

async function missedBy(
  db: Db,
  feedKey: string,
  {
    changes,
    reading,
    missedFrom,
    now,
  }: Pick<Finding, "changes" | "missedFrom"> & {
    reading: ReadFeed;
    now: Date;
  },
): Promise<Listing[]> {
  if (changes.missedAboveRank === null) return [];
  return await recordMissed(db, feedKey, {
    aboveRank: changes.missedAboveRank,
    metCodes: reading.listings.map(({ propertyCode }) => propertyCode),
    seenUntil: missedFrom,
    untilGone: MISSES_UNTIL_GONE,
    now,
  });
}

/** As many as the landing page shows. */
const FIRST_DEMO_LISTINGS = 5;
const FIRST_READ = 500;

/** The demo filter is watched like any other; its finds are for every visitor. */
async function fillDemo(
  db: Db,
  feed: Pick<FeedRow, "key" | "source">,
  { fresh, now }: { fresh: readonly Listing[]; now: Date },
): Promise<void> {
  for (const demo of await readDemoOfFeed(db, feed.key)) {
    const search = searchOf(demo.searchKey ?? "");
    if (!search) continue;
    const found = (demo.hasJoined ? fresh : await readListed(db, feed.key, FIRST_READ)).filter(
      (listing) => feed.source === "by-url" || matches(search, listingFactsOf(listing)) !== "no",
    );
    const shown = demo.hasJoined ? found : found.slice(0, FIRST_DEMO_LISTINGS);
    const rows = shown.map((listing) => ({ listingId: listing.propertyCode, details: detailsOf(listing) }));
    await recordDemoListings(db, demo.filterId, rows, now);
    if (!demo.hasJoined) await markDemoJoined(db, demo.filterId, now);
  }
}
