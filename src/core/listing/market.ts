import type { PriceComparison } from "../alert/alert.ts";
import { listingFactsOf } from "../matching/listing-facts.ts";
import { findPlace } from "../places/places.ts";
import type { Listing } from "./listing.ts";

/** The homes that a price is compared with. */
export interface Market {
  readonly samples: number;
  readonly medianPerM2Eur: number;
  /** The name of their zone. */
  readonly place: string;
}

export function pricePerM2Of({ priceEur, areaM2 }: Pick<Listing, "priceEur" | "areaM2">): number | null {
  if (areaM2 === null || areaM2 <= 0) return null;
  const perM2 = priceEur / areaM2;
  // Rents need a decimal: 14.5 and 15 € differ.
  return perM2 >= 100 ? Math.round(perM2) : Math.round(perM2 * 10) / 10;
}

/** The zone whose figures a price is compared with. There are figures of homes only. */
export function comparedZoneOf(listing: Listing): string | null {
  return listing.kind === "homes" ? zoneIdOf(listing) : null;
}

export function zoneNameOf({
  neighborhood,
  district,
  municipality,
}: Pick<Listing, "neighborhood" | "district" | "municipality">): string | null {
  return neighborhood ?? district ?? municipality;
}

/** The zone whose statistics a listing counts in: the smallest place it certainly lies in, by id, or its town by name. */
export function zoneIdOf(listing: Listing): string | null {
  const { placeId, municipalitySlug } = listingFactsOf(listing);
  if (placeId !== null && findPlace(placeId)?.level !== "province") return placeId;
  return municipalitySlug ? `name:${municipalitySlug}` : null;
}

export function comparisonOf(listing: Listing, market: Market | undefined): PriceComparison | null {
  const perM2 = pricePerM2Of(listing);
  if (!market || perM2 === null) return null;
  const percent = Math.round((perM2 / market.medianPerM2Eur - 1) * 100);
  return { percent, samples: market.samples, place: market.place };
}
