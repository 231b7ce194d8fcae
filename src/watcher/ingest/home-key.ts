import type { Listing } from "#core/listing/listing.ts";
import { slugOf } from "#core/places/slug.ts";

/** How far two adverts of one home may differ in price. */
export const READVERT_PRICE_SHARE = 0.04;

/** Equal for adverts of one home; null where too little is known to tell homes apart. */
export function homeKeyOf(listing: Listing): string | null {
  const { operation, kind, areaM2, rooms, bathrooms, floor, address, neighborhood, district, municipality } =
    listing;
  if (areaM2 === null || kind === "rooms" || kind === "garages") return null;
  if (address === null || (floor === null && bathrooms === null)) return null;
  const place = [municipality, district, neighborhood, address].map((name) => slugOf(name ?? "")).join("/");
  return [operation, kind, place, areaM2, rooms ?? "", bathrooms ?? "", floor ?? ""].join(" ");
}
