/** What is known of a listing whose link a person has: from any feed, or from their own alert mails. */
import type { StoredCard } from "#core/listing/home-card.ts";
import type { SimilarTo } from "#core/search/similar-search.ts";
import type { Db } from "#platform/database/json-parameter.ts";

/** Of the tables `portal` and `mailed` below; null if neither has the facts that a similar search needs. */
export function similarTo(db: Db) {
  return db`(
    select jsonb_build_object(
      'operation', known.card -> 'operation', 'kind', known.card -> 'kind', 'rooms', known.card -> 'rooms',
      'priceEur', coalesce(portal.price_eur, mailed.price_eur), 'placeId', coalesce(portal.place_id, mailed.place_id)
    )
    from (select coalesce(portal.card, mailed.card) as card) as known
    where known.card ->> 'operation' is not null and known.card ->> 'kind' is not null
  )`;
}

export interface LinkedListing {
  readonly card: StoredCard;
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
    select coalesce(portal.card, mailed.card) as card, coalesce(portal.price_eur, mailed.price_eur) as "priceEur",
      ${similarTo(db)} as "similarTo", watch.can_see(${userId}, ${listingId}) as "canBeWatched", exists (
        select from public.marks
        where marks.user_id = ${userId} and marks.home_id = watch.home_meant(${userId}, ${listingId}) and marks.mark = 'kept'
      ) as "isKept"
    from (select) as one
    left join watch.portal_listings as portal on portal.listing_id = ${listingId}
    left join watch.mail_listings as mailed on mailed.user_id = ${userId} and mailed.listing_id = ${listingId}
    where coalesce(portal.card, mailed.card) is not null`;
  return row;
}
