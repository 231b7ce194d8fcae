/**
 * Writes the listings and alerts of a mail for the user who received it, and anonymous prices for market statistics, in the
 * caller's transaction. It reads what feeds know but never changes it.
 */
import type { TransactionSql } from "postgres";
import type { AlertListing, AlertPayloads } from "#core/alert/alert.ts";
import { alertListingOf, detailsOf, priceDropOf } from "#core/alert/alert-listing.ts";
import { comparedZoneOf, pricePerM2Of, zoneIdOf, zoneNameOf } from "#core/listing/market.ts";
import { readAlertListings } from "#store/listings/alert-listings.ts";
import {
  addMailAlerts,
  addMailListings,
  countBacklogAlerts,
  lockMailPerson,
  type MailAlert,
  type MailPerson,
  noteMailListings,
  readKnownListings,
} from "#store/listings/mail-listings.ts";
import type { MailEvent, MailReading } from "../read/mail-event.ts";
import { recordMailFigures, recordMailSightings } from "../rows/mail-figures.ts";
import { addMailLeftOuts, endMailLeftOuts } from "../rows/mail-left-outs.ts";
import { chooseSearches } from "./choose-searches.ts";
import { decideEvent, type EventDecision } from "./decide-event.ts";
import type { JudgedEvent } from "./judged-event.ts";
import { completedBy, listingOfEvent } from "./listing-of-event.ts";
import { type MailRules, mailRules } from "./mail-rules.ts";

/** The most alerts for all mails that are older than the user's address. */
const MOST_BACKLOG_ALERTS = 3;
/** More alerts of one mail are sent as one message. */
const MOST_SINGLE_ALERTS = 3;
const MAX_URL_LENGTH = 500;
const MAX_LISTING_ID_LENGTH = 64;
const EARLIEST_DATE = Date.UTC(2000, 0);

export interface AlertMail {
  readonly id: string;
  readonly userId: string;
  readonly receivedAt: Date;
  readonly sentAt: Date | null;
}

type RuledEvent = JudgedEvent & MailRules;

export async function ingestMail(
  db: TransactionSql,
  mail: AlertMail,
  reading: Extract<MailReading, { type: "alert" | "digest" }>,
  now: Date,
): Promise<{ listingCount: number; newCount: number }> {
  const { userId, receivedAt } = mail;
  const sentAt = sentAtOf(mail);
  const person = await lockMailPerson(db, userId, now);
  const judged = await judgeEvents(db, usableEvents(reading.events), { person, userId, sentAt });
  const isBacklog = sentAt < person.addressSince;
  const left = isBacklog
    ? Math.max(0, MOST_BACKLOG_ALERTS - (await countBacklogAlerts(db, userId, person.addressSince)))
    : Number.POSITIVE_INFINITY;
  const shownIn = await listingWriter(
    db,
    judged.filter(({ decision }) => decision.act !== "none"),
  );
  const ruled = (event: JudgedEvent): RuledEvent => ({ ...event, ...mailRules(event, person, shownIn) });
  const events = judged.map(ruled);
  const all = [...events, ...judged.flatMap(({ leftOutBefore }) => leftOutBefore ?? []).map(ruled)];
  const toAlert = all.filter(
    ({ decision, alertingIds }) => alertingIds.length > 0 && decision.act !== "none",
  );
  const isHeld = Math.min(toAlert.length, left) > MOST_SINGLE_ALERTS;
  const alertOf = (event: RuledEvent) => mailAlertOf(event, shownIn(event), isHeld);
  const addAlerts = (meant: readonly RuledEvent[], atMost: number) => {
    const alerts = meant.slice(0, Math.min(meant.length, atMost)).flatMap(alertOf);
    return addMailAlerts(db, userId, alerts, { seenAt: receivedAt, now, isHeld });
  };

  // Price drops before new listings, as feeds do. The same order for every writer avoids deadlocks.
  const cuts = toAlert.filter(({ decision }) => decision.act === "cut");
  const alertedCuts = await addAlerts(cuts, left);
  const finds = all.filter(({ decision }) => decision.act === "find");
  const { found, newCount } = await addMailListings(
    db,
    userId,
    finds.map(({ listing, searchIds }) => ({
      listingId: listing.propertyCode,
      details: detailsOf(listing),
      searchIds,
    })),
    now,
  );
  await writeLeftOuts(db, userId, { events: all, finds, now });
  const news = finds.filter(({ event, alertingIds }) => alertingIds.length > 0 && found.has(event.listingId));
  const alertedNews = await addAlerts(news, left - alertedCuts.size);

  const alerted = new Set([...alertedCuts, ...alertedNews]);
  const kept = events.filter(({ isHidden }) => !isHidden);
  await noteMailListings(
    db,
    userId,
    kept.map((judged) => ({
      listingId: judged.event.listingId,
      priceEur: judged.event.priceEur,
      listing: shownOf(judged),
      isBacklogAlerted: isBacklog && alerted.has(judged.event.listingId),
    })),
    { sentAt, now },
  );
  await recordMailFigures(db, events.flatMap(figureOf), sentAt);
  // Backlog mails do not count for the delay of mails.
  if (!isBacklog) await recordMailSightings(db, kept.map(sightingOf(alerted)), receivedAt);
  return { listingCount: events.length, newCount };
}

async function writeLeftOuts(
  db: TransactionSql,
  userId: string,
  { events, finds, now }: { events: readonly RuledEvent[]; finds: readonly RuledEvent[]; now: Date },
): Promise<void> {
  const leftOuts = events.flatMap((event) => event.leftOuts);
  const passed = finds.flatMap(({ event: { listingId }, searchIds }) =>
    searchIds.map((searchId) => ({ listingId, searchId })),
  );
  await addMailLeftOuts(db, userId, leftOuts, now);
  await endMailLeftOuts(db, userId, passed, now);
}

/** The mail's date, limited to plausible values. */
function sentAtOf({ sentAt, receivedAt }: AlertMail): Date {
  const sentMs = sentAt?.getTime() ?? receivedAt.getTime();
  return new Date(Math.min(Math.max(sentMs, EARLIEST_DATE), receivedAt.getTime()));
}

/** Without duplicates and without adverts that exceed the columns' limits. */
function usableEvents(events: readonly MailEvent[]): MailEvent[] {
  const byId = new Map<string, MailEvent>();
  for (const event of events) {
    const isUsable = event.listingId.length <= MAX_LISTING_ID_LENGTH && event.url.length <= MAX_URL_LENGTH;
    if (isUsable && !byId.has(event.listingId)) byId.set(event.listingId, event);
  }
  return [...byId.values()];
}

async function judgeEvents(
  db: TransactionSql,
  events: readonly MailEvent[],
  { person, userId, sentAt }: { person: MailPerson; userId: string; sentAt: Date },
): Promise<JudgedEvent[]> {
  const rows = await readKnownListings(
    db,
    userId,
    events.map(({ listingId }) => listingId),
  );
  const knownById = new Map(rows.map((row) => [row.listingId, row]));
  return events.map((event) => {
    const known = knownById.get(event.listingId);
    const mailed = listingOfEvent(event);
    const listing = known?.met ? completedBy(mailed, known.met.listing) : mailed;
    const searchIds = chooseSearches(person.searches, event.searchUrl, listing).map(({ id }) => id);
    const decision = decideEvent(event, known, { sentAt, searchIds });
    const foundBy = known?.row?.searchIds ?? [];
    const alerted = new Set([...searchIds, ...(decision.act === "cut" ? foundBy : [])]);
    const alerting = person.searches.filter(({ id, isPaused }) => alerted.has(id) && !isPaused);
    const judged: JudgedEvent = {
      event,
      decision,
      listing: decision.act === "none" ? listing : { ...listing, priceEur: decision.priceEur },
      isHidden: known?.isHidden ?? false,
      searchIds,
      isWanted: known?.isWanted ?? false,
      alertingIds: person.isBanned ? [] : alerting.map(({ id }) => id),
    };
    const leftOutIds = known?.leftOutIds.filter((id) => !foundBy.includes(id)) ?? [];
    return decision.act === "cut" && !judged.isWanted
      ? withLeftOutBefore(judged, { ...decision, act: "find" }, leftOutIds)
      : judged;
  });
}

function withLeftOutBefore(
  cut: JudgedEvent,
  find: EventDecision,
  leftOutIds: readonly string[],
): JudgedEvent {
  const { searchIds, alertingIds } = cut;
  const leftOut = new Set(leftOutIds);
  if (!searchIds.some((id) => leftOut.has(id))) return cut;
  const without = (ids: readonly string[]) => ids.filter((id) => !leftOut.has(id));
  const only = (ids: readonly string[]) => ids.filter((id) => leftOut.has(id));
  return {
    ...cut,
    searchIds: without(searchIds),
    alertingIds: without(alertingIds),
    leftOutBefore: { ...cut, decision: find, searchIds: only(searchIds), alertingIds: only(alertingIds) },
  };
}

/** Returns how an alert shows an event's listing. Reads the market comparison for all events at once. */
async function listingWriter(
  db: TransactionSql,
  events: readonly JudgedEvent[],
): Promise<(judged: JudgedEvent) => AlertListing> {
  const compared = events.filter(isCompared).map(({ listing }) => listing);
  const alertListingOf = await readAlertListings(db, compared);
  return (judged) => {
    const { isPrivate, isAuction } = judged.event;
    const said: AlertListing = { ...alertListingOf(judged.listing), isPrivate, isAuction };
    return isCompared(judged) ? said : { ...said, comparison: null };
  };
}

function mailAlertOf(judged: RuledEvent, listing: AlertListing, isOfDigest: boolean): MailAlert[] {
  const { decision, event, alertingIds, silentIds, isWanted } = judged;
  if (decision.act === "none") return [];
  const about = { listingId: event.listingId, searchIds: alertingIds, silentIds, isWanted };
  if (decision.act === "cut") {
    const drop = priceDropOf(decision.formerPriceEur, decision.priceEur);
    const payload: AlertPayloads["price-drop"] = { listing, ...drop, isOfDigest };
    return [{ ...about, kind: "price-drop", eventKey: String(decision.priceEur), payload }];
  }
  const { formerPriceEur } = decision;
  const former = formerPriceEur === null ? {} : { formerPriceEur };
  const payload: AlertPayloads["new"] = { listing, ...former, isOfDigest };
  return [{ ...about, kind: "new", eventKey: "", payload }];
}

/** What the finds page shows of a listing that no feed has seen. */
function shownOf({ event, listing }: JudgedEvent) {
  const { isPrivate, isAuction, priceEur, formerPriceEur } = event;
  return {
    ...alertListingOf({ ...listing, priceEur }, undefined),
    ...{ isPrivate, isAuction, formerPriceEur, photoCount: listing.photoCount, placeId: zoneIdOf(listing) },
  };
}

/** Only listings with a known place and an asking price are compared. */
function isCompared({ event, listing }: JudgedEvent): boolean {
  return listing.province !== null && !event.isAuction;
}

function figureOf(judged: JudgedEvent) {
  const { event, listing } = judged;
  const zoneId = isCompared(judged) ? comparedZoneOf(listing) : null;
  const zoneName = zoneNameOf(listing);
  const pricePerM2Eur = pricePerM2Of({ ...listing, priceEur: event.priceEur });
  if (zoneId === null || zoneName === null || pricePerM2Eur === null) return [];
  return [{ listingId: event.listingId, zoneId, zoneName, operation: listing.operation, pricePerM2Eur }];
}

function sightingOf(alerted: ReadonlySet<string>) {
  return ({ event, decision }: JudgedEvent) => ({
    listingId: event.listingId,
    eventKey: event.event === "cheaper" && decision.act !== "find" ? String(event.priceEur) : "",
    isAlerted: alerted.has(event.listingId),
  });
}
