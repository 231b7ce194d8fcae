/**
 * Writes a mail as a reading whose audience is the user who received it, and anonymous prices for market statistics, in the
 * caller's transaction. It reads what feeds know but never changes it.
 */
import type { TransactionSql } from "postgres";
import type { AlertListing } from "#core/alert/alert.ts";
import { cardOf } from "#core/listing/card-of.ts";
import { comparedZoneOf, pricePerM2Of, zoneIdOf, zoneNameOf } from "#core/listing/market.ts";
import { applyRules } from "#watcher/ingest/apply-rules.ts";
import { readAlertListings } from "#watcher/rows/alert-listings.ts";
import { recordSightings, writeEvents } from "#watcher/rows/write-events.ts";
import type { MailReading } from "../read/mail-event.ts";
import { recordMailFigures } from "../rows/mail-figures.ts";
import {
  countBacklogAlerts,
  countMailsAround,
  lockMailPerson,
  noteMailListings,
  type SaidByMail,
} from "../rows/mail-listings.ts";
import { eventsOfMail, limitAlerts } from "./events-of-mail.ts";
import { type JudgedEvent, judgeEvents } from "./judge-events.ts";

/** The most alerts for all mails that are older than the user's address, and a day's for mails that come late. */
const MOST_BACKLOG_ALERTS = 3;
const HOUR_MS = 3_600_000;
/** A mail of yesterday is no news, whatever mailbox or queue kept it. */
const LATE_MS = 24 * HOUR_MS;
/** Nor are many mails at once that are this old. */
const LATE_AMONG_MANY_MS = HOUR_MS;
const MANY_MAILS = 10;
const EARLIEST_DATE = Date.UTC(2000, 0);

export interface AlertMail {
  readonly id: string;
  readonly userId: string;
  readonly receivedAt: Date;
  readonly sentAt: Date | null;
}

export async function ingestMail(
  db: TransactionSql,
  mail: AlertMail,
  reading: Extract<MailReading, { type: "alert" | "digest" }>,
  now: Date,
): Promise<{ listingCount: number; newCount: number }> {
  const { userId, receivedAt } = mail;
  const sentAt = sentAtOf(mail);
  const person = await lockMailPerson(db, userId, now);
  const judged = await judgeEvents(db, reading.events, { person, userId, sentAt });
  const backlogSince = await backlogOf(db, mail, { sentAt, addressSince: person.addressSince, now });
  const isBacklog = backlogSince !== undefined;
  const left = isBacklog
    ? Math.max(0, MOST_BACKLOG_ALERTS - (await countBacklogAlerts(db, userId, backlogSince)))
    : Number.POSITIVE_INFINITY;
  const decided = judged.filter(({ decision }) => decision.act !== "none");
  const events = eventsOfMail(decided, await listingWriter(db, decided));
  const { isDigest, changed, found } = limitAlerts(await applyRules(db, events, new Map()), left);
  // Before the alerts, as feeds do. The same order for every writer avoids deadlock.
  await recordMailFigures(db, judged.flatMap(figureOf), sentAt);
  const audience = { userId, source: "mail", seenAt: receivedAt, isDigest, isBacklog } as const;
  // The first advert of a reading is sent last, and the first of a mail first.
  const { alerted, newCount } = await writeEvents(db, audience, { changed, found: found.toReversed() }, now);

  const alertedIds = new Set(alerted.map(({ listingId }) => listingId));
  const kept = judged.filter(({ isHidden }) => !isHidden);
  await noteMailListings(
    db,
    userId,
    kept.map((judged) => saidOf(judged, isBacklog && alertedIds.has(judged.event.listingId))),
    { sentAt, now },
  );
  const known = kept.filter(({ decision }) => decision.act === "none");
  // Backlog mails do not count for the delay of mails.
  if (!isBacklog) await recordSightings(db, "mail", known.map(sightingOf), receivedAt);
  return { listingCount: judged.length, newCount };
}

const DECIDED = { find: "new", cut: "cut", none: "none" } as const;

/** Since when the alerts of a backlog count, if the mail belongs to one: its own date decides, and how many came with it. */
async function backlogOf(
  db: TransactionSql,
  { userId, receivedAt, sentAt: said }: AlertMail,
  { sentAt, addressSince, now }: { sentAt: Date; addressSince: Date; now: Date },
): Promise<Date | undefined> {
  if (sentAt < addressSince) return addressSince;
  const lateMs = receivedAt.getTime() - sentAt.getTime();
  // A mail that does not say when it was sent may be old.
  const isUndated = said === null || said.getTime() - receivedAt.getTime() >= LATE_MS;
  const mayBeLate = isUndated || lateMs >= LATE_AMONG_MANY_MS;
  const isLate =
    lateMs >= LATE_MS || (mayBeLate && (await countMailsAround(db, userId, receivedAt)) >= MANY_MAILS);
  return isLate ? new Date(now.getTime() - LATE_MS) : undefined;
}

/** The mail's date, limited to plausible values. */
function sentAtOf({ sentAt, receivedAt }: AlertMail): Date {
  const sentMs = sentAt?.getTime() ?? receivedAt.getTime();
  return new Date(Math.min(Math.max(sentMs, EARLIEST_DATE), receivedAt.getTime()));
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

function saidOf(judged: JudgedEvent, isBacklogAlerted: boolean): SaidByMail {
  const { event, listing } = judged;
  const { isPrivate, isAuction, priceEur, formerPriceEur } = event;
  return {
    listingId: event.listingId,
    ...{ priceEur, formerPriceEur, isBacklogAlerted },
    decided: DECIDED[judged.decision.act],
    decidedPriceEur: judged.decision.act === "none" ? null : judged.decision.priceEur,
    placeId: zoneIdOf(listing),
    card: { ...cardOf({ ...listing, priceEur }), isPrivate, isAuction },
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

function sightingOf({ event }: JudgedEvent) {
  const isCut = event.event === "cheaper";
  const kind = isCut ? ("price-drop" as const) : ("new" as const);
  return {
    kind,
    listingId: event.listingId,
    eventKey: isCut ? String(event.priceEur) : "",
    isAlerted: false,
  };
}
