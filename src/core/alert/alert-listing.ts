import { homeNameOf } from "../listing/home-name.ts";
import type { Listing } from "../listing/listing.ts";
import { comparisonOf, type Market, pricePerM2Of } from "../listing/market.ts";
import { listingFactsOf } from "../matching/listing-facts.ts";
import type { Warning } from "../warnings/warning.ts";
import { type SameText, warningsOf } from "../warnings/warnings-of.ts";
import type { AlertListing } from "./alert.ts";

/** In bytes of UTF-8. With them three listings and a link stay below what the database accepts as one alert (16 KiB). */
const LONGEST = { word: 80, place: 150, title: 300, url: 1_000 } as const;

export function alertListingOf(
  listing: Listing,
  market: Market | undefined,
  sameText?: SameText | undefined,
): AlertListing {
  return {
    propertyCode: listing.propertyCode,
    url: bounded(listing.url, LONGEST.url),
    title: bounded(listing.title, LONGEST.title),
    operation: listing.operation,
    kind: listing.kind,
    typology: bounded(listing.typology, LONGEST.word),
    subTypology: bounded(listing.subTypology, LONGEST.word),
    priceEur: listing.priceEur,
    areaM2: listing.areaM2,
    rooms: listing.rooms,
    bathrooms: listing.bathrooms,
    floor: bounded(listing.floor, LONGEST.word),
    hasLift: listing.hasLift,
    isExterior: listing.isExterior,
    address: bounded(listing.address, LONGEST.title),
    neighborhood: bounded(listing.neighborhood, LONGEST.place),
    district: bounded(listing.district, LONGEST.place),
    municipality: bounded(listing.municipality, LONGEST.place),
    // Part of an address is none.
    pictureUrl:
      bounded(listing.thumbnailUrl, LONGEST.url) === listing.thumbnailUrl ? listing.thumbnailUrl : null,
    pricePerM2Eur: pricePerM2Of(listing),
    comparison: comparisonOf(listing, market),
    isPrivate: listing.amenities["private-advertiser"] ?? null,
    latitude: listing.latitude,
    longitude: listing.longitude,
    isAddressShown: listing.isAddressShown,
    placeId: listingFactsOf(listing).placeId,
    photoCount: listing.photoUrls?.length ?? 0,
    warnings: warningsOrNone(listing, market, sameText),
  };
}

/** The beginning of a text that fits into this many bytes. */
function bounded<Text extends string | null>(text: Text, bytes: number): Text {
  if (text === null || text.length * 3 <= bytes) return text;
  let size = 0;
  let end = 0;
  const whole: string = text;
  for (const character of whole) {
    const code = character.codePointAt(0) ?? 0;
    size += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (size > bytes) return text.slice(0, end) as Text;
    end += character.length;
  }
  return text;
}

/** A failure to read the advert's text must not stop its alert. */
function warningsOrNone(
  listing: Listing,
  market: Market | undefined,
  sameText: SameText | undefined,
): Warning[] {
  try {
    return warningsOf(listing, { market, sameText });
  } catch {
    return [];
  }
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
