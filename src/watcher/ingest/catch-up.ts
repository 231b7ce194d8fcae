/** What happened to the homes of a feed since a search was last covered, and what that means for it. */

import type { AlertListing } from "#core/alert/alert.ts";
import type { Listing } from "#core/listing/listing.ts";
import type { FormerAnchors } from "../check/former-order.ts";
import type { ListedChange } from "../rows/changed-since.ts";
import type { CutSinceTold } from "../rows/cuts-since-told.ts";
import type { FeedRow } from "../rows/feeds/feeds.ts";
import type { FoundEvent, FoundEvents } from "../rows/found-events.ts";
import { decideChange, type HomeChange } from "./decide-change.ts";
import { eventAgain, eventsOfCut, eventWriter } from "./events-of-finding.ts";

/** A search that goes on. */
export interface Continued {
  readonly filterId: string;
  readonly since: Date;
  /** The wish has changed since. */
  readonly isEdited: boolean;
  /** Where the feed that served it before connects to this one; undefined if this one reaches back far enough by itself. */
  readonly anchors: FormerAnchors | undefined;
  readonly fits: (listing: Listing) => boolean;
  /** Whether a home fitted the wish of before. */
  readonly didFit: (listing: Listing) => boolean;
}

export interface DecidedChange {
  readonly search: Continued;
  readonly listing: Listing;
  readonly change: HomeChange;
  readonly backAt: Date | null;
}

/** Every change since the searches were last covered, of homes that they fit. Newest home first. */
export function changesSince(
  feed: Pick<FeedRow, "source" | "query" | "coveredFrom">,
  rows: readonly ListedChange[],
  searches: readonly Continued[],
): DecidedChange[] {
  return rows.flatMap((row) =>
    searches.flatMap((search) => {
      if (!search.fits(row.listing)) return [];
      const { listing, backAt } = row;
      return changesOf(feed, row, search).map((change) => ({ search, listing, change, backAt }));
    }),
  );
}

function changesOf(
  feed: Pick<FeedRow, "source" | "query" | "coveredFrom">,
  row: ListedChange,
  search: Continued,
): HomeChange[] {
  const { listing } = row;
  const { since } = search;
  if (hasAppeared(row, search) || hasEntered(feed, row, search)) return [{ what: "appeared" }];
  const changes: HomeChange[] = [];
  if (row.backAt && row.backAt > since) changes.push({ what: "returned" });
  const formerPriceEur = priceAt(row, since);
  const isCorrected = row.correctedAt !== null && row.correctedAt > since;
  if (formerPriceEur !== listing.priceEur || isCorrected) {
    const before = { ...(isCorrected ? (row.formerListing ?? listing) : listing), priceEur: formerPriceEur };
    // What fits the wish of before only since it changed is new, also if it had fitted the wish of now all along. So is what fits
    // the wish of now only since then: nobody knows whether the home or the wish changed first.
    const didFitBefore = !search.isEdited || !search.didFit(listing) || search.didFit(before);
    const didFit = search.fits(before) && didFitBefore;
    changes.push({ what: "changed", priceEur: listing.priceEur, formerPriceEur, didFit });
  }
  return changes;
}

/** What lies below the anchors was there before, though this feed has only now seen it. */
function hasAppeared({ listing, listedBy }: ListedChange, search: Continued): boolean {
  const { since, isEdited, anchors, didFit } = search;
  if (listedBy <= since) return false;
  if (!anchors) return true;
  if (anchors.last === -1) return !isEdited || didFit(listing);
  const place = anchors.placeOf.get(listing.propertyCode) ?? 0;
  if (place <= anchors.first) return true;
  return place <= anchors.last && (!isEdited || didFit(listing));
}

/** The source applies wishes of its own: a home that enters its list now fits them. */
function hasEntered(
  { source, query, coveredFrom }: Pick<FeedRow, "source" | "query" | "coveredFrom">,
  { enteredAt }: ListedChange,
  { since }: Continued,
): boolean {
  const { filters = [] } = query as { readonly filters?: readonly unknown[] };
  const isFiltered = source === "by-url" || filters.length > 0;
  return isFiltered && coveredFrom !== null && coveredFrom <= since && enteredAt > since;
}

function priceAt({ listing, prices }: ListedChange, since: Date): number {
  return (
    prices.findLast(({ atMs }) => atMs <= since.getTime())?.priceEur ??
    prices[0]?.priceEur ??
    listing.priceEur
  );
}

/** The homes of these changes that have not become cheaper since then, with their searches: they may have before. */
export function seenWithoutCut(changes: readonly DecidedChange[]): Map<Listing, string[]> {
  const seen = changes.filter(({ change }) => decideChange(change).known === null);
  const byListing = Map.groupBy(seen, ({ listing }) => listing);
  return new Map([...byListing].map(([listing, of]) => [listing, of.map(({ search }) => search.filterId)]));
}

/** The same as events of a reading. */
export function eventsOfChanges(
  changes: readonly DecidedChange[],
  cuts: readonly CutSinceTold[],
  alertListingOf: (listing: Listing) => AlertListing,
): FoundEvents {
  const eventOf = eventWriter({ alertListingOf });
  const found = new Map<string, FoundEvent>();
  const changed = new Map<string, FoundEvent>();
  const add = (events: Map<string, FoundEvent>, key: string, event: FoundEvent) => {
    const held = events.get(key);
    events.set(key, held ? { ...held, filterIds: [...held.filterIds, ...event.filterIds] } : event);
  };
  for (const { search, listing, change, backAt } of changes) {
    const { unknown, known } = decideChange(change);
    const filterIds = [search.filterId];
    const code = listing.propertyCode;
    if (unknown) {
      const isReturn = change.what === "returned";
      add(found, `${code} ${isReturn}`, {
        ...eventOf(listing, { kind: unknown, filterIds }),
        ...(isReturn && { isReturn }),
      });
    }
    if (known) {
      const formerPriceEur = change.what === "changed" ? change.formerPriceEur : listing.priceEur;
      // Before the return: what was announced since announced this one.
      const returnKey = backAt ? new Date(backAt.getTime() - 1).toISOString() : "";
      const home = { listing, filterIds, formerPriceEur, returnKey };
      add(changed, `${code} ${known} ${formerPriceEur}`, eventAgain(known, home, eventOf));
    }
  }
  const since = cuts.flatMap((cut) => eventsOfCut(cut, eventOf));
  return { found: [...found.values()], changed: [...changed.values(), ...since] };
}
