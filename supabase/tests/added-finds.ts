import type { Person } from "#test/cast.ts";
import type { TestProduct } from "#test/test-product.ts";

export const IBIZA = "0-EU-ES-28-07-001-079-03-001";

/** A listing as the watcher would have stored it, that many hours ago. */
export interface Advert {
  id: string;
  hoursAgo?: number;
  home?: string;
  price?: number;
  former?: number;
  area?: number;
  place?: string;
  goneHoursAgo?: number;
  isBack?: boolean;
  card?: object;
  warnings?: object[];
}

/** Stores listings as the watcher would have for this person. */
export async function addFinds(
  { database: { sql } }: TestProduct,
  { id: userId }: Person,
  adverts: Advert[],
  searchIds: string[] = [],
): Promise<void> {
  const rows = adverts.map((advert) => ({ hoursAgo: 1, price: 300_000, area: 60, place: IBIZA, ...advert }));
  await sql`
    insert into watch.portal_listings (
      listing_id, listing, card, price_eur, home_id, price_per_m2_eur, first_seen_at, last_seen_at, place_id, former_price_eur, gone_at, back_at
    )
    select id, '{}', jsonb_build_object(
        'propertyCode', id, 'operation', 'sale', 'kind', 'homes', 'areaM2', area, 'title', 'Flat ' || id, 'rooms', 2,
        'url', 'https://www.idealista.com/inmueble/' || id || '/', 'latitude', 40.41, 'longitude', -3.67,
        'warnings', coalesce(warnings, '[]')
      ) || coalesce(card, '{}'),
      price, coalesce(home, id), price / area, now() - "hoursAgo" * interval '1 hour', now(), place,
      former, now() - "goneHoursAgo" * interval '1 hour', case when "isBack" then now() end
    from jsonb_to_recordset(${sql.json(rows as never)}) as advert (
      id text, "hoursAgo" float8, home text, price float8, former float8, area float8, place text, "goneHoursAgo" float8,
      "isBack" boolean, card jsonb, warnings jsonb
    )
    on conflict do nothing`;
  await sql`
    update watch.portal_listings set last_seen_at = gone_at where gone_at is not null`;
  await sql`
    insert into public.listings (user_id, listing_id, created_at, details, search_ids)
    select ${userId}, id, now() - "hoursAgo" * interval '1 hour', '{}', array(
      select jsonb_array_elements_text(${sql.json(searchIds)})::uuid
    )
    from jsonb_to_recordset(${sql.json(rows as never)}) as advert (id text, "hoursAgo" float8)`;
}
