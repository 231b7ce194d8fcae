import { randomInt } from "node:crypto";
import type postgres from "postgres";
import type { Person } from "./people.ts";
import { inDatabase } from "./product-database.ts";

export interface FindToAdd {
  id: string;
  search?: number;
  priceEur: number;
  formerPriceEur?: number;
  minutesAgo: number;
  goneMinutesAgo?: number;
  street: string;
}

/** Listing codes that no other test uses. */
export const newCodes = (count: number): string[] => {
  const first = randomInt(1_000_000_000, 9_000_000_000);
  return Array.from({ length: count }, (_, index) => String(first + index));
};

/** Places without any listings, so that these searches find nothing that other tests publish. */
const SEARCHES = ["soria-soria", "teruel-teruel", "zamora-zamora"].map(
  (place) => `https://www.idealista.com/venta-garajes/${place}/`,
);
const PLACE_ID = "0-EU-ES-28-07-001-079-07-001";

/** Adds three searches of a user, as the page saves them. Returns their ids. */
export const addSearches = ({ id }: Person, chatIds: string[] = ["501"]): Promise<string[]> =>
  inDatabase(async (sql) => {
    const [first, ...others] = SEARCHES;
    const rows = [
      ...(await sql`insert into filter_settings (user_id, filter_url, receiver_ids)
        values (${id}, ${first ?? ""}, ${chatIds}) returning id`),
      ...(await sql`insert into searches (user_id, filter_url, receiver_ids)
        select ${id}, url, ${chatIds} from unnest(${others}::text[]) as url returning id`),
    ];
    return rows.map((row) => String(row.id));
  });

/** Adds homes found for a user, as the watcher does. */
export const addFinds = (person: Person, finds: readonly FindToAdd[], searchIds: readonly string[] = []) =>
  inDatabase((sql) => insertFinds(sql, person, finds, searchIds));

async function insertFinds(
  sql: postgres.Sql,
  { id: userId }: Person,
  finds: readonly FindToAdd[],
  searchIds: readonly string[],
): Promise<void> {
  const rows = finds.map((find) => ({ ...find, searchId: searchIds[find.search ?? 0] ?? null }));
  await sql`
    with found as materialized (
      select * from jsonb_to_recordset(${sql.json(rows as never)}) as found (
        id text, "searchId" uuid, "priceEur" float8, "formerPriceEur" float8, "minutesAgo" float8, "goneMinutesAgo" float8,
        street text
      )
    ), met as (
      insert into watch.portal_listings (
        listing_id, listing, card, price_eur, former_price_eur, home_id, price_per_m2_eur, first_seen_at,
        last_seen_at, gone_at, place_id
      )
      select id, '{}', jsonb_build_object(
          'propertyCode', id, 'operation', 'sale', 'kind', 'homes', 'typology', 'flat', 'areaM2', 60, 'rooms', 2,
          'floor', '3', 'hasLift', true, 'address', street, 'neighborhood', 'Trafalgar', 'district', 'Chamberí',
          'municipality', 'Madrid', 'url', 'https://www.idealista.com/inmueble/' || id || '/'
        ),
        "priceEur", "formerPriceEur", id, "priceEur" / 60, now() - "minutesAgo" * interval '1 minute', now(),
        now() - "goneMinutesAgo" * interval '1 minute', ${PLACE_ID}
      from found
    )
    insert into public.listings (user_id, listing_id, created_at, details, search_ids)
    select ${userId}, id, now() - "minutesAgo" * interval '1 minute', '{}',
      case when "searchId" is null then '{}' else array["searchId"] end
    from found`;
}

/** Adds an alert about a find for the sender to send to a chat. */
export const addAlert = (
  { id: userId }: Person,
  chatId: number,
  { find, searchId }: { find: FindToAdd; searchId: string | undefined },
) =>
  inDatabase(async (sql) => {
    const listing = {
      propertyCode: find.id,
      url: `https://www.idealista.com/inmueble/${find.id}/`,
      title: null,
      operation: "sale",
      kind: "homes",
      typology: "flat",
      subTypology: null,
      priceEur: find.priceEur,
      areaM2: 60,
      rooms: 2,
      bathrooms: 1,
      floor: "3",
      hasLift: true,
      isExterior: true,
      address: find.street,
      neighborhood: "Trafalgar",
      district: "Chamberí",
      municipality: "Madrid",
      pictureUrl: null,
      pricePerM2Eur: find.priceEur / 60,
      comparison: null,
    };
    await sql`insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, search_ids)
      values (${userId}, ${chatId}, 'new', ${find.id}, ${sql.json({ listing })}, ${[searchId ?? ""]})`;
    await sql`select pg_notify('alerts', '')`;
  });
