import { detailsOf } from "#core/alert/alert-listing.ts";
import type { Listing } from "#core/listing/listing.ts";
import { listingFactsOf } from "#core/matching/listing-facts.ts";
import { matches } from "#core/matching/match.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import { searchOfKey } from "../check/feed-indexes.ts";
import { readListed } from "../rows/feed-memory.ts";
import { markDemoStarted, readDemoOfFeed, recordDemoListings } from "../rows/feeds/demo-filters.ts";
import type { FeedRow } from "../rows/feeds/feeds.ts";

/** The number that the landing page shows. */
const FIRST_DEMO_LISTINGS = 5;
const FIRST_READ = 500;

/** The demo filter is watched like any other, and its listings are shown to every visitor. */
export async function fillDemo(
  db: Db,
  feed: Pick<FeedRow, "key" | "source">,
  { fresh, now }: { fresh: readonly Listing[]; now: Date },
): Promise<void> {
  for (const demo of await readDemoOfFeed(db, feed.key)) {
    const search = searchOfKey(demo.searchKey ?? "");
    if (!search) continue;
    const found = (demo.hasStarted ? fresh : await readListed(db, feed.key, FIRST_READ)).filter(
      (listing) => feed.source === "by-url" || matches(search, listingFactsOf(listing)) !== "no",
    );
    const shown = demo.hasStarted ? found : found.slice(0, FIRST_DEMO_LISTINGS);
    const rows = shown.map((listing) => ({ listingId: listing.propertyCode, details: detailsOf(listing) }));
    await recordDemoListings(db, demo.filterId, rows, now);
    if (!demo.hasStarted) await markDemoStarted(db, demo.filterId, now);
  }
}
