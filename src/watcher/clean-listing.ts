import type { Listing } from "#core/listing.ts";

const LONGEST_TEXT = 500;
const LONGEST_URL = 2_000;
const LONGEST_CODE = 64;

/**
 * A listing that the database can hold: whatever an advertiser wrote, one advert must not keep a whole feed from being
 * committed. Undefined where even its code is no code.
 */
export function cleanListing(listing: Listing): Listing | undefined {
  const { propertyCode, priceEur } = listing;
  if (propertyCode === "" || propertyCode.length > LONGEST_CODE || cleanText(propertyCode) !== propertyCode) {
    return undefined;
  }
  if (!Number.isFinite(priceEur)) return undefined;
  const entries = Object.entries(listing).map(([name, value]) =>
    typeof value === "string" ? [name, cleanText(value).slice(0, longestOf(name))] : [name, value],
  );
  return { ...Object.fromEntries(entries), description: null } as Listing;
}

/** PostgreSQL's JSON takes neither NUL nor half a character. */
function cleanText(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}

function longestOf(name: string): number {
  return name.toLowerCase().endsWith("url") ? LONGEST_URL : LONGEST_TEXT;
}
