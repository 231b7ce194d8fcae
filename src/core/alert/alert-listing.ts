import { homeNameOf } from "../listing/home-name.ts";
import type { Listing } from "../listing/listing.ts";
import { comparisonOf, type Market, pricePerM2Of } from "../listing/market.ts";
import { listingFactsOf } from "../matching/listing-facts.ts";
import type { Warning } from "../warnings/warning.ts";
import { type SameText, warningsOf } from "../warnings/warnings-of.ts";
import type { AlertListing } from "./alert.ts";

export function alertListingOf(
  listing: Listing,
  market: Market | undefined,
  sameText?: SameText | undefined,
): AlertListing {
  return {
    propertyCode: listing.propertyCode,
    url: listing.url,
    title: listing.title,
    operation: listing.operation,
    kind: listing.kind,
    typology: listing.typology,
    subTypology: listing.subTypology,
    priceEur: listing.priceEur,
    areaM2: listing.areaM2,
    rooms: listing.rooms,
    bathrooms: listing.bathrooms,
    floor: listing.floor,
    hasLift: listing.hasLift,
    isExterior: listing.isExterior,
    address: listing.address,
    neighborhood: listing.neighborhood,
    district: listing.district,
    municipality: listing.municipality,
    pictureUrl: listing.thumbnailUrl,
    pricePerM2Eur: pricePerM2Of(listing),
    comparison: comparisonOf(listing, market),
    isPrivate: listing.amenities["private-advertiser"] ?? null,
    latitude: listing.latitude,
    longitude: listing.longitude,
    isAddressShown: listing.isAddressShown,
    placeId: listingFactsOf(listing).placeId,
    photoCount: listing.photoUrls?.length ?? 0,
    warnings: warningsOrNone(listing, market, sameText),
  };
}

/** A failure to read the advert's text must not stop its alert. */
function warningsOrNone(
  listing: Listing,
  market: Market | undefined,
  sameText: SameText | undefined,
): Warning[] {
  try {
    return warningsOf(listing, { market, sameText });
  } catch {
    return [];
  }
}

/** The JSON of a `listings` row: the field names of the specification, and the type that titles it in any language. */
export function detailsOf(listing: Listing): Record<string, string | number | null> {
  return {
    title: listing.title,
    price: listing.priceEur,
    size: listing.areaM2,
    address: listing.address,
    location:
      [listing.neighborhood ?? listing.district, listing.municipality].filter(Boolean).join(", ") || null,
    url: listing.url,
    rooms: listing.rooms,
    type: homeNameOf(listing),
  };
}

export function priceDropOf(
  formerPriceEur: number,
  priceEur: number,
): { formerPriceEur: number; dropPercent: number } {
  return { formerPriceEur, dropPercent: Math.max(1, Math.round((1 - priceEur / formerPriceEur) * 100)) };
}
