import type { AlertListing, PriceComparison } from "#core/alert/alert.ts";
import type { Listing } from "#core/listing/listing.ts";
import { listingFactsOf } from "#core/matching/listing-facts.ts";
import { slugOf } from "#core/places/slug.ts";
import type { Db } from "#store/connection/json-parameter.ts";
import { type MarketMedian, readMedians } from "#store/listings/portal-listings.ts";

/** Fewer listings say too little of what is usual. */
const FEWEST_SAMPLES = 20;
const COMPARED_DAYS = 90;

/** How an alert shows each of these listings, compared with what was seen around it in the last months. */
export async function readAlertListings(
  db: Db,
  listings: readonly Listing[],
  now: Date,
): Promise<(listing: Listing) => AlertListing> {
  const keys = new Set(listings.flatMap((listing) => marketKeyOf(listing) ?? []));
  const since = new Date(now.getTime() - COMPARED_DAYS * 86_400_000);
  const rows = await readMedians(db, [...keys], { since, fewest: FEWEST_SAMPLES });
  const medians = new Map(rows.map((row) => [row.marketKey, row]));
  return (listing) => alertListingOf(listing, medians.get(marketKeyOf(listing) ?? ""));
}

function alertListingOf(listing: Listing, market: MarketMedian | undefined): AlertListing {
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

function comparisonOf(listing: Listing, market: MarketMedian | undefined): PriceComparison | null {
  const perM2 = pricePerM2Of(listing);
  const place = placeNameOf(listing);
  if (!market || perM2 === null || place === null) return null;
  const percent = Math.round((perM2 / market.medianPerM2Eur - 1) * 100);
  return { percent, samples: market.samples, place };
}

/** The row a person's live demo shows, in the fields the specification names. */
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

export function pricePerM2Of({ priceEur, areaM2 }: Listing): number | null {
  if (areaM2 === null || areaM2 <= 0) return null;
  const perM2 = priceEur / areaM2;
  // Rents keep their cents: 14.5 and 15 € are not the same.
  return perM2 >= 100 ? Math.round(perM2) : Math.round(perM2 * 10) / 10;
}

/** What a price is compared within: the same operation and kind in the same neighbourhood, or town where it has none. */
export function marketKeyOf(listing: Listing): string | null {
  const { placeId } = listingFactsOf(listing);
  const name = placeNameOf(listing);
  if (name === null) return null;
  return `${listing.operation} ${listing.kind} ${placeId ?? ""} ${slugOf(name)}`;
}

function placeNameOf({ neighborhood, district, municipality }: Listing): string | null {
  return neighborhood ?? district ?? municipality;
}

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
