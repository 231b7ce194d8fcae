/** What mails add to market statistics. Contains no personal data. */
import type { Operation } from "#core/search/search.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import { noteChangedZones } from "#store/finds/market-figures.ts";

export interface MailFigure {
  readonly listingId: string;
  /** Its zone, as in the market figures. */
  readonly zoneId: string;
  readonly zoneName: string;
  readonly operation: Operation;
  readonly pricePerM2Eur: number;
}

/** Skips listings that a feed has seen. */
export async function recordMailFigures(db: Db, figures: readonly MailFigure[], seenAt: Date): Promise<void> {
  if (figures.length === 0) return;
  await db`
    insert into watch.mail_figures (listing_id, place_id, place_name, operation, price_per_m2_eur, last_seen_at)
    select "listingId", "zoneId", "zoneName", operation, "pricePerM2Eur", ${seenAt}
    from jsonb_to_recordset(${jsonOf(db, figures)}) as said (
      "listingId" text, "zoneId" text, "zoneName" text, operation text, "pricePerM2Eur" float8
    )
    where not exists (select from watch.portal_listings as portal where portal.listing_id = "listingId")
    order by "listingId"
    on conflict (listing_id) do update set
      place_id = excluded.place_id, place_name = excluded.place_name, operation = excluded.operation,
      price_per_m2_eur = excluded.price_per_m2_eur, last_seen_at = excluded.last_seen_at
    where mail_figures.last_seen_at < excluded.last_seen_at`;
  await noteChangedZones(
    db,
    figures.map(({ zoneId }) => zoneId),
  );
}
