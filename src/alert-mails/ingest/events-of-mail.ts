import type { AlertListing } from "#core/alert/alert.ts";
import { detailsOf, priceDropOf } from "#core/alert/alert-listing.ts";
import type { FoundEvent, FoundEvents } from "#watcher/rows/found-events.ts";
import type { JudgedEvent } from "./judge-events.ts";

/** More alerts of one mail are sent as one message. */
const MOST_SINGLE_ALERTS = 3;

/** The adverts of a mail as events of a reading. */
export function eventsOfMail(
  judged: readonly JudgedEvent[],
  shownIn: (judged: JudgedEvent) => AlertListing,
): FoundEvents {
  const found = judged.flatMap((one) => foundOf(one, shownIn(one)));
  const changed = judged.flatMap((one) => cutOf(one, shownIn(one)));
  return { found, changed };
}

function foundOf(judged: JudgedEvent, listing: AlertListing): FoundEvent[] {
  const { decision, searchIds, alertingIds, leftOutIds } = judged;
  if (decision.act === "none" || (decision.act === "cut" && leftOutIds.length === 0)) return [];
  const isAimed = (id: string) => decision.act === "find" || leftOutIds.includes(id);
  const { formerPriceEur } = decision;
  return [
    {
      ...eventOf(judged, "new"),
      eventKey: "",
      payload: { listing, ...(formerPriceEur !== null && { formerPriceEur }) },
      filterIds: searchIds.filter(isAimed),
      alertIds: alertingIds.filter(isAimed),
    },
  ];
}

function cutOf(judged: JudgedEvent, listing: AlertListing): FoundEvent[] {
  const { decision, searchIds, alertingIds, leftOutIds } = judged;
  if (decision.act !== "cut") return [];
  const knowing = (ids: readonly string[]) => ids.filter((id) => !leftOutIds.includes(id));
  return [
    {
      ...eventOf(judged, "price-drop"),
      eventKey: String(decision.priceEur),
      payload: { listing, ...priceDropOf(decision.formerPriceEur, decision.priceEur) },
      filterIds: knowing([...new Set([...searchIds, ...alertingIds])]),
      alertIds: knowing(alertingIds),
    },
  ];
}

function eventOf<Kind extends "new" | "price-drop">({ event, listing, isWanted }: JudgedEvent, kind: Kind) {
  return { kind, listingId: event.listingId, details: detailsOf(listing), isWanted };
}

/** At most this many events alert, price cuts first. `events`: with the rules' decisions. */
export function limitAlerts(events: FoundEvents, most: number): FoundEvents & { readonly isDigest: boolean } {
  const all = [...events.changed, ...events.found];
  const alerting = all.filter(isAlerting);
  const isDigest = Math.min(alerting.length, most) > MOST_SINGLE_ALERTS;
  const silenced = new Set(alerting.slice(Math.min(alerting.length, most)));
  const limited = (event: FoundEvent): FoundEvent => ({
    ...event,
    payload: { ...(event.payload as object), isOfDigest: isDigest },
    ...(silenced.has(event) && { alertIds: [] }),
  });
  return { found: events.found.map(limited), changed: events.changed.map(limited), isDigest };
}

function isAlerting({ alertIds = [], ruled }: FoundEvent): boolean {
  return alertIds.some((id) => ruled?.get(id)?.act !== "leave-out");
}
