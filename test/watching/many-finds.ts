// Thousands of found homes, to check that a query's cost does not grow with other users' rows.
import type { Sql, TransactionSql } from "postgres";

/**
 * Inserts `own` found homes of one user and `others` of a hundred other users, with prices, a feed that still has nine in ten
 * of them, and some marks. Returns the user. Ids are "1-1" and so on, those of the others "2-1" and so on.
 */
export async function addManyFinds(
  sql: Sql,
  { own, others }: { own: number; others: number },
): Promise<string> {
  const person = "00000000-0000-4000-8000-000000000001";
  await sql.begin(async (db) => {
    await db`
    insert into auth.users (id, email)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, n || '@example.com' from generate_series(1, 101) as n`;
    await db`insert into watch.feeds (key, source, query, interval_seconds) values ('all', 'official', '{}', 60)`;
    await db`
    create temporary table many on commit drop as
    select '1-' || n as id, n, ${person}::uuid as user_id from generate_series(1, ${own}::int) as n
    union all
    select '2-' || n, n, ('00000000-0000-4000-8000-' || lpad((2 + n % 100)::text, 12, '0'))::uuid
    from generate_series(1, ${others}::int) as n`;
    await db`
    insert into watch.portal_listings (
      listing_id, listing, card, price_eur, home_id, price_per_m2_eur, first_seen_at, last_seen_at, place_id,
      former_price_eur, gone_at
    )
    select id, '{}', jsonb_build_object(
        'propertyCode', id, 'operation', 'sale', 'kind', 'homes', 'areaM2', 40 + n % 90, 'title', 'Piso en calle ' || n,
        'url', 'https://www.idealista.com/inmueble/' || id || '/', 'latitude', 40 + n % 100 / 1000.0, 'longitude', -3.7,
        'rooms', n % 4, 'bathrooms', 1, 'floor', n % 7, 'hasLift', n % 2 = 0, 'address', 'calle ' || n, 'municipality', 'Madrid',
        'district', 'Retiro', 'neighborhood', 'Ibiza', 'photoCount', 12, 'typology', 'flat',
        'pictureUrl', 'https://img4.idealista.com/blur/WEB_LISTING/0/id.pro.es.image.master/aa/bb/cc/' || n || '.jpg',
        'warnings', '[]'::jsonb, 'isPrivate', false, 'isExterior', null, 'isAddressShown', true
      ),
      200000 + n, id, 3000 + n % 2000, now() - n * interval '1 minute', now(), 'zone-' || n % 50,
      case when n % 10 = 0 then 300000 end, case when n % 10 = 1 then now() end
    from many`;
    await db`insert into watch.prices select id, now() - n * interval '1 minute', 200000 + n from many`;
    await db`
    insert into watch.feed_listings (feed_key, listing_id, rank, price_eur, first_seen_at, gone_at)
    select 'all', id, n, 200000 + n, now(), case when n % 10 = 1 then now() end from many`;
    await db`
    insert into public.listings (user_id, listing_id, created_at, details)
    select user_id, id, now() - n * interval '1 minute', jsonb_build_object('title', 'Piso en calle ' || n, 'price', 200000 + n)
    from many`;
    await db`
    insert into public.marks (user_id, listing_id, mark)
    select user_id, id, case when n % 40 = 0 then 'hidden' else 'kept' end from many where n % 20 = 0`;
    await db`
    insert into public.market_figures
    select 'zone-' || n, 'Zone ' || n, 'sale', band, 20, 4000, 3500, 4500, null, 0, 10
    from generate_series(0, 49) as n, unnest(array['all', '50-79', '80-119']) as band`;
  });
  await sql`vacuum analyze`;
  return person;
}

/** Runs queries as that user, as the data API does. */
export async function asPerson<Answer>(
  sql: Sql,
  person: string,
  ask: (db: TransactionSql) => Promise<Answer>,
): Promise<Answer> {
  return (await sql.begin(async (db) => {
    await db`select set_config('request.jwt.claim.sub', ${person}, true)`;
    return await ask(db);
  })) as Answer;
}

/** What a query reads of each of our tables: sequential scans and rows. */
export async function touchedRows(sql: Sql, person: string, question: string) {
  return await asPerson(sql, person, async (db) => {
    const before = new Map((await readCounts(db)).map((row) => [row.name, row]));
    await db.unsafe(`select public.${question}`);
    return (await readCounts(db))
      .map(({ name, scans, read }) => ({
        name,
        scans: scans - (before.get(name)?.scans ?? 0),
        read: read - (before.get(name)?.read ?? 0),
      }))
      .filter(({ scans, read }) => scans + read > 0);
  });
}

function readCounts(db: TransactionSql) {
  return db<{ name: string; scans: number; read: number }[]>`
    select relname as name, seq_scan::int as scans, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
    from pg_stat_xact_user_tables where schemaname in ('public', 'watch')`;
}
