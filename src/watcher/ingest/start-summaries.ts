import { detailsOf } from "#core/alert/alert-listing.ts";
import type { Listing } from "#core/listing/listing.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import { readAlertListings } from "../rows/alert-listings.ts";
import type { StartingSearch } from "../rows/feeds/coverage.ts";
import { addWatchStartedAlerts } from "../rows/watch-started.ts";

const SHOWN = 3;

/** Homes that are not told one by one, in one message. */
export interface Summary {
  readonly search: StartingSearch;
  /** Newest first. */
  readonly homes: readonly Listing[];
  readonly isAtLeast: boolean;
  /** Undefined: the search is new. */
  readonly occasion: "edit" | "pause" | undefined;
}

export async function addSummaries(db: Db, summaries: readonly Summary[], now: Date): Promise<void> {
  const shown = new Set(summaries.flatMap(({ homes }) => homes.slice(0, SHOWN)));
  const alertListingOf = await readAlertListings(db, [...shown]);
  const begun = summaries.map(({ search, homes, isAtLeast, occasion }) => {
    const newest = homes.slice(0, SHOWN);
    return {
      userId: search.userId,
      filterId: search.filterId,
      payload: {
        filterUrl: search.filterUrl,
        matchCount: homes.length,
        isAtLeast,
        newest: newest.map(alertListingOf),
        ...(occasion && { occasion }),
      },
      newest: newest.map((listing) => ({
        listingId: listing.propertyCode,
        details: detailsOf(listing),
        priceEur: listing.priceEur,
      })),
    };
  });
  await addWatchStartedAlerts(db, begun, now);
}
