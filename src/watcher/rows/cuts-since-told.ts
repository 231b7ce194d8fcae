/**
 * Homes that a feed sees for the first time, and that cost less than people were told before: a mail or another feed was first.
 * Nobody saw the change of the price, so it is compared with the price that each person was told.
 */
import type { Listing } from "#core/listing/listing.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

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

interface ToldPrice {
  readonly listingId: string;
  readonly toldPriceEur: number;
  /** The searches of the people who were told this price. */
  readonly filterIds: string[];
}

interface FittingListing {
  readonly listingId: string;
  readonly priceEur: number;
  /** The searches that it fits. */
  readonly filterIds: readonly string[];
}

/** The higher prices at which people were told of these listings, from a mail or another feed. */
async function readHigherToldPrices(db: Db, listings: readonly FittingListing[]): Promise<ToldPrice[]> {
  // Zero stands for an unknown price.
  const asked = listings.filter(({ priceEur, filterIds }) => priceEur > 0 && filterIds.length > 0);
  if (asked.length === 0) return [];
  return await db<ToldPrice[]>`
    select advert."listingId", told.price_eur as "toldPriceEur", jsonb_agg(target.filter_id order by target.filter_id) as "filterIds"
    from jsonb_to_recordset(${jsonOf(db, asked)}) as advert ("listingId" text, "priceEur" float8, "filterIds" jsonb)
    cross join jsonb_array_elements_text(advert."filterIds") as target (filter_id)
    cross join lateral (
      select user_id from watch.compiled_searches where compiled_searches.filter_id = target.filter_id::uuid offset 0
    ) as searches
    cross join lateral (
      select price_eur from watch.told
      where told.user_id = searches.user_id and told.listing_id = advert."listingId" offset 0
    ) as told
    where told.price_eur > advert."priceEur"
    group by advert."listingId", told.price_eur order by advert."listingId", told.price_eur`;
}
