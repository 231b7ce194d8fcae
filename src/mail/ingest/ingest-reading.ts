import type { TransactionSql } from "postgres";
import type { MailReading } from "#sources/alert-mail/mail-event.ts";
import { jsonOf } from "#store/connection/json-parameter.ts";

export interface MailToIngest {
  readonly id: string;
  readonly userId: string;
  readonly receivedAt: Date;
  readonly sentAt: Date | null;
}

/** Writes what a believed mail says: finds, and alerts about them. */
export async function ingestReading(
  db: TransactionSql,
  mail: MailToIngest,
  reading: Extract<MailReading, { type: "alert" | "digest" }>,
  now: Date,
): Promise<{ listingCount: number; newCount: number }> {
  const rows = reading.events.map(({ listingId, url, title, priceEur }) => ({
    listing_id: listingId,
    details: { url, title, priceEur },
  }));
  const { count } = await db`
    insert into public.listings (listing_id, user_id, created_at, details)
    select distinct on (listing_id) listing_id, ${mail.userId}::uuid, ${now}::timestamptz, details
    from jsonb_to_recordset(${jsonOf(db, rows)}) as found (listing_id text, details jsonb)
    on conflict (user_id, listing_id) do nothing`;
  return { listingCount: reading.events.length, newCount: count };
}
