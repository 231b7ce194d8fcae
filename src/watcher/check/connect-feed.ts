/** Decides how deep a check reads: until the list connects to everything that it continues. */
import type { Listing } from "#core/listing/listing.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import { readKnown, readOrder } from "../rows/feed-memory.ts";
import { type FormerFeed, hasNewSearches, readFormerFeeds } from "../rows/feeds/coverage.ts";
import type { FeedRow } from "../rows/feeds/feeds.ts";
import { ANCHORS, lastAnchorOf, placesOf } from "./anchors.ts";
import { type FormerOrder, readFormerOrder } from "./former-order.ts";
import type { ReadOptions } from "./read-newest.ts";

/** An edited search may have come from a feed of another place, which this one never meets. */
const MOST_PAGES_FOR_EDITED = 8;
/** Beyond what was read: adverts that were withdrawn or renewed since. */
const REMEMBERED_MORE = 300;

export interface Depth extends Pick<ReadOptions, "connects" | "maxPages"> {
  /** It has connected and reads on: a page by itself does not tell what is new on it. */
  readonly isReadingOn: () => boolean;
}

export interface DepthLimits {
  /** A feed's first reading has this many pages, if nothing is continued. */
  readonly baseline: number;
  readonly newest: number;
  /** Pages beyond the connection, if the source says that it lists more than was found. */
  readonly extra: number;
  /** Pages beyond the connection in any case. */
  readonly further: number;
}

export async function depthOf(db: Db, feed: FeedRow, limits: DepthLimits): Promise<Depth> {
  const isFirst = feed.lastOkAt === null;
  const former = await readFormerFeeds(db, feed.key);
  // What the feed remembers reaches as far back.
  const continued = former.filter(({ since }) => feed.coveredFrom === null || since < feed.coveredFrom);
  const wanted = isFirst ? continued : [{ fromKey: feed.key, isEdited: false }, ...continued];
  // What is on offer is shown to new searches.
  const least =
    isFirst && (continued.length === 0 || (await hasNewSearches(db, feed.key))) ? limits.baseline : 1;
  const orders = new Map<string, FormerOrder>();
  let pages = 0;
  let extra = 0;
  let further = 0;
  return {
    maxPages: wanted.length === 0 ? limits.baseline : limits.newest,
    isReadingOn: () => further + extra > 0,
    connects: async (codes, total, listings) => {
      pages += 1;
      if (wanted.length === 0 || pages < least) return false;
      const near = wanted.filter(({ isEdited }) => !isEdited || pages < MOST_PAGES_FOR_EDITED);
      if (!(await connectsToAll(db, near, { feed, codes, listings, orders }))) return false;
      if (further < limits.further) {
        further += 1;
        return false;
      }
      if (extra >= limits.extra || !(await listsMore(db, feed, { codes, total }))) return true;
      extra += 1;
      return false;
    },
  };
}

async function connectsToAll(
  db: Db,
  wanted: readonly Pick<FormerFeed, "fromKey">[],
  read: ReadSoFar,
): Promise<boolean> {
  for (const one of wanted) {
    const isOwn = one.fromKey === read.feed.key;
    const connects = isOwn ? connectsToOwn(db, one.fromKey, read.codes) : connectsToFormer(db, one, read);
    if (!(await connects)) return false;
  }
  return true;
}

async function connectsToOwn(db: Db, key: string, codes: readonly string[]): Promise<boolean> {
  const order = await readOrder(db, key, codes.length + REMEMBERED_MORE);
  // Of fewer the list is read to its end.
  return order.length >= ANCHORS && lastAnchorOf(placesOf(codes, order)) !== -1;
}

interface ReadSoFar {
  readonly feed: FeedRow;
  readonly codes: readonly string[];
  readonly listings: readonly Listing[];
  /** By feed key. */
  readonly orders: Map<string, FormerOrder>;
}

async function connectsToFormer(
  db: Db,
  former: Pick<FormerFeed, "fromKey">,
  { feed, codes, listings, orders }: ReadSoFar,
): Promise<boolean> {
  const known = orders.get(former.fromKey) ?? (await readFormerOrder(db, feed, former.fromKey));
  orders.set(former.fromKey, known);
  const { order, isShared } = known;
  // Fewer are no anchors.
  if (order.length < ANCHORS) return true;
  const met = isShared ? listings.filter(isShared).map(({ propertyCode }) => propertyCode) : codes;
  return lastAnchorOf(placesOf(met, order)) !== -1;
}

/** More than before, and more than the new ones among those that were read: something is new further down. */
async function listsMore(
  db: Db,
  feed: FeedRow,
  { codes, total }: { codes: readonly string[]; total: number },
): Promise<boolean> {
  if (feed.listedTotal === null || total <= feed.listedTotal) return false;
  const known = await readKnown(db, feed.key, codes);
  const listed = [...known.values()].filter(({ goneAt }) => goneAt === null).length;
  return total - feed.listedTotal > codes.length - listed;
}
