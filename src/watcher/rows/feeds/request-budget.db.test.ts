import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { createRequestBudget } from "./request-budget.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

function budgets(name: string, monthlyRequests: number, processes = 1) {
  const clock = { now: Date.UTC(2026, 0, 31, 23, 59, 0) };
  const pools = Array.from({ length: processes }, () => postgres(database.url, { max: 3 }));
  const made = pools.map((sql) => createRequestBudget({ sql, name, monthlyRequests, now: () => clock.now }));
  const [budget = made[0]] = made;
  if (!budget) throw new Error("no budget");
  return { budget, made, clock, end: () => Promise.all(pools.map((pool) => pool.end())) };
}

test("concurrent processes get distinct slots more than a second apart", async () => {
  const { made, end } = budgets("turns", 1_000, 4);
  const answers = await Promise.all(Array.from({ length: 24 }, (_, index) => made[index % 4]?.take()));
  const waits = answers.map((answer) => (answer?.isGranted ? answer.waitMs : -1)).toSorted((a, b) => a - b);
  expect(waits).toEqual(Array.from({ length: 24 }, (_, index) => index * 1_100));
  await end();
});

test("the monthly limit holds across all processes and is reset with the next month (UTC)", async () => {
  const { budget, made, clock, end } = budgets("month", 10, 4);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => made[index % 4]?.take()));
  expect(answers.filter((answer) => answer?.isGranted)).toHaveLength(10);
  expect(await budget.take()).toEqual({ isGranted: false, because: "month-spent", retryAfterMs: 60_000 });
  clock.now += 60_000;
  expect(await budget.take()).toMatchObject({ isGranted: true });
  await end();
});

test("a hold applies to every process, is not shortened by a later one, and uses no requests", async () => {
  const { budget, made, clock, end } = budgets("hold", 2, 2);
  await made[1]?.holdUntil(clock.now + 600_000);
  await made[1]?.holdUntil(clock.now + 1_000);
  expect(await budget.take()).toEqual({ isGranted: false, because: "held-back", retryAfterMs: 600_000 });
  clock.now += 600_000;
  expect(await budget.take()).toEqual({ isGranted: true, waitMs: 0 });
  expect(await budget.take()).toMatchObject({ isGranted: true });
  await end();
});

test("used requests and holds survive a restart", async () => {
  const first = budgets("restart", 1);
  await first.budget.take();
  await first.end();
  const second = budgets("restart", 1);
  expect(await second.budget.take()).toMatchObject({ isGranted: false, because: "month-spent" });
  await second.end();
});

test("two data APIs have separate budgets", async () => {
  const one = budgets("one", 1);
  const other = budgets("other", 1);
  await one.budget.take();
  expect(await other.budget.take()).toEqual({ isGranted: true, waitMs: 0 });
  await Promise.all([one.end(), other.end()]);
});
