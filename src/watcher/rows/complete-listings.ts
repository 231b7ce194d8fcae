import type { Listing } from "#core/listing/listing.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

/** Fills missing details of listings that came by mail with a feed's data, without changing existing ones. */
export async function completeMailListings(
  db: Db,
  listings: readonly Listing[],
  detailsOf: (listing: Listing) => unknown,
): Promise<void> {
  if (listings.length === 0) return;
  const codes = listings.map(({ propertyCode }) => propertyCode);
  const rows = await db<{ listing_id: string }[]>`
    select distinct listing_id from watch.mail_listings
    where listing_id in (select jsonb_array_elements_text(${jsonOf(db, codes)}))`;
  if (rows.length === 0) return;
  const mailed = new Set(rows.map(({ listing_id }) => listing_id));
  const facts = listings
    .filter(({ propertyCode }) => mailed.has(propertyCode))
    .map((listing) => ({ listingId: listing.propertyCode, details: detailsOf(listing) }));
  await db`
    update public.listings set details = whole.details
    from jsonb_to_recordset(${jsonOf(db, facts)}) as facts ("listingId" text, details jsonb)
    join watch.mail_listings as mailed on mailed.listing_id = facts."listingId"
    join public.listings as held on held.user_id = mailed.user_id and held.listing_id = mailed.listing_id
    cross join lateral (select facts.details || jsonb_strip_nulls(held.details) as details) as whole
    where listings.user_id = held.user_id and listings.listing_id = held.listing_id and held.details <> whole.details`;
}
