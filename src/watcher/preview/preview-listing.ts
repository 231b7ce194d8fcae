/** Previews a link to one listing, from what feeds and the person's own alert mails have seen of it. */
import type { Sql } from "postgres";
import type { Listing } from "#core/listing/listing.ts";
import { normaliseSearch } from "#core/search/normalise-search.ts";
import type { ListingPreview, PreviewListing } from "#core/search/search-preview.ts";
import { similarSearch } from "#core/search/similar-search.ts";
import { readLinkedListing } from "#store/listings/linked-listing.ts";

const LONGEST_TEXT = 200;
const UNKNOWN: ListingPreview = { listing: null, similarUrl: null, canBeWatched: false, isKept: false };

export async function previewListing(sql: Sql, userId: string, listingId: string): Promise<ListingPreview> {
  const known = await readLinkedListing(sql, userId, listingId);
  if (known === undefined) return UNKNOWN;
  const { listing, priceEur, similarTo, canBeWatched, isKept } = known;
  const similar = similarTo === null ? undefined : similarSearch(similarTo);
  return {
    listing: previewListingOf({ ...listing, propertyCode: listingId, priceEur }),
    similarUrl: similar === undefined ? null : normaliseSearch(similar).canonicalUrl,
    canBeWatched,
    isKept,
  };
}

/** Listings of alert mails lack some facts. */
export function previewListingOf(
  listing: Pick<Listing, "propertyCode" | "priceEur"> & Partial<Listing>,
): PreviewListing {
  return {
    id: listing.propertyCode,
    title: shortened(listing.title),
    kind: listing.kind ?? null,
    typology: shortened(listing.typology),
    subTypology: shortened(listing.subTypology),
    address: shortened(listing.address),
    priceEur: listing.priceEur,
    areaM2: listing.areaM2 ?? null,
    rooms: listing.rooms ?? null,
    place: shortened(listing.neighborhood ?? listing.district ?? listing.municipality),
  };
}

function shortened(text: string | null | undefined): string | null {
  return text?.slice(0, LONGEST_TEXT) ?? null;
}
