import type { AlertListing } from "#core/alert/alert.ts";
import { alertListingOf } from "#core/alert/alert-listing.ts";
import type { Listing } from "#core/listing/listing.ts";
import { marketKeyOf } from "#core/listing/market.ts";
import { wordingOf } from "#core/warnings/wording.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import { readSameTexts } from "../finds/same-texts.ts";
import { readMedians } from "./portal-listings.ts";

/** Fewer listings say too little of what is usual. */
const FEWEST_SAMPLES = 20;
const COMPARED_DAYS = 90;

/** How an alert shows each of these listings, compared with what was seen around it in the last months. */
export async function readAlertListings(
  db: Db,
  listings: readonly Listing[],
  now: Date,
): Promise<(listing: Listing) => AlertListing> {
  const keys = new Set(listings.flatMap((listing) => marketKeyOf(listing) ?? []));
  const since = new Date(now.getTime() - COMPARED_DAYS * 86_400_000);
  const rows = await readMedians(db, [...keys], { since, fewest: FEWEST_SAMPLES });
  const medians = new Map(rows.map((row) => [row.marketKey, row]));
  const texts = listings.flatMap((listing) => {
    const { textKey } = wordingOf(listing);
    return textKey === null ? [] : [{ listingId: listing.propertyCode, textKey, town: listing.municipality }];
  });
  const sameTexts = await readSameTexts(db, texts);
  return (listing) =>
    alertListingOf(listing, medians.get(marketKeyOf(listing) ?? ""), sameTexts.get(listing.propertyCode));
}
