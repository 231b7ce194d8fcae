import { cardOf } from "#core/listing/card-of.ts";
import type { Listing } from "#core/listing/listing.ts";
import { pricePerM2Of, zoneIdOf } from "#core/listing/market.ts";
import { slugOf } from "#core/places/slug.ts";
import type { Warning } from "#core/warnings/warning.ts";
import { wordingOf } from "#core/warnings/wording.ts";
import type { PortalListing } from "../rows/portal-listings.ts";
import { factsKeyOf } from "./facts-key.ts";

/**
 * A listing as it is stored. `warnings`: those of its alert; undefined if it has none, then the stored ones are kept.
 * `listedBy`: for a listing that no feed has met.
 */
export function listingRowOf(
  listing: Listing,
  warnings: readonly Warning[] | undefined,
  listedBy: Date,
): PortalListing {
  const card = cardOf(listing);
  return {
    listing: withoutWords(listing),
    card: warnings === undefined ? card : { ...card, warnings },
    hasNewWarnings: warnings !== undefined,
    homeKey: homeKeyOf(listing),
    pricePerM2Eur: pricePerM2Of(listing),
    placeId: zoneIdOf(listing),
    photos: listing.photoUrls,
    textKey: wordingOf(listing).textKey,
    words: listing.wording?.words,
    factsKey: factsKeyOf(listing),
    listedBy,
  };
}

/** Words and photos have columns of their own, which are read seldom. */
function withoutWords({ wording, photoUrls: _, ...listing }: Listing): Listing {
  if (wording === undefined) return listing;
  const { words: __, ...stored } = wording;
  return { ...listing, wording: stored };
}

/** Equal for adverts of one home; null if too little is known to distinguish homes. */
function homeKeyOf(listing: Listing): string | null {
  const { operation, kind, areaM2, rooms, bathrooms, floor, address, neighborhood, district, municipality } =
    listing;
  if (areaM2 === null || kind === "rooms" || kind === "garages") return null;
  if (address === null || (floor === null && bathrooms === null)) return null;
  const place = [municipality, district, neighborhood, address].map((name) => slugOf(name ?? "")).join("/");
  return [operation, kind, place, areaM2, rooms ?? "", bathrooms ?? "", floor ?? ""].join(" ");
}
