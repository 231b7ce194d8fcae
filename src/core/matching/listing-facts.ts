import type { Listing } from "../listing/listing.ts";
import { findPlace, placeOfNames } from "../places/places.ts";
import { slugOf } from "../places/slug.ts";

/** A listing with what matching derives from it. Computed once for all searches. */
export interface ListingFacts {
  readonly listing: Listing;
  /** The smallest place that certainly contains it. */
  readonly placeId: string | null;
  /** It names a town that the catalogue lacks, so it is in no town of the catalogue. */
  readonly isInUnlistedTown: boolean;
  readonly provinceSlug: string | null;
  readonly municipalitySlug: string | null;
  readonly districtSlug: string | null;
  readonly neighborhoodSlug: string | null;
  /** One bit per bedroom option of the portal that it falls under: bit 0 studios, bit 4 four or more. */
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

/** It is not known whether the portal counts a mezzanine (en) as a ground floor. */
function floorBandOf(floor: string | null): ListingFacts["floorBand"] {
  if (floor === null) return "unclear";
  if (/^(?:bj|st|ss|0|-\d+)$/.test(floor)) return "ground";
  return /^\d+$/.test(floor) ? "upper" : "unclear";
}
