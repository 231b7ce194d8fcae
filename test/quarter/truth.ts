// The portal's true timeline, and what its answers have shown to the product. It is written from what the simulation does to
// the portal and from the portal's own answers, never from the product's tables.
import type { Advert } from "#simulators/portal/market/advert.ts";
import { placesAround } from "#simulators/portal/market/places.ts";
import { readRequest } from "#simulators/portal/official/read-request.ts";
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

/** A page that the portal answered. */
interface Reading {
  readonly at: number;
  readonly operation: string;
  readonly placeId: string;
  readonly isFirst: boolean;
  /** When the homes at its two ends were published or renewed: it shows all between them. */
  readonly newest: number;
  readonly oldest: number;
}

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
    const { operation, locationId, numPage, maxItems } = request;
    const page = selectAdverts(market, request).slice((numPage - 1) * maxItems, numPage * maxItems);
    truth.readings.push({
      ...{ at: now, operation, placeId: locationId ?? "", isFirst: numPage === 1 },
      newest: page[0]?.publishedAt ?? now,
      oldest: page.at(-1)?.publishedAt ?? now,
    });
    for (const { code } of page) show(homeOf(truth, code), now);
  };
  return truth;
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

/** How often the first page of a list with this home was answered in that time. */
export function readingsBetween(truth: Truth, advert: Advert, from: number, until: number): number {
  return readingsOf(truth, advert, { from, until }).filter(({ isFirst }) => isFirst).length;
}

/** How often the place in the list where this home was before was answered in that time, without the home. */
export function absencesBetween(truth: Truth, advert: Advert, from: number, until: number): number {
  const { publishedAt } = advert;
  const readings = readingsOf(truth, advert, { from, until });
  return readings.filter(({ newest, oldest }) => newest > publishedAt && oldest < publishedAt).length;
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
