import type { AlertListing } from "#core/alert/alert.ts";
import { detailsOf, priceDropOf } from "#core/alert/alert-listing.ts";
import type { Listing } from "#core/listing/listing.ts";
import type { FoundEvent, FoundEvents } from "../rows/found-events.ts";
import type { FormerAdvert } from "../rows/portal-listings.ts";
import type { FeedChanges } from "./detect-changes.ts";

export interface FeedFinding extends Pick<FeedChanges, "fresh" | "repriced" | "back"> {
  readonly gone: readonly Listing[];
  readonly former: readonly FormerAdvert[];
  readonly find: (listing: Listing) => string[];
  readonly alertListingOf: (listing: Listing) => AlertListing;
  readonly now: Date;
}

/** The changes of a feed as events: listings found by searches for the first time, and changes of known ones. */
export function foundEventsOf(finding: FeedFinding): FoundEvents {
  const { fresh, repriced, back, gone, find, alertListingOf, now } = finding;
  const former = new Map(finding.former.map((advert) => [advert.listingId, advert]));
  const found: FoundEvent[] = [];
  const changed: FoundEvent[] = [];
  const eventOf = (listing: Listing, event: Pick<FoundEvent, "kind" | "filterIds">, facts: object = {}) => ({
    ...event,
    listingId: listing.propertyCode,
    eventKey: "",
    payload: { listing: alertListingOf(listing), ...facts },
    details: detailsOf(listing),
  });

  for (const listing of fresh) {
    const { listingId: _, ...advert } = former.get(listing.propertyCode) ?? {};
    found.push(eventOf(listing, { kind: "new", filterIds: find(listing) }, advert));
  }
  for (const { listing, formerPriceEur } of repriced) {
    const filterIds = find(listing);
    const before = new Set(find({ ...listing, priceEur: formerPriceEur }));
    const isNew = Object.groupBy(filterIds, (id) => (before.has(id) ? "again" : "new"));
    const event = eventOf(listing, { kind: "new", filterIds: isNew.new ?? [] });
    found.push({ ...event, againIds: isNew.again ?? [] });
    if (listing.priceEur >= formerPriceEur) continue;
    const drop = eventOf(
      listing,
      { kind: "price-drop", filterIds },
      priceDropOf(formerPriceEur, listing.priceEur),
    );
    changed.push({ ...drop, eventKey: String(listing.priceEur) });
  }
  for (const { listing, goneAt } of back) {
    const event = eventOf(listing, { kind: "back", filterIds: find(listing) });
    changed.push({ ...event, eventKey: new Date(goneAt).toISOString() });
  }
  for (const listing of gone) {
    changed.push({ ...eventOf(listing, { kind: "gone", filterIds: [] }), eventKey: now.toISOString() });
  }
  const isAimed = ({ filterIds, againIds = [] }: FoundEvent) => filterIds.length + againIds.length > 0;
  return { found: found.filter(isAimed), changed };
}
