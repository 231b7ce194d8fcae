import { createHash } from "node:crypto";
import type { Listing } from "#core/listing/listing.ts";

/** Equal while everything that searches ask about, beside the price, is equal. */
export function factsKeyOf(listing: Listing): string {
  const { operation, kind, areaM2, rooms, bathrooms, floor, hasLift, isExterior, typology, subTypology } =
    listing;
  const { condition, province, municipality, district, neighborhood, placeId, latitude, longitude } = listing;
  const { isAddressShown, parking, labels, amenities, hasPlan, hasVirtualTour, sharing } = listing;
  const facts = [
    ...[operation, kind, areaM2, rooms, bathrooms, floor, hasLift, isExterior, typology, subTypology],
    ...[condition, province, municipality, district, neighborhood, placeId, latitude, longitude],
    ...[isAddressShown, parking && [parking.isIncludedInPrice, parking.priceEur], labels.toSorted()],
    Object.entries(amenities).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ...[hasPlan, hasVirtualTour, sharing && [sharing.tenantGender, sharing.isSmokingAllowed]],
  ];
  return createHash("sha1").update(JSON.stringify(facts)).digest("base64url").slice(0, 16);
}
