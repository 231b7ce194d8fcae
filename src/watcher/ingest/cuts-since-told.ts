/**
 * Homes that a feed sees for the first time, and that cost less than people were told before: a mail or another feed was first.
 * Nobody saw the change of the price, so it is compared with the price that each person was told.
 */
import type { Listing } from "#core/listing/listing.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import { readHigherToldPrices } from "../rows/told-prices.ts";

export interface CutSinceTold {
  readonly listing: Listing;
  readonly toldPriceEur: number;
  readonly filterIds: string[];
}

/** One for each listing and price that was told. */
export async function findCutsSinceTold(
  db: Db,
  listings: readonly Listing[],
  find: (listing: Listing) => readonly string[],
): Promise<CutSinceTold[]> {
  const listingOf = new Map(listings.map((listing) => [listing.propertyCode, listing]));
  const asked = [...listingOf.values()].map((listing) => {
    return { listingId: listing.propertyCode, priceEur: listing.priceEur, filterIds: find(listing) };
  });
  const told = await readHigherToldPrices(db, asked);
  return told.flatMap(({ listingId, ...cut }) => {
    const listing = listingOf.get(listingId);
    return listing ? [{ listing, ...cut }] : [];
  });
}
