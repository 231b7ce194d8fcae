import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import { type RoutesSimulator, startRoutesSimulator } from "#simulators/routes/start-routes-simulator.ts";
import { createRoutes } from "#sources/routes/routes.ts";
import { createTestDatabase } from "#test/test-database.ts";
import { createTravelTimes } from "./find-travel-times.ts";

const database = await createTestDatabase();
const sql = openDatabase({ url: database.url, max: 2 });
let server: RoutesSimulator;

beforeAll(async () => {
  server = await startRoutesSimulator({ key: "a key" });
});
afterAll(async () => {
  await server.close();
  await sql.end();
  await database.drop();
});

const { signal } = new AbortController();
const clock = { now: Date.parse("2026-11-16T09:00:00Z") };
const timesOf = async () =>
  (
    await sql`select latitude, longitude, foot_minutes, bicycle_minutes from watch.travel_times order by latitude`
  ).map((row) => Object.values(row));

async function find(code: string, latitude: number, longitude: number, userId: string): Promise<void> {
  const listing = { latitude, longitude, isAddressShown: true };
  await sql`
    insert into watch.portal_listings (listing_id, listing, card, price_eur, home_id, first_seen_at, last_seen_at)
    values (${code}, '{}', ${listing as never}, 1, ${code}, now(), now())`;
  await sql`insert into public.listings (listing_id, user_id, details) values (${code}, ${userId}, '{}')`;
}

test("FIND-06 travel times on foot and by bicycle are fetched once for homes near enough, and stored", async () => {
  const [user] =
    await sql`insert into auth.users (id, email) values (gen_random_uuid(), 'walker@example.com') returning id`;
  await sql`
    insert into public.own_places (user_id, name, latitude, longitude) values (${user?.id}, 'Work', 40.42, -3.7)`;
  await find("1", 40.43, -3.7, user?.id);
  await find("2", 40.44001, -3.7, user?.id);
  await find("3", 43.4, -3.8, user?.id);
  const routes = createRoutes({ baseUrl: `${server.url}/`, key: "a key", dailyRequests: 500 });
  const findTravelTimes = createTravelTimes({ sql, routes, now: () => clock.now });
  expect(await findTravelTimes(signal)).toBe(2);
  expect(await timesOf()).toEqual([
    [40.43, -3.7, 13, 4],
    [40.44, -3.7, 26, 8],
  ]);
  const asked = server.requests();
  expect(await findTravelTimes(signal)).toBe(0);
  expect(server.requests()).toBe(asked);
});

test("FIND-06 a failing server is not asked for a while, and invalid answers are not stored", async () => {
  const [{ id } = { id: "" }] = await sql`select id from auth.users where email = 'walker@example.com'`;
  await find("4", 40.45, -3.7, id);
  const answers = [
    { status: 302, body: "", headers: { location: "http://127.0.0.1:1/" } },
    { status: 200, body: { durations: [[1], [2], [3]] } },
    { status: 200, body: { durations: [["soon"]] } },
    { status: 200, body: "x".repeat(300_000) },
    { status: 429, body: { error: "Rate Limit Exceeded" } },
  ];
  for (const answer of answers) {
    server.answerWith(answer);
    const routes = createRoutes({ baseUrl: server.url, key: "a key", dailyRequests: 500 });
    const findTravelTimes = createTravelTimes({ sql, routes, now: () => clock.now });
    await expect(findTravelTimes(signal)).rejects.toMatchObject({ name: "SourceError" });
    const asked = server.requests();
    expect([await findTravelTimes(signal), server.requests()]).toEqual([0, asked]);
  }
  server.answerWith(undefined);
  expect(await timesOf()).toHaveLength(2);
  const without = createTravelTimes({ sql, now: () => clock.now });
  expect(await without(signal)).toBe(0);
  await expect(
    createRoutes({ baseUrl: server.url, dailyRequests: 500 }).minutesTo({ latitude: 40, longitude: -3 }, [
      { latitude: 40.1, longitude: -3 },
    ]),
  ).rejects.toMatchObject({ reason: "refused-credentials" });
});
