/**
 * What a feed's changes mean on the market: a listing that is unknown to one feed may be known to another, and then it is not new
 * but renewed, changed or back.
 */
import type { Listing } from "#core/listing/listing.ts";
import type { FeedRow } from "../rows/feeds/feeds.ts";
import type { MarketListing } from "../rows/portal-listings.ts";
import type { FeedChanges } from "./detect-changes.ts";
import type { ChangedHome, ReturnedHome } from "./events-of-finding.ts";
import { factsKeyOf } from "./facts-key.ts";

export interface MarketChanges {
  readonly fresh: readonly Listing[];
  readonly changed: readonly ChangedHome[];
  readonly back: readonly ReturnedHome[];
}

/** A feed can miss a listing that another has just seen. After a day it has seen it, or it lay deeper than the feed reads. */
const SETTLED_MS = 86_400_000;

export function marketChangesOf(
  changes: Pick<FeedChanges, "fresh" | "atTop" | "changed" | "back">,
  market: ReadonlyMap<string, MarketListing>,
  feed: Pick<FeedRow, "source" | "query" | "coveredAt" | "coveredFrom">,
): MarketChanges {
  const fresh: Listing[] = [];
  const back: ReturnedHome[] = [...changes.back];
  const changed: ChangedHome[] = changes.changed.map(({ listing, formerPriceEur, isCorrected }) => {
    const before = isCorrected ? correctedFrom(listing, market.get(listing.propertyCode)) : listing;
    return { listing, before: { ...before, priceEur: formerPriceEur } };
  });
  for (const listing of changes.fresh) {
    const met = market.get(listing.propertyCode);
    if (met?.goneAt) back.push({ listing, goneAt: met.goneAt.getTime() });
    else if (!met || !isSettled(met, feed.coveredAt)) fresh.push(listing);
    else if (met.listing.priceEur !== listing.priceEur || met.factsKey !== factsKeyOf(listing)) {
      changed.push({ listing, before: met.listing });
    } else if (!changes.atTop.has(listing.propertyCode) && hasEntered(feed, met)) fresh.push(listing);
  }
  return { fresh, changed, back };
}

/**
 * Below the top of the list it is new only to a list that did not have it: of a source that applies wishes of its own, or one that
 * was followed before anybody saw the listing.
 */
function hasEntered(
  { source, query, coveredFrom }: Pick<FeedRow, "source" | "query" | "coveredFrom">,
  { listedBy }: MarketListing,
): boolean {
  const { filters = [] } = query as { readonly filters?: readonly unknown[] };
  return source === "by-url" || filters.length > 0 || coveredFrom === null || listedBy > coveredFrom;
}

/** Until `coveredAt` the feed has seen everything within its depth; null before its first check. */
function isSettled({ listedBy }: MarketListing, coveredAt: Date | null): boolean {
  return coveredAt !== null && listedBy.getTime() <= coveredAt.getTime() - SETTLED_MS;
}

/** The facts before a correction. If another feed saw it first, it has stored them. */
function correctedFrom(listing: Listing, met: MarketListing | undefined): Listing {
  if (!met) return listing;
  return met.factsKey === factsKeyOf(listing) ? (met.formerListing ?? listing) : met.listing;
}
