import type { AlertListing } from "#core/alert/alert.ts";
import { detailsOf, priceDropOf } from "#core/alert/alert-listing.ts";
import type { Listing } from "#core/listing/listing.ts";
import type { FoundEvent, FoundEvents } from "../rows/found-events.ts";
import type { FormerAdvert } from "../rows/portal-listings.ts";
import { decideChange } from "./decide-change.ts";

/** A home that was on offer before. */
export interface ChangedHome {
  readonly listing: Listing;
  readonly before: Listing;
}

export interface ReturnedHome {
  readonly listing: Listing;
  readonly goneAt: number;
}

export interface FeedFinding {
  readonly fresh: readonly Listing[];
  readonly changed: readonly ChangedHome[];
  readonly back: readonly ReturnedHome[];
  readonly gone: readonly Listing[];
  readonly former: readonly FormerAdvert[];
  /** The searches that a listing fits. */
  readonly find: (listing: Listing) => string[];
  readonly alertListingOf: (listing: Listing) => AlertListing;
  readonly now: Date;
}

/** The changes of a feed as events: homes for people who were not told of them, and changes for people who were. */
export function foundEventsOf(finding: FeedFinding): FoundEvents {
  const { fresh, changed, back, gone, find, now } = finding;
  const former = new Map(finding.former.map((advert) => [advert.listingId, advert]));
  const eventOf = eventWriter(finding);
  const events = [
    ...fresh.map((listing): FoundEvents => {
      const { listingId: _, ...advert } = former.get(listing.propertyCode) ?? {};
      return { found: [eventOf(listing, { kind: "new", filterIds: find(listing) }, advert)], changed: [] };
    }),
    ...changed.map((home) => changeEvents(home, finding)),
    ...back.map((home) => returnEvents(home, finding)),
  ];
  const ended = gone.map((listing) => ({
    ...eventOf(listing, { kind: "gone", filterIds: [] }),
    eventKey: now.toISOString(),
  }));
  const isAimed = ({ filterIds, againIds = [] }: FoundEvent) => filterIds.length + againIds.length > 0;
  return {
    found: events.flatMap(({ found }) => found).filter(isAimed),
    changed: [...events.flatMap((event) => event.changed), ...ended],
  };
}

type Writing = Pick<FeedFinding, "find" | "alertListingOf">;

/** A price cut is an event even for searches that the home does not fit: people may have kept it. */
function changeEvents({ listing, before }: ChangedHome, writing: Writing): FoundEvents {
  const eventOf = eventWriter(writing);
  const filterIds = writing.find(listing);
  const didFit = new Set(writing.find(before));
  const price = { priceEur: listing.priceEur, formerPriceEur: before.priceEur };
  const decisionOf = (id: string) => decideChange({ what: "changed", ...price, didFit: didFit.has(id) });
  const isNew = Object.groupBy(filterIds, (id) => (decisionOf(id).unknown === null ? "again" : "new"));
  const found = eventOf(listing, { kind: "new", filterIds: isNew.new ?? [] });
  const { known } = decideChange({ what: "changed", ...price, didFit: true });
  const cut = priceDropOf(before.priceEur, listing.priceEur);
  const drop = {
    ...eventOf(listing, { kind: "price-drop", filterIds }, cut),
    eventKey: String(listing.priceEur),
  };
  return {
    found: [{ ...found, againIds: isNew.again ?? [] }],
    changed: known === "price-drop" ? [drop] : [],
  };
}

function returnEvents({ listing, goneAt }: ReturnedHome, writing: Writing): FoundEvents {
  const eventOf = eventWriter(writing);
  const filterIds = writing.find(listing);
  const { unknown, known } = decideChange({ what: "returned" });
  const back = { ...eventOf(listing, { kind: "back", filterIds }), eventKey: new Date(goneAt).toISOString() };
  return {
    found: unknown ? [{ ...eventOf(listing, { kind: unknown, filterIds }), isReturn: true }] : [],
    changed: known ? [back] : [],
  };
}

export function eventWriter({ alertListingOf }: Pick<FeedFinding, "alertListingOf">) {
  return (
    listing: Listing,
    event: Pick<FoundEvent, "kind" | "filterIds">,
    facts: object = {},
  ): FoundEvent => ({
    ...event,
    listingId: listing.propertyCode,
    eventKey: "",
    payload: { listing: alertListingOf(listing), ...facts },
    details: detailsOf(listing),
  });
}
