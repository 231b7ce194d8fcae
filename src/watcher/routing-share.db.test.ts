import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Routes } from "#core/ports/routes.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { createTravelTimes } from "./find-travel-times.ts";

let database: TestDatabase;
let sql: ReturnType<typeof openDatabase>;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase({ url: database.url, max: 2 });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(() => sql`truncate auth.users, watch.portal_listings, watch.routing_requests cascade`);

const { signal } = new AbortController();
const MINUTE_MS = 60_000;

/** A person with homes and saved places around Madrid. */
async function addPerson(places: number, homes: number): Promise<{ id: string }> {
  const [person] = await sql<{ id: string }[]>`
    insert into auth.users (id, email) select id, id || '@example.com' from gen_random_uuid() as id returning id`;
  if (!person) throw new Error("no person");
  await sql`
    with listed as (
      insert into watch.portal_listings (listing_id, listing, card, price_eur, home_id, first_seen_at, last_seen_at)
      select id, '{}', jsonb_build_object('latitude', 40.4 + n / 1000.0, 'longitude', -3.7), 1, id, now(), now()
      from generate_series(1, ${homes}) as n cross join lateral (select ${person.id} || n as id) as named returning listing_id
    )
    insert into public.listings (listing_id, user_id, details) select listing_id, ${person.id}, '{}' from listed`;
  await sql`
    insert into public.own_places (user_id, name, latitude, longitude)
    select ${person.id}, 'Place ' || n, 40.41, -3.7 from generate_series(1, ${places}) as n`;
  return person;
}

const move = (person: { id: string }) =>
  sql`update public.own_places set latitude = 40.3 + random() / 10 where user_id = ${person.id}`;

/** Runs the lookups and records the latitude of each place that is asked for. */
function watch(dailyRequests: number, onAsk: (latitude: number) => Promise<unknown> = async () => undefined) {
  // The database uses its own clock for the time a place was moved.
  const clock = { now: Date.now() };
  const asked: number[] = [];
  const routes: Routes = {
    dailyRequests,
    minutesTo: async ({ latitude }, from) => {
      asked.push(latitude, latitude);
      await onAsk(latitude);
      return from.map(() => ({ footMinutes: 1, bicycleMinutes: 1 }));
    },
  };
  return { clock, asked, find: createTravelTimes({ sql, routes, now: () => clock.now }), signal };
}

const knownTo = async ({ id }: { id: string }) =>
  (
    await sql`select from watch.travel_times join public.own_places on own_places.id = place_id where user_id = ${id}`
  ).count;

test("a person who keeps moving a place cannot use up the routing server's quota", async () => {
  const mover = await addPerson(3, 120);
  const { clock, asked, find } = watch(200);
  for (let turn = 0; turn < 40; turn += 1) {
    await move(mover);
    clock.now += 5 * MINUTE_MS;
    await find(signal);
    await find(signal);
  }
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.length).toBeLessThanOrEqual(10);
  const walker = await addPerson(1, 20);
  await find(signal);
  expect(await knownTo(walker)).toBe(20);
});

test("repeatedly adding and deleting places, or accounts, is counted too", async () => {
  const { clock, asked, find } = watch(30);
  for (let turn = 0; turn < 12; turn += 1) {
    const adder = await addPerson(3, 3);
    await find(signal);
    await sql`delete from public.own_places where user_id = ${adder.id}`;
    await sql`insert into public.own_places (user_id, name, latitude, longitude) values (${adder.id}, 'Again', 40.42, -3.7)`;
    await find(signal);
    await sql`delete from auth.users where id = ${adder.id}`;
  }
  expect(asked).toHaveLength(30);
  clock.now += 24 * 60 * MINUTE_MS;
  const walker = await addPerson(1, 3);
  await find(signal);
  expect(await knownTo(walker)).toBe(3);
});

test("people who used the least come first", async () => {
  const heavy = await addPerson(3, 200);
  const { find } = watch(1_000);
  await find(signal);
  expect(await knownTo(heavy)).toBe(147);
  const [first, second] = [await addPerson(1, 10), await addPerson(1, 10)];
  await find(signal);
  expect([await knownTo(first), await knownTo(second)]).toEqual([10, 10]);
});

test("a moved place is looked up only once it has stayed for a while", async () => {
  const mover = await addPerson(1, 10);
  const { clock, asked, find } = watch(500);
  await find(signal);
  expect(asked).toHaveLength(2);
  for (let turn = 0; turn < 10; turn += 1) {
    await move(mover);
    await find(signal);
  }
  expect(asked).toHaveLength(2);
  clock.now += 3 * MINUTE_MS;
  await find(signal);
  expect([asked.length, await knownTo(mover)]).toEqual([4, 10]);
});

test("an answer for a place that was moved meanwhile is discarded", async () => {
  const mover = await addPerson(1, 10);
  const { clock, find } = watch(500, () => move(mover));
  clock.now += 3 * MINUTE_MS;
  await find(signal);
  expect(await knownTo(mover)).toBe(0);
});
