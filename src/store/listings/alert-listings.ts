import type { AlertListing } from "#core/alert/alert.ts";
import { alertListingOf } from "#core/alert/alert-listing.ts";
import type { Listing } from "#core/listing/listing.ts";
import { marketKeyOf } from "#core/listing/market.ts";
import type { SameText } from "#core/warnings/warnings-of.ts";
import { wordingOf } from "#core/warnings/wording.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import { readMedians } from "./portal-listings.ts";

/** Fewer listings are not representative. */
const FEWEST_SAMPLES = 20;
const COMPARED_DAYS = 90;

/** Returns how an alert shows each of these listings, compared with similar ones of the last months. */
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

interface WithText {
  readonly listingId: string;
  readonly textKey: string;
  readonly town: string | null;
}

/** More adverts of one text add no information. */
const COUNTED_AT_MOST = 200;

/** By listing id, for listings whose text feeds have also seen under another code. */
async function readSameTexts(db: Db, listings: readonly WithText[]): Promise<Map<string, SameText>> {
  if (listings.length === 0) return new Map();
  const rows = await db<({ listingId: string } & SameText)[]>`
    select asked."listingId", 1 + count(met.listing_id)::int as codes,
      count(distinct met.town) filter (where met.town is distinct from asked.town)::int
        + case when asked.town is null then 0 else 1 end as towns
    from jsonb_to_recordset(${jsonOf(db, listings)}) as asked ("listingId" text, "textKey" text, town text)
    cross join lateral (
      select portal.listing_id, portal.listing ->> 'municipality' as town from watch.portal_listings as portal
      where portal.text_key = asked."textKey" and portal.listing_id <> asked."listingId" limit ${COUNTED_AT_MOST}
    ) as met
    group by asked."listingId", asked.town`;
  return new Map(rows.map(({ listingId, ...same }) => [listingId, same]));
}
