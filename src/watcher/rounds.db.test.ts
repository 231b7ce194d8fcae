import type { Sql } from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createHeldClock } from "#simulators/portal/market/clock.ts";
import { publishMatching } from "#simulators/portal/publish-matching.ts";
import { type PortalSimulator, startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { openDatabase } from "#store/open-database.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { addPeople, alertsOf, silentLogger, sourcesOf } from "../../bench/watch-world.ts";
import { createRounds, type Rounds } from "./rounds.ts";

const RETIRO =
  "https://www.idealista.com/venta-viviendas/madrid/retiro/con-precio-hasta_900000/?ordenado-por=fecha-publicacion-desc";
const clock = createHeldClock(Date.UTC(2026, 2, 3, 9));
let portal: PortalSimulator;
let database: TestDatabase;
let sql: Sql;
let rounds: Rounds;

beforeAll(async () => {
  portal = await startPortalSimulator({
    clock,
    size: 3_000,
    newPerDay: 0,
    requestsPerSecond: 0,
    monthlyRequests: null,
  });
});
afterAll(() => portal.close());
beforeEach(async () => {
  clock.advance(86_400_000);
  portal.faults.clear();
  database = await createTestDatabase();
  sql = openDatabase({ url: database.url, max: 4 });
  rounds = roundsOf();
  return async () => {
    await sql.end();
    await database.drop();
  };
});

function roundsOf(): Rounds {
  return createRounds({
    sql,
    sources: sourcesOf({ portal, now: clock.now }),
    checkIntervalSeconds: 600,
    now: clock.now,
    logger: silentLogger,
  });
}

/** Everything that is due now; then ten minutes pass. */
async function round(by: Rounds = rounds) {
  await by.compile();
  await by.setIntervals();
  await by.join();
  const outcomes = [];
  for (const key of await by.findDue(1_000)) outcomes.push(await by.check(key, new AbortController().signal));
  await by.join();
  clock.advance(630_000);
  return outcomes;
}

function publish(url: string, fields: Record<string, unknown> = {}): string {
  const outcome = publishMatching(portal.market, { url, fields });
  if (!outcome.isPublished) throw new Error(outcome.reason);
  return outcome.advert.code;
}

test("WATCH-03 WATCH-04 a filter begins quietly, then a new listing becomes a row and an alert for each chat", async () => {
  const [person] = await addPeople(sql, [{ url: RETIRO, chatIds: ["71", "-72"] }]);
  await round();
  const begun = await alertsOf(sql);
  expect(begun.map(({ kind, chatId }) => [kind, chatId]).toSorted()).toEqual([
    ["begun", "-72"],
    ["begun", "71"],
  ]);
  expect(begun[0]?.payload).toMatchObject({ filterUrl: RETIRO, isAtLeast: expect.any(Boolean) });
  expect((begun[0]?.payload.newest as unknown[]).length).toBe(3);
  expect(begun[0]?.payload.matchCount).toBeGreaterThan(3);
  expect((await sql`select 1 from public.listings`).length).toBe(3);

  const code = publish(RETIRO);
  await round();
  const told = await alertsOf(sql, ["new"]);
  expect(told.map(({ chatId, listingId }) => [chatId, listingId]).toSorted()).toEqual([
    ["-72", code],
    ["71", code],
  ]);
  const [row] = await sql`select user_id, details from public.listings where listing_id = ${code}`;
  expect(row).toMatchObject({
    user_id: person?.userId,
    details: {
      price: expect.any(Number),
      url: expect.stringContaining(code),
      location: expect.stringContaining("Madrid"),
    },
  });
  await round();
  expect(await alertsOf(sql, ["new"])).toHaveLength(2);
});
