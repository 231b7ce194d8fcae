/**
 * Compares the index with testing every filter, measures the memory per filter, and what rules add if half of the searches have
 * some. Run with --expose-gc.
 */

import type { AlertListing } from "#core/alert/alert.ts";
import { alertListingOf } from "#core/alert/alert-listing.ts";
import type { Listing } from "#core/listing/listing.ts";
import { createFilterIndex } from "#core/matching/filter-index.ts";
import { listingFactsOf } from "#core/matching/listing-facts.ts";
import { matches } from "#core/matching/match.ts";
import { askAbout, type PreparedRules, prepareRules } from "#core/rules/decide-home.ts";
import { ruleFactsOf } from "#core/rules/rule-facts.ts";
import type { Search } from "#core/search/search.ts";
import { wordingOf } from "#core/warnings/wording.ts";
import { seeded } from "#test/seeded.ts";
import { usedBytes } from "../harness/measure.ts";
import { drawListing, drawRules, drawSearch, drawText } from "./market.ts";

const SIZES = [1_000, 10_000, 100_000];
const LISTINGS_FOR_LOOP = 60;
const LISTINGS_FOR_INDEX = 2_000;

const random = seeded(7);
const listings = Array.from({ length: LISTINGS_FOR_INDEX }, (_, number) => drawListing(random, number)).map(
  // A check has read the text and compared the price before it asks the rules, with or without them.
  (listing) => ({ ...listing, wording: wordingOf({ ...listing, description: drawText(random) }) }),
);
const shownOf = new Map<Listing, AlertListing>(
  listings.map((listing) => {
    const percent = Math.round((random() - 0.5) * 60);
    const shown = alertListingOf(listing);
    return [listing, { ...shown, comparison: { percent, samples: 9, place: "" } }];
  }),
);
console.table(SIZES.map(measure));

function measure(size: number): Record<string, number> {
  const searches = Array.from({ length: size }, () => drawSearch(random));
  const before = usedBytes();
  const index = createFilterIndex<number>();
  const addedFrom = cpuMicros();
  searches.forEach((search, id) => {
    index.put(id, search);
  });
  const putMicros = (cpuMicros() - addedFrom) / size;
  // Measured before the first lookup, so that only the index itself counts.
  const bytesPerFilter = (usedBytes() - before) / size;

  for (const listing of listings.slice(0, 300)) index.find(listing);
  let found = 0;
  const indexMicros = microsEach(listings, (listing) => {
    found += index.find(listing).length;
  });
  const rules = searches.map(() => prepareRules(random() < 0.5 ? drawRules(random) : []));
  // As the watcher does: first it finds the searches of all listings of a reading, then it asks their rules.
  const foundOf = listings.map((listing) => ({ listing, found: index.find(listing) }));
  let leftOut = 0;
  const rulesMicros = microsEach(foundOf, (one) => {
    leftOut += decideEach(one.found, rules, one.listing);
  });
  const some = listings.slice(0, LISTINGS_FOR_LOOP);
  const loopMicros = microsEach(some, (listing) => askEach(searches, listing));
  const bareLoopMicros = microsEach(some.slice(0, 10), (listing) => askEachFromScratch(searches, listing));
  for (const listing of some) assertSame(index.find(listing), searches, listing);
  return {
    filters: size,
    "found per listing": Math.round(found / listings.length),
    "index µs": Math.round(indexMicros),
    "rules µs": Math.round(rulesMicros),
    "with rules": Number((1 + rulesMicros / indexMicros).toFixed(2)),
    "left out per listing": Math.round(leftOut / listings.length),
    "loop µs": Math.round(loopMicros),
    "times faster": Math.round(loopMicros / indexMicros),
    "matches() loop µs": Math.round(bareLoopMicros),
    "put µs": Number(putMicros.toFixed(2)),
    "bytes per filter": Math.round(bytesPerFilter),
  };
}

/** The facts once, then every matching search with rules. */
function decideEach(found: readonly number[], rules: readonly PreparedRules[], listing: Listing): number {
  const shown = shownOf.get(listing) ?? alertListingOf(listing);
  const facts = ruleFactsOf(shown, wordingOf(listing).words ?? null);
  const ask = askAbout(facts);
  let leftOut = 0;
  for (const id of found) {
    const own = rules[id] ?? [];
    if (own.length > 0 && ask(own).act === "leave-out") leftOut += 1;
  }
  return leftOut;
}

/** The derived facts of the listing are computed once for all filters. */
function askEach(searches: readonly Search[], listing: Listing): number {
  const facts = listingFactsOf(listing);
  return searches.filter((search) => matches(search, facts) !== "no").length;
}

function askEachFromScratch(searches: readonly Search[], listing: Listing): number {
  return searches.filter((search) => matches(search, listingFactsOf(listing)) !== "no").length;
}

function assertSame(found: number[], searches: readonly Search[], listing: Listing): void {
  const facts = listingFactsOf(listing);
  const asked = searches.flatMap((search, id) => (matches(search, facts) === "no" ? [] : [id]));
  const ordered = found.toSorted((a, b) => a - b);
  if (ordered.length !== asked.length || !ordered.every((id, i) => id === asked[i])) {
    throw new Error(`The index and the loop differ on listing ${listing.propertyCode}`);
  }
}

function microsEach<Item>(items: readonly Item[], work: (item: Item) => unknown): number {
  const from = cpuMicros();
  for (const item of items) work(item);
  return (cpuMicros() - from) / items.length;
}

/** CPU time instead of elapsed time: a busy machine would distort the ratio. */
function cpuMicros(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
