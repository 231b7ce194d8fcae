import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PortalSimulator, startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { createTestDatabase } from "#test/test-database.ts";
import {
  addSamePeople,
  foundOn,
  hasBegunForAll,
  publishOne,
  startWatcherProcess,
  toldOn,
  WATCHED_URLS,
  type WatcherProcess,
} from "../../bench/watch-processes.ts";

const patience = { timeout: 40_000, interval: 200 };
const INTERVAL_SECONDS = 2;
let portal: PortalSimulator;

beforeAll(async () => {
  portal = await startPortalSimulator({
    size: 2_000,
    newPerDay: 0,
    requestsPerSecond: 0,
    monthlyRequests: null,
  });
});
afterAll(() => portal.close());

async function worldOf(processes: number) {
  const database = await createTestDatabase();
  await addSamePeople(database.sql, 1);
  const start = () => startWatcherProcess(database.url, portal.url, INTERVAL_SECONDS);
  const running = Array.from({ length: processes }, start);
  await Promise.all(running.map(({ ready }) => ready));
  return { database, running, start };
}

/** Each listing reaches whoever pasted the link it was made for, and nobody hears of it twice. */
async function isAllTold(sql: Sql, codes: readonly string[]): Promise<boolean> {
  const told = await toldOn(sql);
  return codes.every((code, n) =>
    told.some((line) => line === `${10_000 + (n % WATCHED_URLS.length)} new ${code}`),
  );
}

test("two and four watchers on a database write the same rows and alerts as one", {
  timeout: 90_000,
}, async () => {
  const worlds = [await worldOf(1), await worldOf(2), await worldOf(4)];
  for (const { database } of worlds) {
    await expect.poll(() => hasBegunForAll(database.sql, WATCHED_URLS.length), patience).toBe(true);
  }
  const codes = Array.from({ length: 30 }, (_, n) => publishOne(portal, n));
  const results = [];
  for (const { database, running } of worlds) {
    await expect.poll(() => isAllTold(database.sql, codes), patience).toBe(true);
    await Promise.all(running.map((one) => one.stop()));
    results.push({ told: await toldOn(database.sql), found: await foundOn(database.sql, codes) });
    await database.drop();
  }
  const [one, two, four] = results;
  expect(one?.told.length).toBeGreaterThan(60);
  expect(two).toEqual(one);
  expect(four).toEqual(one);
});

test("watchers that are killed again and again lose nothing and double nothing", {
  timeout: 90_000,
}, async () => {
  const { database, running, start } = await worldOf(2);
  await expect.poll(() => hasBegunForAll(database.sql, WATCHED_URLS.length), patience).toBe(true);
  const codes: string[] = [];
  for (let kill = 0; kill < 8; kill++) {
    codes.push(...Array.from({ length: 3 }, () => publishOne(portal, codes.length)).map((code) => code));
    const next = start();
    const victim = running.splice(kill % running.length, 1)[0] as WatcherProcess;
    await victim.kill();
    await next.ready;
    running.push(next);
  }
  await expect.poll(() => isAllTold(database.sql, codes.slice(0, 0)), patience).toBe(true);
  await expect
    .poll(async () => new Set((await toldOn(database.sql)).map((line) => line.split(" ")[2])).size, patience)
    .toBe(codes.length);
  await Promise.all(running.map((one) => one.stop()));
  const told = await toldOn(database.sql);
  expect(new Set(told).size).toBe(told.length);
  await database.drop();
});
