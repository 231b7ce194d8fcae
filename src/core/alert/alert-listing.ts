import { cardOf } from "../listing/card-of.ts";
import type { HomeCard } from "../listing/home-card.ts";
import { homeNameOf } from "../listing/home-name.ts";
import type { Listing } from "../listing/listing.ts";
import { comparisonOf } from "../listing/market.ts";
import type { WarningInputs } from "../warnings/warnings-of.ts";
import type { AlertListing } from "./alert.ts";

/** The card of a listing as an alert shows it: with its code, its zone's prices, and the photos that it can send. */
export function alertListingOf(listing: Listing, known: WarningInputs = {}): AlertListing & HomeCard {
  return {
    ...cardOf(listing, known),
    propertyCode: listing.propertyCode,
    comparison: comparisonOf(listing, known.market),
    photoCount: listing.photoUrls?.length ?? 0,
  };
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
