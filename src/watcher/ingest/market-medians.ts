import type { Listing } from "#core/listing/listing.ts";
import type { Db } from "#store/connection/json-parameter.ts";
import { readMedians } from "#store/listings/portal-listings.ts";
import { FEWEST_SAMPLES, type MarketMedian, marketKeyOf } from "./alert-listing.ts";

const COMPARED_DAYS = 90;

export type MarketMedians = ReadonlyMap<string, MarketMedian>;

/** What is usual around these listings, of what was seen in the last months. */
export async function readMarketMedians(
  db: Db,
  listings: readonly Listing[],
  now: Date,
): Promise<MarketMedians> {
  const keys = new Set(listings.flatMap((listing) => marketKeyOf(listing) ?? []));
  const since = new Date(now.getTime() - COMPARED_DAYS * 86_400_000);
  const rows = await readMedians(db, [...keys], { since, fewest: FEWEST_SAMPLES });
  return new Map(rows.map((row) => [row.marketKey, row]));
}

export function medianOf(medians: MarketMedians, listing: Listing): MarketMedian | undefined {
  return medians.get(marketKeyOf(listing) ?? "");
}
