// A month of alerts at Telegram's full pace for a day (2.6 million, generated): the outbox's size, vacuum, the time of a claim at the
// beginning and at the end, and deleting a week compared with dropping a partition. Argument: the number of alerts.
import type { Sql } from "postgres";
import { openDatabase } from "#platform/database/open-database.ts";
import { readNextAlerts } from "#telegram/send/rows/outbox.ts";
import { findOpenRecipients } from "#telegram/send/rows/recipients.ts";
import { startMigratedPostgres } from "#test/postgres/migrated-postgres.ts";
import { addPeople } from "#test/watching/world.ts";
import { forgetOld } from "#watcher/rows/watch-housekeeping.ts";

const ALERTS = Number(process.argv[2] ?? 2_600_000);
const PEOPLE = 10_000;
const BATCH = 100_000;
const DAYS = 30;
/** Alerts that wait while a claim is measured. */
const OPEN = 1_000;
const RECIPIENTS_OF_A_CLAIM = 30;
const CLAIMS = 41;
/** What housekeeping keeps. */
const KEPT_DAYS = 90;
const PARTITIONS = 6;
const DAY_MS = 86_400_000;

const PAYLOAD = {
  listing: {
    ...{
      propertyCode: "100000001",
      operation: "rent",
      kind: "homes",
      typology: "flat",
      rooms: 2,
      bathrooms: 1,
    },
    ...{ priceEur: 1250, areaM2: 64, floor: "3", hasLift: true, latitude: 40.4168, longitude: -3.7038 },
    ...{ title: "Piso en calle de Ibiza, Retiro", address: "calle de Ibiza", municipality: "Madrid" },
    url: "https://www.idealista.com/inmueble/100000001/",
    thumbnailUrl: "https://img4.idealista.com/blur/WEB_LISTING/0/id.pro.es.image.master/aa/bb/cc/1.jpg",
    description: "Vivienda exterior con balcón, recién reformada y muy luminosa, a dos minutos del parque.",
    ...{
      photoCount: 12,
      hasPlan: true,
      hasVideo: false,
      labels: [],
      amenities: { heating: true, furnished: true },
    },
  },
};

// Only the amount of data is of interest here, not how fast this disk is.
const databases = await startMigratedPostgres({ fsync: "off", full_page_writes: "off", max_wal_size: "8GB" });
const sql = openDatabase({ url: await databases.create(), max: 2 });
try {
  const search = "https://www.idealista.com/alquiler-viviendas/madrid-madrid/";
  await addPeople(
    sql,
    Array.from({ length: PEOPLE }, () => ({ url: search })),
  );
  await sql`create unlogged table recipients as select row_number() over () as n, user_id, chat_id from public.chats`;
  await sql`create unique index on recipients (n)`;
  await sql`analyze`;
  await showClaims("empty outbox");
  await show(`${ALERTS} alerts written and recorded as sent`, async () => seconds(await timed(writeMonth)));
  await show("table and indexes", () => sizesOf("watch.alerts"));
  await show("vacuum and analyze", async () =>
    seconds(await timed(() => sql`vacuum (analyze) watch.alerts`)),
  );
  await showClaims("after the month");
  await showPartitions();
  const oldestWeek = new Date(Date.now() + (KEPT_DAYS - DAYS + 7) * DAY_MS);
  await show("a week deleted in batches", async () => seconds(await timed(() => forgetOld(sql, oldestWeek))));
  await show("vacuum after it", async () => seconds(await timed(() => sql`vacuum watch.alerts`)));
  await show("table and indexes after it", () => sizesOf("watch.alerts"));
} finally {
  await sql.end();
  await databases.stop();
}

/** Written and sent as the product does, in larger batches: a row, and the version that records the message. */
async function writeMonth(): Promise<void> {
  for (let from = 0; from < ALERTS; from += BATCH) {
    const to = Math.min(ALERTS, from + BATCH);
    await sql.begin(async (db) => {
      await db`set local session_replication_role = replica`;
      await db`
        insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, search_ids, source, seen_at, created_at)
        select user_id, chat_id, 'new', 'listing-' || number / 100, ${db.json(PAYLOAD)}, array[user_id], 'official', at, at
        from generate_series(${from}::int, ${to}::int - 1) as number
        join recipients on recipients.n = 1 + (number::bigint * 7919) % ${PEOPLE}
        cross join lateral (select now() - (${ALERTS} - number) * interval '1 day' * ${DAYS} / ${ALERTS}) as spread (at)
        on conflict do nothing`;
    });
    // A statement of the product reads one alert; this one reads a batch, and must not scan the table for it.
    await sql.begin(async (db) => {
      await db`set local enable_seqscan = off`;
      await db`
      update watch.alerts set state = 'sent', sent_at = created_at + interval '1 second', attempts = 1, message_id = position
      where state = 'pending'`;
    });
  }
}

async function showClaims(when: string): Promise<void> {
  await sql`
    insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, search_ids, source, seen_at)
    select user_id, chat_id, 'new', 'open', ${sql.json(PAYLOAD)}, array[user_id], 'official', now()
    from recipients where n <= ${OPEN}`;
  const open = await findOpenRecipients(sql);
  const recipients = open.slice(0, RECIPIENTS_OF_A_CLAIM);
  await show(`a claim of ${RECIPIENTS_OF_A_CLAIM}, ${when}`, () =>
    median(() => readNextAlerts(sql, recipients, { nowMs: Date.now() })),
  );
  await show(`a scan for ${OPEN} recipients, ${when}`, () => median(() => findOpenRecipients(sql)));
  await show(`the first alerts of ${RECIPIENTS_OF_A_CLAIM}, ${when}`, () =>
    median(() => firstOf(sql, "watch.alerts")),
  );
  await sql`delete from watch.alerts where listing_id = 'open'`;
}

function firstOf(db: Sql, table: string) {
  return db`
    select first.id from recipients cross join lateral (
      select id from ${db.unsafe(table)} as alerts
      where alerts.chat_id = recipients.chat_id and alerts.user_id = recipients.user_id and state in ('pending', 'sending')
      order by position limit 1
    ) as first where n <= ${RECIPIENTS_OF_A_CLAIM}`;
}

/**
 * The unique constraints are missing: they would have to contain the time, and then the database no longer refused a second alert
 * for the same find in another week.
 */
async function showPartitions(): Promise<void> {
  await sql`create table public.parts (like watch.alerts including defaults) partition by range (created_at)`;
  const [{ indexes }] = await sql<[{ indexes: string[] }]>`
    select jsonb_agg(replace(replace(indexdef, 'watch.alerts', 'public.parts'), 'UNIQUE ', '')) as indexes
    from pg_indexes where schemaname = 'watch' and tablename = 'alerts'`;
  for (const definition of indexes) await sql.unsafe(definition.replace(" NULLS NOT DISTINCT", ""));
  const startMs = Date.now() - DAYS * DAY_MS - 3_600_000;
  for (let week = 0; week < PARTITIONS; week++) {
    const bound = (weeks: number) => new Date(startMs + weeks * 7 * DAY_MS).toISOString();
    await sql.unsafe(
      `create table public.part_${week} partition of public.parts for values from ('${bound(week)}') to ('${bound(week + 1)}')`,
    );
  }
  await show("the oldest week copied into a partition", async () => {
    const copy = () => sql`
      insert into public.parts select * from watch.alerts where created_at < now() - ${DAYS - 7} * interval '1 day'`;
    return seconds(await timed(copy));
  });
  await sql`
    insert into public.parts (user_id, chat_id, kind, position, payload)
    select user_id, chat_id, 'new', n, '{}' from recipients where n <= ${OPEN}`;
  await sql`analyze public.parts`;
  await show(`the first alerts of ${RECIPIENTS_OF_A_CLAIM}, ${PARTITIONS} partitions`, () =>
    median(() => firstOf(sql, "public.parts")),
  );
  await show("that partition dropped", async () => seconds(await timed(() => sql`drop table public.part_0`)));
  await sql`drop table public.parts`;
}

async function show(step: string, measure: () => Promise<string>): Promise<void> {
  console.log(`${step.padEnd(55)} ${await measure()}`);
}

async function sizesOf(table: string): Promise<string> {
  const [row] = await sql<[{ heap: number; indexes: number }]>`
    select pg_table_size(${table}::regclass)::float8 / 1e6 as heap, pg_indexes_size(${table}::regclass)::float8 / 1e6 as indexes`;
  return `${Math.round(row.heap)} MB and ${Math.round(row.indexes)} MB`;
}

async function median(ask: () => PromiseLike<unknown>): Promise<string> {
  const times: number[] = [];
  for (let n = 0; n < CLAIMS; n++) times.push(await timed(ask));
  return (times.toSorted((a, b) => a - b)[(CLAIMS - 1) / 2] ?? Number.NaN).toFixed(1).concat(" ms");
}

async function timed(run: () => PromiseLike<unknown>): Promise<number> {
  const startMs = performance.now();
  await run();
  return performance.now() - startMs;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
