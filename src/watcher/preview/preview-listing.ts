/** Previews a link to one listing, from what feeds and the person's own alert mails have seen of it. */
import type { Sql } from "postgres";
import { normaliseSearch } from "#core/search/normalise-search.ts";
import type { ListingPreview } from "#core/search/search-preview.ts";
import { similarSearch } from "#core/search/similar-search.ts";
import { readLinkedListing } from "#store/listings/linked-listing.ts";

const UNKNOWN: ListingPreview = { listing: null, similarUrl: null, canBeWatched: false, isKept: false };

export async function previewListing(sql: Sql, userId: string, listingId: string): Promise<ListingPreview> {
  const known = await readLinkedListing(sql, userId, listingId);
  if (known === undefined) return UNKNOWN;
  const { card, priceEur, similarTo, canBeWatched, isKept } = known;
  const similar = similarTo === null ? undefined : similarSearch(similarTo);
  return {
    listing: { id: listingId, card: { ...card, priceEur } },
    similarUrl: similar === undefined ? null : normaliseSearch(similar).canonicalUrl,
    canBeWatched,
    isKept,
  };
}
