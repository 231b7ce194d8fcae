/**
 * Decides what an advert in a mail means for the user, given what is already known. No alert has a price that is known to
 * be outdated, and no price is alerted twice.
 *
 *   no row ──any event──► find, at the current price
 *   row ──cheaper, at a new price, and no newer price is known──► cut
 *   row that rules left out ──cheaper──► find
 *   row of another search ──any other event──► find, for this search too
 */

import type { MailEvent } from "../read/mail-event.ts";
import type { MailedListing } from "../rows/mail-listings.ts";

/** The portal's API may show a new price some time after the mail was sent. */
const API_LAG_MS = 3_600_000;

export type EventDecision =
  | { readonly act: "find"; readonly priceEur: number; readonly formerPriceEur: number | null }
  | { readonly act: "cut"; readonly priceEur: number; readonly formerPriceEur: number }
  | { readonly act: "none" };

export function decideEvent(
  event: Pick<MailEvent, "event" | "priceEur" | "formerPriceEur">,
  known: MailedListing | undefined,
  { sentAt, searchIds }: { sentAt: Date; searchIds: readonly string[] },
): EventDecision {
  if (known?.isHidden) return { act: "none" };
  const newer = known && newerPriceOf(event.priceEur, known, sentAt);
  if (!known?.row) return firstFindOf(event, newer);
  const { row, mailed } = known;
  const isKnownPrice = row.priceEur === event.priceEur || mailed?.priceEur === event.priceEur;
  const isFound = row.searchIds.length === 0 || searchIds.every((id) => row.searchIds.includes(id));
  const otherwise: EventDecision = isFound
    ? { act: "none" }
    : { act: "find", priceEur: newer ?? event.priceEur, formerPriceEur: null };
  if (event.event !== "cheaper" || newer !== undefined || isKnownPrice) return otherwise;
  const formerPriceEur = event.formerPriceEur ?? knownPriceOf(known);
  if (formerPriceEur <= event.priceEur) return otherwise;
  return { act: isLeftOut(known) ? "find" : "cut", priceEur: event.priceEur, formerPriceEur };
}

function firstFindOf(
  { event, priceEur, formerPriceEur }: Pick<MailEvent, "event" | "priceEur" | "formerPriceEur">,
  newer: number | undefined,
): EventDecision {
  const isCut = event === "cheaper" && newer === undefined;
  return { act: "find", priceEur: newer ?? priceEur, formerPriceEur: isCut ? formerPriceEur : null };
}

function knownPriceOf({ mailed, met, row }: MailedListing): number {
  return mailed?.priceEur ?? met?.listing.priceEur ?? row?.priceEur ?? 0;
}

/** Rules have left it out so far: if it passes them now, it is new. */
function isLeftOut({ row, leftOutIds }: MailedListing): boolean {
  return row?.searchIds.length === 0 && leftOutIds.length > 0;
}

/** A different price that was seen after the mail was sent. */
function newerPriceOf(priceEur: number, { met, mailed }: MailedListing, sentAt: Date): number | undefined {
  const sentMs = sentAt.getTime();
  if (met && met.listing.priceEur !== priceEur) {
    // A lower price must be newer. A higher one may be outdated in the API.
    const isLower = met.listing.priceEur < priceEur && met.pricedAt.getTime() > sentMs;
    if (isLower || met.lastSeenAt.getTime() > sentMs + API_LAG_MS) return met.listing.priceEur;
  }
  return mailed && mailed.priceEur !== priceEur && mailed.sentAt.getTime() > sentMs
    ? mailed.priceEur
    : undefined;
}
