import type { AlertListing } from "#core/alert/alert.ts";
import { detailsOf, priceDropOf } from "#core/alert/alert-listing.ts";
import type { Listing } from "#core/listing/listing.ts";
import type { CutSinceTold } from "../rows/cuts-since-told.ts";
import type { FoundEvent, FoundEvents } from "../rows/found-events.ts";
import type { FormerAdvert } from "../rows/portal-listings.ts";
import { decideChange, type ToldAgain } from "./decide-change.ts";

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
  /** Of homes that are neither changed nor back. */
  readonly cuts: readonly CutSinceTold[];
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
    changed: [
      ...events.flatMap((event) => event.changed),
      ...finding.cuts.flatMap((cut) => eventsOfCut(cut, eventOf)),
      ...ended,
    ],
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
  return {
    found: [{ ...found, againIds: isNew.again ?? [] }],
    changed: known ? [eventAgain(known, { listing, filterIds, ...price }, eventOf)] : [],
  };
}

function returnEvents({ listing, goneAt }: ReturnedHome, writing: Writing): FoundEvents {
  const eventOf = eventWriter(writing);
  const filterIds = writing.find(listing);
  const { unknown, known } = decideChange({ what: "returned" });
  const home = { listing, filterIds, returnKey: new Date(goneAt).toISOString() };
  return {
    found: unknown ? [{ ...eventOf(listing, { kind: unknown, filterIds }), isReturn: true }] : [],
    changed: known ? [eventAgain(known, home, eventOf)] : [],
  };
}

interface HomeAgain {
  readonly listing: Listing;
  readonly filterIds: string[];
  readonly formerPriceEur?: number;
  readonly returnKey?: string;
}

/** Each person is shown the price that they were told. */
export function eventsOfCut(
  { listing, filterIds, toldPriceEur }: CutSinceTold,
  eventOf: ReturnType<typeof eventWriter>,
): FoundEvent[] {
  const price = { priceEur: listing.priceEur, formerPriceEur: toldPriceEur };
  const { known } = decideChange({ what: "changed", ...price, didFit: true });
  return known ? [{ ...eventAgain(known, { listing, filterIds, ...price }, eventOf), toldPriceEur }] : [];
}

/** What tells an event from others of its kind about the home, and its facts. The types require a row for each kind. */
const AGAIN: Readonly<Record<ToldAgain, (home: HomeAgain) => { eventKey: string; facts: object }>> = {
  "price-drop": ({ listing: { priceEur }, formerPriceEur = priceEur }) => ({
    eventKey: String(priceEur),
    facts: priceDropOf(formerPriceEur, priceEur),
  }),
  back: ({ returnKey = "" }) => ({ eventKey: returnKey, facts: {} }),
};

/** The event for people who were told of the home before. */
export function eventAgain(
  kind: ToldAgain,
  home: HomeAgain,
  eventOf: ReturnType<typeof eventWriter>,
): FoundEvent {
  const { eventKey, facts } = AGAIN[kind](home);
  return { ...eventOf(home.listing, { kind, filterIds: home.filterIds }, facts), eventKey };
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
