import type { Listing } from "../listing/listing.ts";
import { findPlace, placeOfNames } from "../places/places.ts";
import { slugOf } from "../places/slug.ts";

/** A listing with what matching derives from it once, for however many searches ask. */
export interface ListingFacts {
  readonly listing: Listing;
  /** The smallest place it is sure to lie in. */
  readonly placeId: string | null;
  /** It names a town that our catalogue does not hold, so it lies in none that the catalogue does. */
  readonly isInUnlistedTown: boolean;
  readonly provinceSlug: string | null;
  readonly municipalitySlug: string | null;
  readonly districtSlug: string | null;
  readonly neighborhoodSlug: string | null;
  /** One bit for each of the portal's bedroom boxes it falls under: bit 0 studios, bit 4 four or more. */
  readonly bedroomBits: number;
  readonly floorBand: "ground" | "upper" | "unclear";
}

export function listingFactsOf(listing: Listing): ListingFacts {
  const named = placeOfNames(listing);
  const placeId = listing.placeId ?? named?.id ?? null;
  return {
    listing,
    placeId,
    isInUnlistedTown:
      listing.municipality !== null &&
      named?.level === "province" &&
      (placeId === null || findPlace(placeId)?.level === "province"),
    provinceSlug: slugOrNull(listing.province),
    municipalitySlug: slugOrNull(listing.municipality),
    districtSlug: slugOrNull(listing.district),
    neighborhoodSlug: slugOrNull(listing.neighborhood),
    bedroomBits: bedroomBitsOf(listing),
    floorBand: floorBandOf(listing.floor),
  };
}

function slugOrNull(name: string | null): string | null {
  return name === null ? null : slugOf(name);
}

function bedroomBitsOf({ rooms, subTypology }: Listing): number {
  const studio = subTypology === "studio" ? 1 : 0;
  return rooms === null ? studio : studio | (1 << Math.min(rooms, 4));
}

/** Whether the portal counts a mezzanine (en) among its ground floors is not known. */
function floorBandOf(floor: string | null): ListingFacts["floorBand"] {
  if (floor === null) return "unclear";
  if (/^(?:bj|st|ss|0|-\d+)$/.test(floor)) return "ground";
  return /^\d+$/.test(floor) ? "upper" : "unclear";
}
