import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createJobs } from "#platform/database/jobs.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { type PortalSimulator, startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { addPeople, silentLogger, sourcesOf } from "#test/watching/world.ts";
import { createWatcher } from "../watcher.ts";
import { previewSearch } from "./preview-search.ts";

const NEWEST_FIRST = "?ordenado-por=fecha-publicacion-desc";
const linkTo = (path: string) => `https://www.idealista.com/${path}/${NEWEST_FIRST}`;
const MADRID = linkTo("alquiler-viviendas/madrid-madrid");
const CHAMBERI = linkTo("alquiler-viviendas/madrid/chamberi");
const patience = { timeout: 20_000, interval: 100 };
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

const ask = (url: string) =>
  sql.begin(async (db) => {
    const claims = JSON.stringify({ sub: userId, role: "authenticated" });
    await db`
      select set_config('request.jwt.claims', ${claims}, true), set_config('request.jwt.claim.sub', ${userId}, true),
        set_config('role', 'authenticated', true)`;
    const [row] = await db`select public.preview_search(${url}) as answer`;
    return row?.answer ?? null;
  });

test("MANY-05 a running watcher previews a link from the listings its feeds have seen, without asking the portal", async () => {
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
  expect(answer.newest[0]).toMatchObject({ priceEur: expect.any(Number), place: expect.any(String) });

  for (const unseen of ["venta-viviendas/madrid/chamberi", "alquiler-viviendas/sevilla-sevilla"]) {
    await expect.poll(() => ask(linkTo(unseen)), patience).toEqual({ isKnown: false });
  }
  await watcher.stop();
  await jobs.stop();
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

test("MANY-05 only links that can be saved are previewed, at most sixty an hour", async () => {
  await expect(ask("https://example.com/")).rejects.toMatchObject({ code: "23514" });
  await sql`update watch.search_previews set asks = 60, counted_since = now()`;
  await expect(ask(linkTo("alquiler-viviendas/madrid/retiro"))).rejects.toMatchObject({ code: "PT429" });
  await sql`update watch.search_previews set counted_since = now() - interval '2 hours'`;
  expect(await ask(linkTo("alquiler-viviendas/madrid/retiro"))).toBeNull();
  expect(await sql`select asks from watch.search_previews`).toEqual([{ asks: 1 }]);
});
