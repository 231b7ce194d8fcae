import type { Listing } from "#core/listing/listing.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import type { FeedRow } from "../rows/feeds/feeds.ts";
import { readKnown, readRanks } from "../rows/portal-listings.ts";
import type { FeedMemory, KnownListing } from "./detect-changes.ts";

/** More than withdrawn adverts can push out of a reading. */
const REMEMBERED_MORE = 300;

/** What the feed remembers, as far down as these listings can reach. */
export async function readMemory(db: Db, feed: FeedRow, listings: readonly Listing[]): Promise<FeedMemory> {
  const codes = listings.map(({ propertyCode }) => propertyCode);
  const rows = await readKnown(db, feed.key, codes);
  const most = codes.length + REMEMBERED_MORE;
  const ranks = await readRanks(db, feed.key, most);
  return {
    known: new Map<string, KnownListing>(
      rows.map((row) => [row.listingId, { ...row, goneAt: row.goneAt?.getTime() ?? null }]),
    ),
    order: [...ranks.keys()],
    isAll: ranks.size < most,
    ranks,
    topRank: feed.topRank,
    isReadToEnd: feed.isReadToEnd,
  };
}
