/**
 * Counts the warnings about the adverts of a file with one element of the official API's answers per line, and the adverts far
 * below the median of their neighbourhood. Prints ten examples of each warning.
 *
 *   node bench/match/warnings.ts <file.jsonl>
 */
import { readFileSync } from "node:fs";
import type { Listing } from "#core/listing/listing.ts";
import { comparedZoneOf, pricePerM2Of } from "#core/listing/market.ts";
import type { WarningKind } from "#core/warnings/warning.ts";
import { warningsOf } from "#core/warnings/warnings-of.ts";
import { readWireListing } from "#sources/wire-listing.ts";
import { wordsOf } from "#text/translator.ts";
import { warningWords } from "#text/warning-words.ts";

/** As the product requires. */
const FEWEST_SAMPLES = Number(process.argv[3] ?? 5);

const listings = readFileSync(process.argv[2] ?? "", "utf8")
  .split("\n")
  .filter((line) => line.trim() !== "")
  .flatMap((line) => {
    const read = readWireListing(JSON.parse(line), "homes");
    return read.ok ? [read.listing] : [];
  });
const pricesOf = Map.groupBy(
  listings.filter((listing) => pricePerM2Of(listing) !== null),
  (listing) => comparedZoneOf(listing) ?? "",
);

const markets = new Map(
  [...pricesOf]
    .filter(([key, { length }]) => key !== "" && length >= FEWEST_SAMPLES)
    .map(([key, own]) => [key, { samples: own.length, medianPerM2Eur: medianOf(own), place: key }]),
);
const warned = listings.map((listing) => ({
  listing,
  warnings: warningsOf(listing, { market: markets.get(comparedZoneOf(listing) ?? "") }),
}));

const compared = listings.filter((listing) => markets.has(comparedZoneOf(listing) ?? "")).length;
console.log(
  `${listings.length} adverts, ${compared} of them in ${markets.size} places with at least ${FEWEST_SAMPLES}`,
);
for (const percent of [25, 30, 35, 40, 45, 50]) {
  console.log(`${percent}% or more below the median of its place: ${countBelow(percent)}`);
}
console.log(`with a description: ${listings.filter(({ description }) => description !== null).length}`);
const kinds = new Set(warned.flatMap(({ warnings }) => warnings.map(({ kind }) => kind)));
for (const kind of kinds) printExamples(kind);

function medianOf(own: readonly Listing[]): number {
  const prices = own.map((listing) => pricePerM2Of(listing) ?? 0).toSorted((one, other) => one - other);
  const middle = (prices.length - 1) / 2;
  return ((prices[Math.floor(middle)] ?? 0) + (prices[Math.ceil(middle)] ?? 0)) / 2;
}

function countBelow(percent: number): number {
  return listings.filter((listing) => {
    const market = markets.get(comparedZoneOf(listing) ?? "");
    return market && (pricePerM2Of(listing) ?? 0) <= market.medianPerM2Eur * (1 - percent / 100);
  }).length;
}

function printExamples(kind: WarningKind): void {
  const examples = warned.flatMap(({ listing, warnings }) => {
    const warning = warnings.find((one) => one.kind === kind);
    return warning ? [{ listing, warning }] : [];
  });
  console.log(`\n${kind}: ${examples.length}`);
  for (const { listing, warning } of examples.slice(0, 10)) {
    const { propertyCode, priceEur, areaM2, floor, condition, photoCount, title } = listing;
    console.log(
      `  ${propertyCode} ${priceEur} € ${areaM2} m² floor ${floor} ${condition} ${photoCount} photos, ${title}: ${warningWords(warning, wordsOf("home", "en"))}`,
    );
  }
}
