import { listingFactsOf } from "../matching/listing-facts.ts";
import { findPlace } from "../places/places.ts";
import { slugOf } from "../places/slug.ts";
import type { Listing } from "./listing.ts";

export function pricePerM2Of({ priceEur, areaM2 }: Pick<Listing, "priceEur" | "areaM2">): number | null {
  if (areaM2 === null || areaM2 <= 0) return null;
  const perM2 = priceEur / areaM2;
  // Rents keep their cents: 14.5 and 15 € are not the same.
  return perM2 >= 100 ? Math.round(perM2) : Math.round(perM2 * 10) / 10;
}

/** What a price is compared within: the same operation and kind in the same neighbourhood, or town where it has none. */
export function marketKeyOf(listing: Listing): string | null {
  const { placeId } = listingFactsOf(listing);
  const name = marketNameOf(listing);
  if (name === null) return null;
  return `${listing.operation} ${listing.kind} ${placeId ?? ""} ${slugOf(name)}`;
}

export function marketNameOf({ neighborhood, district, municipality }: Listing): string | null {
  return neighborhood ?? district ?? municipality;
}

/** The zone whose figures a listing belongs to: the smallest place it is sure to lie in, by its id, or else its town. */
export function zoneIdOf(listing: Listing): string | null {
  const { placeId, municipalitySlug } = listingFactsOf(listing);
  if (placeId !== null && findPlace(placeId)?.level !== "province") return placeId;
  return municipalitySlug ? `name:${municipalitySlug}` : null;
}
