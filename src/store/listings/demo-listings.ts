import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

export interface DemoListing {
  readonly listingId: string;
  readonly details: unknown;
}

/** The first is the newest. */
export async function recordDemoListings(
  db: Db,
  filterId: string,
  listings: readonly DemoListing[],
  now: Date,
): Promise<void> {
  if (listings.length === 0) return;
  const rows = listings.map((listing, place) => ({ ...listing, place }));
  await db`
    insert into public.demo_listings (demo_id, filter_id, created_at, details)
    select "listingId", ${filterId}, ${now}::timestamptz - place * interval '1 millisecond', details
    from jsonb_to_recordset(${jsonOf(db, rows)}) as found ("listingId" text, details jsonb, place int)
    on conflict (filter_id, demo_id) do nothing`;
}
