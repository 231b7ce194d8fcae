import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PortalSimulator, startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { createTestDatabase } from "#test/test-database.ts";
import {
  addSamePeople,
  alertsOn,
  foundOn,
  hasBegunForAll,
  isCheckedSince,
  owedFor,
  publishOne,
  startWatcherProcess,
} from "#test/watching/processes.ts";

const patience = { timeout: 120_000, interval: 200 };
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

/** All that was published before has been read by every feed. */
async function settled(sql: Sql): Promise<void> {
  for (let time = 0; time < 2; time++) {
    const moment = Date.now();
    await expect.poll(() => isCheckedSince(sql, moment), patience).toBe(true);
  }
}

test("three watchers on a database write the same rows and alerts as one", async () => {
  const worlds = await Promise.all([worldOf(1), worldOf(3)]);
  for (const { database } of worlds) {
    await expect.poll(() => hasBegunForAll(database.sql), patience).toBe(true);
  }
  const codes = Array.from({ length: 30 }, (_, n) => publishOne(portal, n));
  const results = await Promise.all(
    worlds.map(async ({ database, running }) => {
      await settled(database.sql);
      await Promise.all(running.map((one) => one.stop()));
      const result = { told: await alertsOn(database.sql), found: await foundOn(database.sql, codes) };
      await database.drop();
      return result;
    }),
  );
  const [one, three] = results;
  expect(one?.told).toEqual(expect.arrayContaining(owedFor(codes)));
  expect(three).toEqual(one);
});

test("watchers that are killed again and again lose nothing and double nothing", {
  tags: "long",
}, async () => {
  const { database, running, start } = await worldOf(2);
  await expect.poll(() => hasBegunForAll(database.sql), patience).toBe(true);
  const codes: string[] = [];
  for (let kill = 0; kill < 5; kill++) {
    for (let n = 0; n < 3; n++) codes.push(publishOne(portal, codes.length));
    const next = start();
    const victim = running.splice(kill % running.length, 1)[0];
    await victim?.kill();
    await next.ready;
    running.push(next);
  }
  await settled(database.sql);
  await Promise.all(running.map((one) => one.stop()));
  const told = await alertsOn(database.sql);
  expect(told).toEqual(expect.arrayContaining(owedFor(codes)));
  expect(new Set(told).size).toBe(told.length);
  await database.drop();
});
