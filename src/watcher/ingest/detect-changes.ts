/**
 * What a reading changes in its feed's memory. Pure: the same answers with the same memory give the same changes, however often
 * they are repeated. A listing is identified by the portal's code, not by its price or position.
 *
 * The states of a listing in one feed:
 *
 *   unknown ──seen──► listed ──missed in 3 readings in a row──► gone ──seen──► listed ("back")
 *                     │    ▲
 *                     └────┘ seen at another price ("repriced")
 */
import type { Listing } from "#core/listing/listing.ts";

/** Single misses happen: pages shift, and answers vary. */
export const MISSES_UNTIL_GONE = 3;

export interface KnownListing {
  readonly priceEur: number;
  /** Newer listings have higher ranks. */
  readonly rank: number;
  readonly missed: number;
  readonly goneAt: number | null;
}

export interface Reading {
  /** Newest first. */
  readonly listings: readonly Listing[];
  readonly isWhole: boolean;
}

export interface FeedChanges {
  readonly fresh: readonly Listing[];
  readonly repriced: readonly { readonly listing: Listing; readonly formerPriceEur: number }[];
  readonly back: readonly { readonly listing: Listing; readonly goneAt: number }[];
  /** The rows to update in the feed's memory: fresh, moved up, repriced, back. */
  readonly kept: readonly {
    readonly propertyCode: string;
    readonly priceEur: number;
    readonly rank: number;
  }[];
  /** Every listing above this rank should have been seen; null if the reading proves no absence. */
  readonly missedAboveRank: number | null;
  readonly topRank: number;
}

export function detectChanges(
  reading: Reading,
  known: ReadonlyMap<string, KnownListing>,
  topRank: number,
): FeedChanges {
  const listings = uniqueOf(reading.listings);
  const ranking = rankOf(listings, known, topRank);
  const changes = {
    fresh: [] as Listing[],
    repriced: [] as Repriced[],
    back: [] as Back[],
    kept: [] as Kept[],
  };
  for (const listing of listings) {
    const { propertyCode, priceEur } = listing;
    const before = known.get(propertyCode);
    const rank = ranking.rankOf.get(propertyCode) ?? 0;
    if (!before) changes.fresh.push(listing);
    else {
      if (before.goneAt !== null) changes.back.push({ listing, goneAt: before.goneAt });
      if (before.priceEur !== priceEur) changes.repriced.push({ listing, formerPriceEur: before.priceEur });
    }
    if (!before || hasChanged(before, priceEur, rank)) changes.kept.push({ propertyCode, priceEur, rank });
  }
  return {
    ...changes,
    missedAboveRank: reading.isWhole ? 0 : ranking.floor,
    topRank: ranking.top,
  };
}

/** The fresh listings above the oldest known one. Fresh ones below it were published before the feed's first reading. */
export function freshAboveKnown(
  listings: readonly Listing[],
  known: Pick<ReadonlySet<string>, "has">,
): readonly Listing[] {
  const oldest = listings.findLastIndex(({ propertyCode }) => known.has(propertyCode));
  const above = oldest === -1 ? listings : listings.slice(0, oldest);
  return uniqueOf(above).filter(({ propertyCode }) => !known.has(propertyCode));
}

type Repriced = FeedChanges["repriced"][number];
type Back = FeedChanges["back"][number];
type Kept = FeedChanges["kept"][number];

function hasChanged(before: KnownListing, priceEur: number, rank: number): boolean {
  return before.goneAt !== null || before.missed > 0 || before.priceEur !== priceEur || before.rank !== rank;
}

function uniqueOf(listings: readonly Listing[]): Listing[] {
  const met = new Set<string>();
  return listings.filter(({ propertyCode }) => met.size < met.add(propertyCode).size);
}

/** From the oldest upwards: a listing whose rank is above all below keeps it, the others (new, renewed) get the next one. */
function rankOf(listings: readonly Listing[], known: ReadonlyMap<string, KnownListing>, topRank: number) {
  const ranks = new Map<string, number>();
  let top = topRank;
  let below = 0;
  let floor: number | null = null;
  for (const { propertyCode } of listings.toReversed()) {
    const held = known.get(propertyCode)?.rank;
    const keeps = held !== undefined && held > below;
    if (keeps) floor ??= held;
    else top += 1;
    below = keeps ? held : top;
    ranks.set(propertyCode, below);
  }
  return { rankOf: ranks, floor, top };
}
