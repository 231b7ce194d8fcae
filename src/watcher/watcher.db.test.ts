import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createJobs, type Jobs } from "#platform/database/jobs.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { publishMatching } from "#simulators/portal/publish-matching.ts";
import { type PortalSimulator, startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { addPeople, alertsOf, silentLogger, sourcesOf } from "#test/watching/world.ts";
import { createWatcher, type Watcher } from "./watcher.ts";

const CHAMBERI =
  "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/?ordenado-por=fecha-publicacion-desc";
const patience = { timeout: 60_000, interval: 100 };
let portal: PortalSimulator;
let database: TestDatabase;
let sql: Sql;
let jobs: Jobs;

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

async function startWatcher(): Promise<Watcher> {
  jobs = createJobs({ databaseUrl: database.url, logger: silentLogger });
  await jobs.start();
  const watcher = createWatcher({
    databaseUrl: database.url,
    jobs,
    sql,
    sources: sourcesOf({ portal }),
    checkIntervalSeconds: 5,
    now: Date.now,
    logger: silentLogger,
  });
  await watcher.start();
  return watcher;
}

test("WATCH-01 a filter saved while the watcher runs is checked within seconds, and then regularly", async () => {
  const watcher = await startWatcher();
  await addPeople(sql, [{ url: CHAMBERI }]);
  await expect.poll(async () => (await alertsOf(sql, ["watch-started"])).length, patience).toBe(1);
  const published = publishMatching(portal.market, { url: CHAMBERI });
  if (!published.isPublished) throw new Error(published.reason);
  await expect
    .poll(async () => (await alertsOf(sql, ["new"])).map(({ listingId }) => listingId), patience)
    .toEqual([published.advert.code]);
  await watcher.stop();
  await jobs.stop();
  const [row] = await sql`select lease_id, failed_rounds from watch.feeds`;
  expect(row).toEqual({ lease_id: null, failed_rounds: 0 });
});

test("DOOR-03 WATCH-01 a filter without a reachable chat is not checked, and is checked within seconds after its first chat is connected", async () => {
  const watcher = await startWatcher();
  const url = CHAMBERI.replace("alquiler-viviendas", "venta-oficinas");
  const [person] = await addPeople(sql, [{ url, isUnreachable: true }]);
  const { userId = "" } = person ?? {};
  await expect
    .poll(
      async () =>
        (
          await sql`select has_reachable_chat, feed_key from watch.compiled_searches where user_id = ${userId}`
        )[0],
      patience,
    )
    .toEqual({ has_reachable_chat: false, feed_key: null });
  await sql`update public.chats set state = 'connected' where user_id = ${userId}`;
  const started = async () =>
    (await alertsOf(sql, ["watch-started"])).filter((alert) => alert.userId === userId);
  await expect.poll(async () => (await started()).length, patience).toBe(1);
  await watcher.stop();
  await jobs.stop();
});
