import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { createKnownAddresses, createStoredLimiter, type LimitStore } from "./stored-limits.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-11-15T10:00:00Z");

let database: TestDatabase;
let store: LimitStore;

beforeAll(async () => {
  database = await createTestDatabase();
  store = { sql: database.sql, secret: "a-secret-of-this-test" };
});

afterAll(() => database.drop());

const limiter = (name: string, burst = 3) =>
  createStoredLimiter(store, { name, perWindow: 6, windowMs: MINUTE, burst });

async function takes(taker: ReturnType<typeof limiter>, key: string, times: number[]): Promise<boolean[]> {
  const answers = [];
  for (const at of times) answers.push(await taker.take(key, START + at));
  return answers;
}

test("DOOR-12 a burst is allowed and then refills at the window's rate", async () => {
  const taker = limiter("pace");
  expect(await takes(taker, "a", [0, 0, 0, 0])).toEqual([true, true, true, false]);
  expect(await takes(taker, "a", [9_999, 10_000, 10_001])).toEqual([false, true, false]);
  expect(await takes(taker, "a", [60 * MINUTE, 60 * MINUTE, 60 * MINUTE, 60 * MINUTE])).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(await takes(taker, "b", [0])).toEqual([true]);
});

test("DOOR-12 another process, or the same one after a restart, continues with the same count", async () => {
  expect(await takes(limiter("restart"), "a", [0, 0, 0])).toEqual([true, true, true]);
  expect(await takes(limiter("restart"), "a", [0])).toEqual([false]);
});

test("DOOR-12 a hundred concurrent takes are allowed no more than sequential ones", async () => {
  const taker = limiter("crowd", 10);
  const answers = await Promise.all(Array.from({ length: 100 }, () => taker.take("a", START)));
  expect(answers.filter(Boolean)).toHaveLength(10);
});

test("DOOR-12 a take can be given back, but never above the limit", async () => {
  const taker = limiter("back");
  for (let attempt = 0; attempt < 10; attempt += 1) {
    expect(await taker.take("a", START)).toBe(true);
    await taker.giveBack("a");
    await taker.giveBack("a");
  }
  expect(await takes(taker, "a", [0, 0, 0, 0])).toEqual([true, true, true, false]);
});

test("DOOR-12 a clock set back neither refills nor throws", async () => {
  const taker = limiter("clock", 1);
  expect(await takes(taker, "a", [10 * MINUTE, 0])).toEqual([true, false]);
});

test("DOOR-12 full buckets are deleted, and stored rows reveal nothing", async () => {
  const taker = limiter("flood");
  for (let key = 0; key < 40; key += 1) await taker.take(`early-${key}@example.com`, START);
  for (let key = 0; key < 40; key += 1) await taker.take("late@example.com", START + 600 * MINUTE);
  const rows = await database.sql`select * from private.guard_allowances`;
  expect(rows.length).toBeLessThan(5);
  expect(JSON.stringify(rows)).not.toContain("example");
});

test("DOOR-12 an account's latest twenty addresses are known and are deleted with the account", async () => {
  const { sql } = database;
  const id = crypto.randomUUID();
  await sql`insert into auth.users (id, email) values (${id}, 'known@example.com')`;
  const known = createKnownAddresses(store);
  for (let address = 0; address < 30; address += 1) {
    await known.add(id, `203.0.113.${address}`, START + address);
  }
  expect(await known.has(id, "203.0.113.29")).toBe(true);
  expect(await known.has(id, "203.0.113.10")).toBe(true);
  expect(await known.has(id, "203.0.113.9")).toBe(false);
  expect(await known.has(crypto.randomUUID(), "203.0.113.29")).toBe(false);
  expect(await sql`select count(*)::int as kept from private.known_addresses`).toEqual([{ kept: 20 }]);
  await sql`delete from auth.users where id = ${id}`;
  expect(await sql`select from private.known_addresses`).toHaveLength(0);
  await known.add(crypto.randomUUID(), "203.0.113.1", START);
});
