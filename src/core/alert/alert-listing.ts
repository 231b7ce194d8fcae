import { cardOf } from "../listing/card-of.ts";
import type { HomeCard } from "../listing/home-card.ts";
import { homeNameOf } from "../listing/home-name.ts";
import type { Listing } from "../listing/listing.ts";
import { comparisonOf } from "../listing/market.ts";
import type { WarningInputs } from "../warnings/warnings-of.ts";
import type { AlertListing } from "./alert.ts";

/** In bytes of UTF-8. With them three listings and a link stay below what the database accepts as one alert (16 KiB). */
const LONGEST_TEXT = 300;
const LONGEST: Partial<Record<keyof Listing, number>> = {
  url: 1_000,
  ...{ typology: 80, subTypology: 80, floor: 80 },
  ...{ neighborhood: 150, district: 150, municipality: 150, province: 150 },
};
const LONGEST_PICTURE_URL = 1_000;

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

/** All texts but the description, from which warnings are read, and which no card has. */
function boundedListing(listing: Listing): Listing {
  const { description, thumbnailUrl } = listing;
  const fields = Object.entries(listing) as [keyof Listing, unknown][];
  const texts = fields.map(([name, value]) => [
    name,
    typeof value === "string" ? bounded(value, LONGEST[name] ?? LONGEST_TEXT) : value,
  ]);
  // Part of an address is none.
  const hasPicture = thumbnailUrl !== null && thumbnailUrl === bounded(thumbnailUrl, LONGEST_PICTURE_URL);
  return { ...Object.fromEntries(texts), description, thumbnailUrl: hasPicture ? thumbnailUrl : null };
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
