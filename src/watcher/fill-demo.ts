import type { Listing } from "#core/listing.ts";
import { matches } from "#core/match.ts";
import { markDemoJoined, readDemoOfFeed } from "#store/demo-filters.ts";
import type { FeedRow } from "#store/feeds.ts";
import { recordDemoListings } from "#store/found-listings.ts";
import type { Db } from "#store/json-parameter.ts";
import { readListed } from "#store/portal-listings.ts";
import { searchOf } from "./feed-indexes.ts";
import { detailsOf } from "./told-listing.ts";

/** As many as the landing page shows. */
const FIRST_DEMO_LISTINGS = 5;
const FIRST_READ = 500;

/** The demo filter is watched like any other; its finds are for every visitor. */
export async function fillDemo(
  db: Db,
  feed: Pick<FeedRow, "key" | "source">,
  { fresh, now }: { fresh: readonly Listing[]; now: Date },
): Promise<void> {
  for (const demo of await readDemoOfFeed(db, feed.key)) {
    const search = searchOf(demo.searchKey ?? "");
    if (!search) continue;
    const found = (demo.hasJoined ? fresh : await readListed(db, feed.key, FIRST_READ)).filter(
      (listing) => feed.source === "by-url" || matches(search, listing).answer !== "no",
    );
    const shown = demo.hasJoined ? found : found.slice(0, FIRST_DEMO_LISTINGS);
    const rows = shown.map((listing) => ({ listingId: listing.propertyCode, details: detailsOf(listing) }));
    await recordDemoListings(db, demo.filterId, rows, now);
    if (!demo.hasJoined) await markDemoJoined(db, demo.filterId, now);
  }
}
