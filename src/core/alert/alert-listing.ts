import { cardOf } from "../listing/card-of.ts";
import type { HomeCard } from "../listing/home-card.ts";
import { homeNameOf } from "../listing/home-name.ts";
import type { Listing } from "../listing/listing.ts";
import { comparisonOf } from "../listing/market.ts";
import type { WarningInputs } from "../warnings/warnings-of.ts";
import type { AlertListing } from "./alert.ts";

/** In bytes of UTF-8. With them three listings and a link stay below what the database accepts as one alert (16 KiB). */
const LONGEST = { word: 80, place: 150, title: 300, url: 1_000 } as const;

/** The card of a listing as an alert shows it: with its code, its zone's prices, and the photos that it can send. */
export function alertListingOf(whole: Listing, known: WarningInputs = {}): AlertListing & HomeCard {
  const listing = boundedListing(whole);
  return {
    ...cardOf(listing, known),
    propertyCode: listing.propertyCode,
    comparison: comparisonOf(listing, known.market),
    photoCount: listing.photoUrls?.length ?? 0,
  };
}

function boundedListing(listing: Listing): Listing {
  const { thumbnailUrl } = listing;
  return {
    ...listing,
    url: bounded(listing.url, LONGEST.url),
    // Part of an address is none.
    thumbnailUrl: thumbnailUrl && thumbnailUrl === bounded(thumbnailUrl, LONGEST.url) ? thumbnailUrl : null,
    title: listing.title && bounded(listing.title, LONGEST.title),
    address: listing.address && bounded(listing.address, LONGEST.title),
    typology: bounded(listing.typology, LONGEST.word),
    subTypology: listing.subTypology && bounded(listing.subTypology, LONGEST.word),
    floor: listing.floor && bounded(listing.floor, LONGEST.word),
    neighborhood: listing.neighborhood && bounded(listing.neighborhood, LONGEST.place),
    district: listing.district && bounded(listing.district, LONGEST.place),
    municipality: listing.municipality && bounded(listing.municipality, LONGEST.place),
    province: listing.province && bounded(listing.province, LONGEST.place),
  };
}

/** The beginning of a text that fits into this many bytes. */
function bounded(text: string, bytes: number): string {
  if (text.length * 3 <= bytes) return text;
  let size = 0;
  let end = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    size += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (size > bytes) break;
    end += character.length;
  }
  return text.slice(0, end);
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
