import type { Sql } from "postgres";
import { openProductDatabase } from "#test/local-product.ts";

type Finds = { userId: string; count: number };

/** Homes found for a person, one every seven minutes, the newest first. */
export async function addFinds(dataDir: string, finds: Finds): Promise<void> {
  const sql = await openProductDatabase(dataDir);
  await insertFinds(sql, finds);
  await sql.end();
}

export async function insertFinds(sql: Sql, { userId, count }: Finds): Promise<void> {
  await sql`
    insert into watch.portal_listings (
      listing_id, listing, card, price_eur, home_id, price_per_m2_eur, first_seen_at, last_seen_at, place_id
    )
    select n::text, '{}', jsonb_build_object(
        'propertyCode', n::text, 'operation', 'rent', 'kind', 'homes', 'typology', 'flat', 'areaM2', 60, 'rooms', 2,
        'floor', '3', 'hasLift', true, 'address', 'Calle de Prueba, ' || n, 'neighborhood', 'Trafalgar',
        'district', 'Chamberí', 'municipality', 'Madrid', 'url', 'https://www.idealista.com/inmueble/' || n || '/'
      ),
      1000 + n % 900, n::text, 20, now() - (n - 900000000) * interval '7 minutes', now(), '0-EU-ES-28-07-001-079-07-001'
    from generate_series(900000001, 900000000 + ${count}::int) as n`;
  await sql`
    insert into public.listings (user_id, listing_id, created_at, details)
    select ${userId}, n::text, now() - (n - 900000000) * interval '7 minutes', '{}'
    from generate_series(900000001, 900000000 + ${count}::int) as n`;
  await sql`analyze watch.portal_listings, public.listings`;
}
