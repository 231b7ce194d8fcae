// Adverts of alert mails, and their ingestion for a user.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { ingestMail } from "#alert-mails/ingest/ingest-mail.ts";
import type { MailEvent } from "#alert-mails/read/mail-event.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";

export function mailEvent(code: string, changes: Partial<MailEvent> = {}): MailEvent {
  return {
    event: "new",
    portal: "idealista.com",
    code,
    listingId: code,
    url: `https://www.idealista.com/inmueble/${code}/`,
    operation: "sale",
    kind: "homes",
    typology: "flat",
    subTypology: null,
    isPrivate: false,
    isAuction: false,
    title: "Piso en Calle de Ibiza, 12, Ibiza, Madrid",
    address: ["Calle de Ibiza, 12", "Ibiza", "Madrid"],
    priceEur: 500_000,
    formerPriceEur: null,
    rooms: 2,
    areaM2: 80,
    floor: "3",
    hasLift: true,
    isExterior: true,
    photoUrl: "https://img4.idealista.com/blur/500_375_mq/0/id.pro.es.image.master/a/b/1.jpg",
    photoCount: 12,
    description: null,
    searchUrl: null,
    ...changes,
  };
}

export interface Mail {
  readonly userId: string;
  readonly events: readonly MailEvent[];
  readonly at: number;
  /** The mail's date; null if it has none. */
  readonly sentAt?: Date | null;
}

export async function receiveMail(sql: Sql, { userId, events, at, sentAt }: Mail) {
  const receivedAt = new Date(at);
  return await inTransaction(sql, (db) =>
    ingestMail(
      db,
      { id: randomUUID(), userId, receivedAt, sentAt: sentAt === undefined ? receivedAt : sentAt },
      {
        type: events.length > 1 ? "digest" : "alert",
        portal: events[0]?.portal ?? "idealista.com",
        events,
        unread: [],
      },
      receivedAt,
    ),
  );
}
