/**
 * What a reading changes in its feed's memory. Pure: the same answers with the same memory give the same changes, however often
 * they are repeated. A listing is identified by the portal's code, not by its price or position.
 *
 * The states of a listing in one feed:
 *
 *   unknown ──seen──► listed ──missed in 3 readings in a row──► gone ──seen──► listed ("back")
 *                     │    ▲
 *                     └────┘ seen at another price, or with other facts ("changed")
 */
import type { Listing } from "#core/listing/listing.ts";
import {
  ALWAYS_MISSING,
  inOrder,
  isRemembered,
  type KeptPlace,
  placesOf,
  provenUntil,
} from "../check/anchors.ts";
import type { FeedMemory, KnownListing } from "../rows/feed-memory.ts";
import { factsKeyOf } from "./facts-key.ts";

/** Single misses happen: pages shift, and answers vary. */
export const MISSES_UNTIL_GONE = 3;

export interface ComparedReading {
  /** Newest first. */
  readonly listings: readonly Listing[];
  readonly isWhole: boolean;
  /** How many the source says are listed; null if it is not asked about absent ones. */
  readonly total: number | null;
}

export interface FeedChanges {
  /** Unknown listings that came since the memory was read. */
  readonly fresh: readonly Listing[];
  /** Unknown listings below what the feed remembers: they may have been there before. */
  readonly older: readonly Listing[];
  /** How many came to the list since the memory was read: new or renewed. */
  readonly arrived: number;
  /** Fresh listings above everything that kept its place: new or renewed. */
  readonly atTop: ReadonlySet<string>;
  readonly changed: readonly {
    readonly listing: Listing;
    readonly formerPriceEur: number;
    readonly isCorrected: boolean;
  }[];
  readonly back: readonly { readonly listing: Listing; readonly goneAt: number }[];
  /** The rows to update in the feed's memory: unknown, moved up, changed, back. */
  readonly kept: readonly KeptListing[];
  /** Not in the reading: they stay between their neighbours, which have moved up. */
  readonly moved: readonly { readonly propertyCode: string; readonly rank: number }[];
  /** Every listing above this rank should have been seen; null if the reading proves no absence. */
  readonly missedAboveRank: number | null;
  readonly topRank: number;
}

interface KeptListing {
  readonly propertyCode: string;
  readonly priceEur: number;
  readonly rank: number;
  readonly factsKey: string;
}

export function detectChanges(reading: ComparedReading, memory: FeedMemory): FeedChanges {
  const { known, order } = memory;
  const listings = uniqueOf(reading.listings);
  const places = placesOf(codesOf(listings), order);
  const anchored = inOrder(places);
  const ranking = rankOf(codesOf(listings), anchored, memory);
  const changes = {
    ...freshOf(listings, places, memory),
    changed: [] as Changed[],
    back: [] as Back[],
    kept: [] as KeptListing[],
  };
  for (const listing of listings) {
    const before = known.get(listing.propertyCode);
    const row = rowOf(listing, ranking.rankOf.get(listing.propertyCode) ?? 0);
    if (!before || hasMoved(before, row)) changes.kept.push(row);
    if (before && before.goneAt !== null) changes.back.push({ listing, goneAt: before.goneAt });
    const changed = before && changedFrom(before, listing, row.factsKey);
    if (changed) changes.changed.push(changed);
  }
  const proven = missingUntil(reading, changes, memory, places);
  const lowest = anchored.findLast(({ kept }) => kept <= proven)?.code;
  const floor = lowest === undefined ? undefined : ranking.rankOf.get(lowest);
  return {
    ...changes,
    moved: ranking.moved,
    missedAboveRank: reading.isWhole ? 0 : (floor ?? null),
    topRank: ranking.top,
  };
}

/**
 * The remembered place above which whatever was not met is missing; -1 if the reading proves no absence. Adverts of the bottom that
 * were renewed in their order look as if those above them had been withdrawn, though these are only further down now. The total
 * tells: no more can be missing than it is short of what is remembered, but for a few that it counts and nobody can read.
 */
function missingUntil(
  { total }: ComparedReading,
  { fresh, back }: Pick<FeedChanges, "fresh" | "back">,
  { order, isAll, isReadToEnd }: FeedMemory,
  places: readonly KeptPlace[],
): number {
  const proven = provenUntil(places);
  if (total === null || !isAll || !isReadToEnd) return proven;
  const met = new Set(places.map(({ code }) => code));
  const absent = order.filter((code, place) => place < proven && !met.has(code)).length;
  const withdrawn = order.length + fresh.length + back.length - total;
  return absent <= Math.max(0, withdrawn) + ALWAYS_MISSING ? proven : -1;
}

function freshOf(listings: readonly Listing[], places: readonly KeptPlace[], memory: FeedMemory) {
  const fresh: Listing[] = [];
  const older: Listing[] = [];
  const renewed = places.filter(({ code, kept }) => kept === undefined && memory.known.has(code));
  const atTop = new Set<string>();
  const firstKept = places.findIndex(({ kept }) => kept !== undefined);
  listings.forEach((listing, index) => {
    if (memory.known.has(listing.propertyCode)) return;
    if (!isRemembered(places, index, memory.order, memory.isReadToEnd)) older.push(listing);
    else {
      fresh.push(listing);
      if (index < firstKept) atTop.add(listing.propertyCode);
    }
  });
  return { fresh, older, atTop, arrived: fresh.length + renewed.length };
}

function rowOf(listing: Listing, rank: number): KeptListing {
  const { propertyCode, priceEur } = listing;
  return { propertyCode, priceEur, rank, factsKey: factsKeyOf(listing) };
}

function changedFrom(before: KnownListing, listing: Listing, factsKey: string): Changed | undefined {
  const isCorrected = before.factsKey !== null && before.factsKey !== factsKey;
  if (before.priceEur === listing.priceEur && !isCorrected) return undefined;
  return { listing, formerPriceEur: before.priceEur, isCorrected };
}

type Changed = FeedChanges["changed"][number];
type Back = FeedChanges["back"][number];

function hasMoved(before: KnownListing, { priceEur, rank, factsKey }: KeptListing): boolean {
  if (before.goneAt !== null || before.missed > 0) return true;
  return before.priceEur !== priceEur || before.rank !== rank || before.factsKey !== factsKey;
}

function codesOf(listings: readonly Listing[]): string[] {
  return listings.map(({ propertyCode }) => propertyCode);
}

function uniqueOf(listings: readonly Listing[]): Listing[] {
  const met = new Set<string>();
  return listings.filter(({ propertyCode }) => met.size < met.add(propertyCode).size);
}

/**
 * From the oldest upwards: a listing whose rank is above all below keeps it, the others (new, renewed) get the next one. A listing
 * that was not met keeps its place above the next older one that did not move, or nobody would notice that it is gone.
 */
function rankOf(
  met: readonly string[],
  anchored: readonly { readonly code: string }[],
  { known, order, ranks, topRank }: FeedMemory,
) {
  const absentAbove = absentAboveOf(new Set(met), new Set(anchored.map(({ code }) => code)), order);
  const rankOf = new Map<string, number>();
  const moved: { propertyCode: string; rank: number }[] = [];
  let top = topRank;
  let below = 0;
  const place = (held: number | undefined): boolean => {
    const keeps = held !== undefined && held > below;
    if (!keeps) top += 1;
    below = keeps ? held : top;
    return keeps;
  };
  for (const code of met.toReversed()) {
    place(known.get(code)?.rank);
    rankOf.set(code, below);
    for (const absent of absentAbove.get(code) ?? []) {
      if (!place(ranks.get(absent))) moved.push({ propertyCode: absent, rank: below });
    }
  }
  return { rankOf, moved, top };
}

/** The remembered listings that were not met, the oldest first, by the next older one that did not move. */
function absentAboveOf(met: ReadonlySet<string>, anchored: ReadonlySet<string>, order: readonly string[]) {
  const absentAbove = new Map<string, string[]>();
  let anchor: string | undefined;
  for (const code of order.toReversed()) {
    if (anchored.has(code)) anchor = code;
    else if (anchor !== undefined && !met.has(code)) {
      const above = absentAbove.get(anchor) ?? [];
      above.push(code);
      absentAbove.set(anchor, above);
    }
  }
  return absentAbove;
}
