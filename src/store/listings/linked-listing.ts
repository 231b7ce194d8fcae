/** What is known of a listing whose link a person has: from any feed, or from their own alert mails. */
import type { Listing } from "#core/listing/listing.ts";
import type { SimilarTo } from "#core/search/similar-search.ts";
import type { Db } from "#platform/database/json-parameter.ts";

/** Of the tables `met` and `mailed` below; null if neither has the facts that a similar search needs. */
export function similarTo(db: Db) {
  return db`(
    select jsonb_build_object(
      'operation', known.listing -> 'operation', 'kind', known.listing -> 'kind', 'rooms', known.listing -> 'rooms',
      'priceEur', coalesce(met.price_eur, mailed.price_eur), 'placeId', coalesce(met.place_id, mailed.listing ->> 'placeId')
    )
    from (select coalesce(met.listing, mailed.listing) as listing) as known
    where known.listing ->> 'operation' is not null and known.listing ->> 'kind' is not null
  )`;
}

export interface LinkedListing {
  readonly listing: Pick<Listing, "propertyCode"> & Partial<Listing>;
  readonly priceEur: number;
  readonly similarTo: SimilarTo | null;
  /** Its changes can be reported to this person. */
  readonly canBeWatched: boolean;
  readonly isKept: boolean;
}

export async function readLinkedListing(
  db: Db,
  userId: string,
  listingId: string,
): Promise<LinkedListing | undefined> {
  const [row] = await db<LinkedListing[]>`
    select coalesce(met.listing, mailed.listing) as listing, coalesce(met.price_eur, mailed.price_eur) as "priceEur",
      ${similarTo(db)} as "similarTo", watch.can_see(${userId}, ${listingId}) as "canBeWatched", exists (
        select from public.marks
        where marks.user_id = ${userId} and marks.listing_id = ${listingId} and marks.mark = 'kept'
      ) as "isKept"
    from (select) as one
    left join watch.portal_listings as met on met.listing_id = ${listingId}
    left join watch.mail_listings as mailed on mailed.user_id = ${userId} and mailed.listing_id = ${listingId}
    where coalesce(met.listing, mailed.listing) is not null`;
  return row;
}
