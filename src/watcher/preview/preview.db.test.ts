import type { Row, Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createJobs } from "#platform/database/jobs.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { type PortalSimulator, startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { askPreview } from "#telegram/bot/rows/ask-preview.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { addPeople, silentLogger, sourcesOf } from "#test/watching/world.ts";
import { createWatcher } from "../watcher.ts";
import { previewSearch } from "./preview-search.ts";

const NEWEST_FIRST = "?ordenado-por=fecha-publicacion-desc";
const linkTo = (path: string) => `https://www.idealista.com/${path}/${NEWEST_FIRST}`;
const MADRID = linkTo("alquiler-viviendas/madrid-madrid");
const CHAMBERI = linkTo("alquiler-viviendas/madrid/chamberi");
const patience = { timeout: 60_000, interval: 100 };
let portal: PortalSimulator;
let database: TestDatabase;
let sql: Sql;
let userId: string;

beforeAll(async () => {
  portal = await startPortalSimulator({
    size: 2_000,
    newPerDay: 0,
    requestsPerSecond: 0,
    monthlyRequests: null,
  });
  database = await createTestDatabase();
  sql = openDatabase({ url: database.url, max: 6 });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
  await portal.close();
});

const asPerson = (run: (db: TransactionSql) => Promise<Row[]>) =>
  sql.begin(async (db) => {
    const claims = JSON.stringify({ sub: userId, role: "authenticated" });
    await db`
      select set_config('request.jwt.claims', ${claims}, true), set_config('request.jwt.claim.sub', ${userId}, true),
        set_config('role', 'authenticated', true)`;
    return await run(db);
  });
const ask = async (url: string) => {
  const [row] = await asPerson((db) => db`select public.preview_search(${url}) as answer`);
  return row?.answer ?? null;
};

test("MANY-05 CALM-07 a running watcher previews a link from the listings its feeds have seen, without asking the portal", async () => {
  const jobs = createJobs({ databaseUrl: database.url, logger: silentLogger });
  await jobs.start();
  const watcher = createWatcher({
    databaseUrl: database.url,
    jobs,
    sql,
    sources: sourcesOf({ portal, only: "official" }),
    checkIntervalSeconds: 3_600,
    now: Date.now,
    logger: silentLogger,
  });
  await watcher.start();
  const [person] = await addPeople(sql, [{ url: MADRID }]);
  userId = person?.userId ?? "";
  const readFeed = async () => (await sql`select last_ok_at from watch.feeds`)[0]?.last_ok_at ?? null;
  await expect.poll(readFeed, patience).not.toBeNull();

  await expect
    .poll(() => ask(CHAMBERI), patience)
    .toMatchObject({ isKnown: true, perWeek: null, hint: null });
  const answer = await ask(CHAMBERI);
  const [counted] = await sql`
    select count(*)::int from watch.portal_listings where listing ->> 'district' = 'Chamberí'`;
  expect(answer.count).toBe(counted?.count);
  expect(answer.count).toBeGreaterThan(0);
  expect(answer.newest.length).toBe(Math.min(3, answer.count));
  expect(answer.newest[0]?.card).toMatchObject({
    priceEur: expect.any(Number),
    neighborhood: expect.any(String),
  });

  for (const unseen of ["venta-viviendas/madrid/chamberi", "alquiler-viviendas/sevilla-sevilla"]) {
    await expect.poll(() => ask(linkTo(unseen)), patience).toEqual({ isKnown: false });
  }
  // CALM-07: the link of one listing.
  const [met] = await sql`
    select listing_id as id, price_eur as price, listing ->> 'rooms' as rooms from watch.portal_listings
    where listing ->> 'district' = 'Chamberí' and (listing ->> 'rooms')::int between 1 and 3 limit 1`;
  const listingLink = `https://www.idealista.com/inmueble/${met?.id}/`;
  await expect
    .poll(() => ask(listingLink), patience)
    .toMatchObject({
      listing: { id: met?.id, card: { priceEur: met?.price, neighborhood: expect.any(String) } },
      similarUrl: expect.stringMatching(
        /^https:\/\/www\.idealista\.com\/alquiler-viviendas\/madrid\/chamberi\/.*con-precio-hasta_\d+,precio-desde_\d+,.*dormitorio/,
      ),
      canBeWatched: true,
      isKept: false,
    });
  await expect
    .poll(() => ask("https://www.idealista.com/inmueble/1/"), patience)
    .toEqual({ listing: null, similarUrl: null, canBeWatched: false, isKept: false });
  // A chat asks the same way, and nothing of it stays.
  const asking = { chatId: "7001", url: CHAMBERI, patienceMs: 30_000 };
  expect(await askPreview(sql, asking)).toMatchObject({ isKnown: true, count: answer.count });
  expect(await askPreview(sql, { ...asking, url: listingLink })).toEqual({ isKnown: false });
  await watcher.stop();
  await jobs.stop();
  expect(await askPreview(sql, { ...asking, patienceMs: 100 })).toBeUndefined();
  expect(await sql`select from watch.search_previews where chat_id is not null`).toHaveLength(0);
});

test("MANY-05 while one chat waits for a preview, no other chat asks for one", async () => {
  await sql`insert into watch.search_previews (chat_id, filter_url) values (7002, ${CHAMBERI})`;
  const asked = askPreview(sql, { chatId: "7001", url: CHAMBERI, patienceMs: 30_000 });
  expect(await asked).toBeUndefined();
  expect(await sql`select chat_id::int as chat from watch.search_previews where chat_id is not null`).toEqual(
    [{ chat: 7002 }],
  );
  await sql`delete from watch.search_previews where chat_id = 7002`;
});

test("MANY-05 after some days a preview shows listings per week, and which wish to remove if nothing matches", async () => {
  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  await sql`update watch.feed_listings set first_seen_at = ${days(15)}`;
  const fitting = await sql`
    select listing_id from watch.portal_listings where listing ->> 'district' = 'Chamberí' limit 2`;
  for (const { listing_id } of fitting) {
    await sql`update watch.feed_listings set first_seen_at = ${days(3)} where listing_id = ${listing_id}`;
  }
  // Two in the fourteen days after the first day.
  expect(await previewSearch(sql, CHAMBERI, new Date())).toMatchObject({ isKnown: true, perWeek: 1 });

  const cheap = linkTo("alquiler-viviendas/madrid/chamberi/con-precio-hasta_1,de-un-dormitorio");
  const all = await previewSearch(
    sql,
    linkTo("alquiler-viviendas/madrid/chamberi/con-de-un-dormitorio"),
    new Date(),
  );
  expect(all.isKnown && all.count).toBeGreaterThan(0);
  expect(await previewSearch(sql, cheap, new Date())).toMatchObject({
    count: 0,
    newest: [],
    hint: { part: "maxPriceEur", count: all.isKnown && all.count, days: 15 },
  });
});

test("CALM-07 a listing that a feed sees can be kept by its link, up to a hundred; others are refused", async () => {
  const seen = (await sql`select listing_id as id from watch.feed_listings order by 1 limit 102`).map(
    ({ id }) => id,
  );
  const watch = (id: string) => asPerson((db) => db`select public.watch_listing(${id})`);
  await expect(watch("1")).rejects.toMatchObject({ code: "PT404" });
  // Finds of the person do not count.
  await sql`
    delete from public.listings where user_id = ${userId} and listing_id in ${sql(seen.slice(0, 101))}`;
  for (const id of seen.slice(0, 100)) await watch(id);
  await watch(seen[0]);
  await expect(watch(seen[100])).rejects.toMatchObject({ code: "PT409" });
  expect(
    await sql`select count(*)::int, max(chat_id) as chat from public.marks where user_id = ${userId} and mark = 'kept'`,
  ).toEqual([{ count: 100, chat: null }]);
});

test("MANY-05 only links that can be saved are previewed, at most sixty an hour", async () => {
  await expect(ask("https://example.com/")).rejects.toMatchObject({ code: "23514" });
  await sql`update watch.search_previews set asks = 60, counted_since = now()`;
  await expect(ask(linkTo("alquiler-viviendas/madrid/retiro"))).rejects.toMatchObject({ code: "PT429" });
  await sql`update watch.search_previews set counted_since = now() - interval '2 hours'`;
  expect(await ask(linkTo("alquiler-viviendas/madrid/retiro"))).toBeNull();
  expect(await sql`select asks from watch.search_previews`).toEqual([{ asks: 1 }]);
});
