/**
 * A search comes to a feed. A new one takes what the feed lists as its baseline and hears once that the watch has
 * begun; one that another feed served before hears what that one can no longer have shown it.
 */

import type { Listing } from "#core/listing/listing.ts";
import { createFilterIndex } from "#core/matching/filter-index.ts";
import type { Db } from "#store/connection/json-parameter.ts";
import type { FeedRow } from "#store/feeds/feeds.ts";
import { type JoiningSearch, markJoined, readJoiningSearches } from "#store/feeds/searches.ts";
import { tellBegun, tellFound, tellSight } from "#store/listings/found-listings.ts";
import { readListed, readMissedByMove } from "#store/listings/portal-listings.ts";
import { searchOf } from "../check/feed-indexes.ts";
import { alertListingOf, detailsOf } from "./alert-listing.ts";
import { medianOf, readMarketMedians } from "./market-medians.ts";

const SHOWN = 3;
/** At once; more come in the next turn, so that a crowd does not hold the feed. */
const JOINED_AT_ONCE = 2_000;
/** More would take long to match and say little more than "many". */
const LISTED_AT_MOST = 2_000;

export interface Join {
  readonly feed: FeedRow;
  readonly now: number;
  readonly checkIntervalSeconds: number;
}

/** The feed is locked by the caller, and has looked. Gives how many came. */
export async function joinSearches(db: Db, join: Join): Promise<number> {
  const { feed } = join;
  const now = new Date(join.now);
  const joining = await readJoiningSearches(db, feed.key, JOINED_AT_ONCE);
  if (joining.length === 0) return 0;
  await markJoined(
    db,
    feed.key,
    joining.map(({ filterId }) => filterId),
    now,
  );
  await begin(
    db,
    join,
    joining.filter(({ hasBegun }) => !hasBegun),
  );
  const moved = joining.filter(({ hasBegun }) => hasBegun);
  if (moved.length > 0) {
    await catchUp(db, join, moved);
    const filterIds = moved.map(({ filterId }) => filterId);
    await tellSight(db, { feedKey: feed.key, filterIds }, { now, mayHaveMissed: false });
  }
  return joining.length;
}

async function begin(db: Db, { feed, now: nowMs }: Join, joining: readonly JoiningSearch[]): Promise<void> {
  if (joining.length === 0) return;
  const now = new Date(nowMs);
  const listed = await readListed(db, feed.key, LISTED_AT_MOST);
  const matchesOf = matchEach(feed, joining, listed);
  const shown = new Set(joining.flatMap(({ filterId }) => matchesOf.get(filterId)?.newest ?? []));
  const medians = await readMarketMedians(db, [...shown], now);
  const begun = joining.map(({ filterId, userId, filterUrl }) => {
    const { count, newest } = matchesOf.get(filterId) ?? { count: 0, newest: [] };
    return {
      userId,
      payload: {
        filterUrl,
        matchCount: count,
        isAtLeast: !feed.isReadToEnd || listed.length === LISTED_AT_MOST,
        newest: newest.map((listing) => alertListingOf(listing, medianOf(medians, listing))),
      },
      newest: newest.map((listing) => ({ listingId: listing.propertyCode, details: detailsOf(listing) })),
    };
  });
  await tellBegun(db, begun, now);
}

interface Matches {
  count: number;
  readonly newest: Listing[];
}

function matchEach(feed: FeedRow, joining: readonly JoiningSearch[], listed: readonly Listing[]) {
  const found = new Map<string, Matches>(joining.map(({ filterId }) => [filterId, { count: 0, newest: [] }]));
  const find = finderOf(feed, joining);
  for (const listing of listed) {
    for (const id of find(listing)) {
      const matches = found.get(id);
      if (!matches) continue;
      matches.count += 1;
      if (matches.newest.length < SHOWN) matches.newest.push(listing);
    }
  }
  return found;
}

function finderOf(feed: FeedRow, joining: readonly JoiningSearch[]): (listing: Listing) => string[] {
  if (feed.source === "by-url") {
    const everyone = joining.map(({ filterId }) => filterId);
    return () => everyone;
  }
  const index = createFilterIndex<string>();
  for (const { filterId, searchKey } of joining) {
    const search = searchOf(searchKey);
    if (search) index.put(filterId, search);
  }
  return (listing) => index.find(listing);
}

async function catchUp(db: Db, join: Join, moved: readonly JoiningSearch[]): Promise<void> {
  const groups = Map.groupBy(moved, ({ movedFrom, movedSince }) => `${movedSince?.getTime()} ${movedFrom}`);
  for (const group of groups.values()) {
    const { movedFrom, movedSince } = group[0] ?? {};
    if (!movedFrom || !movedSince) continue;
    const listings = await readMissedByMove(db, {
      feedKey: join.feed.key,
      movedFrom,
      movedSince,
      marginSeconds: join.checkIntervalSeconds,
    });
    await tellMoved(db, join, { group, listings });
  }
}

async function tellMoved(
  db: Db,
  { feed, now: nowMs }: Join,
  { group, listings }: { group: readonly JoiningSearch[]; listings: readonly Listing[] },
): Promise<void> {
  const now = new Date(nowMs);
  const find = finderOf(feed, group);
  const medians = await readMarketMedians(db, listings, now);
  const events = listings.map((listing) => ({
    kind: "new" as const,
    listingId: listing.propertyCode,
    eventKey: "",
    payload: { listing: alertListingOf(listing, medianOf(medians, listing)) },
    details: detailsOf(listing),
    filterIds: find(listing),
  }));
  await tellFound(db, feed.key, events, now);
}
