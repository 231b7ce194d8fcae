import type { AlertListing } from "#core/alert/alert.ts";
import { alertListingOf } from "#core/alert/alert-listing.ts";
import type { HomeCard } from "#core/listing/home-card.ts";
import type { Listing } from "#core/listing/listing.ts";
import { comparedZoneOf } from "#core/listing/market.ts";
import type { SameText } from "#core/warnings/warnings-of.ts";
import { wordingOf } from "#core/warnings/wording.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import { readMarkets, zoneKey } from "#store/finds/market-figures.ts";

/** Returns how an alert shows each of these listings, compared with the published figures of its zone. */
export async function readAlertListings(
  db: Db,
  listings: readonly Listing[],
): Promise<(listing: Listing) => AlertListing & HomeCard> {
  const zoneIds = new Set(listings.flatMap((listing) => comparedZoneOf(listing) ?? []));
  const markets = await readMarkets(db, [...zoneIds]);
  const marketOf = (listing: Listing) => {
    const zoneId = comparedZoneOf(listing);
    return zoneId === null ? undefined : markets.get(zoneKey(zoneId, listing.operation));
  };
  const texts = listings.flatMap((listing) => {
    const { textKey } = wordingOf(listing);
    return textKey === null ? [] : [{ listingId: listing.propertyCode, textKey, town: listing.municipality }];
  });
  const sameTexts = await readSameTexts(db, texts);
  return (listing) =>
    alertListingOf(listing, { market: marketOf(listing), sameText: sameTexts.get(listing.propertyCode) });
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
    select advert."listingId", 1 + count(other.listing_id)::int as codes,
      count(distinct other.town) filter (where other.town is distinct from advert.town)::int
        + case when advert.town is null then 0 else 1 end as towns
    from jsonb_to_recordset(${jsonOf(db, listings)}) as advert ("listingId" text, "textKey" text, town text)
    cross join lateral (
      select portal.listing_id, portal.card ->> 'municipality' as town from watch.portal_listings as portal
      where portal.text_key = advert."textKey" and portal.listing_id <> advert."listingId" limit ${COUNTED_AT_MOST}
    ) as other
    group by advert."listingId", advert.town`;
  return new Map(rows.map(({ listingId, ...same }) => [listingId, same]));
}
