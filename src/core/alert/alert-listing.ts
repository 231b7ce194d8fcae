import type { Listing } from "../listing/listing.ts";
import { marketNameOf, pricePerM2Of } from "../listing/market.ts";
import type { AlertListing, PriceComparison } from "./alert.ts";

/** What was seen around a listing. */
export interface Market {
  readonly samples: number;
  readonly medianPerM2Eur: number;
}

export function alertListingOf(listing: Listing, market: Market | undefined): AlertListing {
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
  };
}

export function comparisonOf(listing: Listing, market: Market | undefined): PriceComparison | null {
  const perM2 = pricePerM2Of(listing);
  const place = marketNameOf(listing);
  if (!market || perM2 === null || place === null) return null;
  const percent = Math.round((perM2 / market.medianPerM2Eur - 1) * 100);
  return { percent, samples: market.samples, place };
}

/** A listing's row, in the fields the specification names. */
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
  };
}

export function priceDropOf(
  formerPriceEur: number,
  priceEur: number,
): { formerPriceEur: number; dropPercent: number } {
  return { formerPriceEur, dropPercent: Math.max(1, Math.round((1 - priceEur / formerPriceEur) * 100)) };
}
