import { listingFactsOf } from "../matching/listing-facts.ts";
import { type WarningInputs, warningsOf } from "../warnings/warnings-of.ts";
import type { HomeCard } from "./home-card.ts";
import type { Listing } from "./listing.ts";
import { pricePerM2Of } from "./market.ts";

/** `known`: what the warnings are derived from, besides the listing. */
export function cardOf(listing: Listing, known: WarningInputs = {}): HomeCard {
  return {
    url: listing.url,
    title: textIn(listing.title),
    operation: listing.operation,
    kind: listing.kind,
    typology: listing.typology,
    subTypology: textIn(listing.subTypology),
    priceEur: listing.priceEur,
    pricePerM2Eur: pricePerM2Of(listing),
    areaM2: listing.areaM2,
    rooms: listing.rooms,
    bathrooms: listing.bathrooms,
    floor: textIn(listing.floor),
    hasLift: listing.hasLift,
    isExterior: listing.isExterior,
    isPrivate: listing.amenities["private-advertiser"] ?? null,
    isAuction: null,
    address: textIn(listing.address),
    neighborhood: textIn(listing.neighborhood),
    district: textIn(listing.district),
    municipality: textIn(listing.municipality),
    placeId: listingFactsOf(listing).placeId,
    latitude: listing.latitude,
    longitude: listing.longitude,
    isAddressShown: listing.isAddressShown,
    pictureUrl: listing.thumbnailUrl,
    photoCount: Math.max(listing.photoCount, listing.photoUrls?.length ?? 0),
    warnings: warningsOf(listing, known),
  };
}

function textIn(text: string | null): string | null {
  return text?.trim() || null;
}
