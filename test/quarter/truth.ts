// The portal's true timeline, and what its answers have shown to the product. It is written from what the simulation does to
// the portal and from the portal's own answers, never from the product's tables.
import type { Advert } from "#simulators/portal/market/advert.ts";
import { placesAround } from "#simulators/portal/market/places.ts";
import { readRequest, type SearchRequest } from "#simulators/portal/official/read-request.ts";
import { selectAdverts } from "#simulators/portal/official/select-adverts.ts";
import type { PortalSimulator } from "#simulators/portal/start-portal-simulator.ts";

export interface HomeEvent {
  readonly at: number;
  readonly type: "published" | "restored" | "repriced" | "withdrawn";
  /** The advert from then on. */
  readonly advert: Advert;
  readonly isOnOffer: boolean;
  /** When an answer first had the home in this state; null until then, and for ever if the state ended before. */
  shownAt: number | null;
}

export interface HomeTruth {
  readonly code: string;
  readonly events: HomeEvent[];
  /** When an answer first had it in any state. */
  firstShownAt: number | null;
}

/** Pages of one list that the portal answered one after the other. */
interface Reading {
  readonly at: number;
  readonly operation: string;
  readonly placeId: string;
  readonly isFromTop: boolean;
  /** When the homes at its two ends were published or renewed: it shows all between them. */
  readonly newest: number;
  /** So far above the end that no change of places explains why a home is not there. */
  proven: number;
}

/** Pages of one check follow within this time. */
const ONE_CHECK_MS = 300_000;
/** Homes near the end of what was read may just have moved below it. */
const MARGIN = 10;

export interface Truth {
  readonly homes: Map<string, HomeTruth>;
  readonly readings: Reading[];
  /** Answered requests by month, and refused ones in all. */
  readonly answered: Map<string, number>;
  readonly refusedAt: number[];
  note(type: HomeEvent["type"], advert: Advert): void;
}

/** Listens at the portal from now on. */
export function createTruth(portal: PortalSimulator): Truth {
  const { market, ledger, clock } = portal;
  const truth: Truth = {
    homes: new Map(),
    readings: [],
    answered: new Map(),
    refusedAt: [],
    note: (type, advert) => {
      const event = { at: clock.now(), type, advert: { ...advert }, isOnOffer: type !== "withdrawn" };
      homeOf(truth, advert.code).events.push({ ...event, shownAt: null });
    },
  };
  const write = ledger.write.bind(ledger);
  ledger.write = (entry) => {
    write(entry);
    if (entry.api !== "search") return;
    const now = clock.now();
    if (entry.status !== 200 || entry.faults.length > 0) {
      truth.refusedAt.push(now);
      return;
    }
    const month = new Date(now).toISOString().slice(0, 7);
    truth.answered.set(month, (truth.answered.get(month) ?? 0) + 1);
    const request = readRequest(new Map(Object.entries(entry.parameters)));
    const { numPage, maxItems } = request;
    const page = selectAdverts(market, request).slice((numPage - 1) * maxItems, numPage * maxItems);
    noteReading(truth.readings, request, { page, now });
    for (const { code } of page) show(homeOf(truth, code), now);
  };
  return truth;
}

function noteReading(
  readings: Reading[],
  { operation, locationId, numPage, maxItems }: SearchRequest,
  { page, now }: { readonly page: readonly Advert[]; readonly now: number },
): void {
  const placeId = locationId ?? "";
  const proven = page.length < maxItems ? 0 : (page.at(-1 - MARGIN)?.publishedAt ?? now);
  const open = readings.findLast((one) => one.operation === operation && one.placeId === placeId);
  if (numPage > 1 && open && now - open.at <= ONE_CHECK_MS) open.proven = Math.min(open.proven, proven);
  else {
    const newest = page[0]?.publishedAt ?? now;
    readings.push({ at: now, operation, placeId, isFromTop: numPage === 1, newest, proven });
  }
}

function homeOf({ homes }: Pick<Truth, "homes">, code: string): HomeTruth {
  const known = homes.get(code) ?? { code, events: [], firstShownAt: null };
  homes.set(code, known);
  return known;
}

/** Only the present state is shown; earlier ones that were not seen in time have passed. */
function show(home: HomeTruth, now: number): void {
  home.firstShownAt ??= now;
  const latest = home.events.at(-1);
  if (latest) latest.shownAt ??= now;
}

/** How often a list with this home was read from its top in that time. */
export function readingsBetween(truth: Truth, advert: Advert, from: number, until: number): number {
  return readingsOf(truth, advert, { from, until }).filter(({ isFromTop }) => isFromTop).length;
}

/** How many checks read past the place where this home was before in that time, without the home. */
export function absencesBetween(truth: Truth, advert: Advert, from: number, until: number): number {
  const { publishedAt } = advert;
  const readings = readingsOf(truth, advert, { from, until });
  return readings.filter(({ newest, proven }) => newest > publishedAt && proven < publishedAt).length;
}

function readingsOf(
  { readings }: Truth,
  { spot, operation }: Advert,
  { from, until }: { readonly from: number; readonly until: number },
): Reading[] {
  const places = new Set(placesAround(spot.id));
  return readings.filter(
    (one) =>
      one.at > from &&
      one.at < until &&
      one.operation === operation &&
      (one.placeId === "" || places.has(one.placeId)),
  );
}
