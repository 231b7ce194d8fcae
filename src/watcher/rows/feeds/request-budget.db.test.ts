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
  const made = pools.map((sql) =>
    createRequestBudget({ sql, name, monthlyRequests, now: () => clock.now, random: () => 0 }),
  );
  const [budget = made[0]] = made;
  if (!budget) throw new Error("no budget");
  return { budget, made, clock, end: () => Promise.all(pools.map((pool) => pool.end())) };
}

async function rowOf(name: string) {
  const sql = postgres(database.url, { max: 1 });
  const [row] = await sql`select * from watch.request_budgets where name = ${name}`;
  await sql.end();
  return row;
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

test("COVER-04 a refused request is not charged, is counted apart, and pauses every process for longer and longer", async () => {
  const { made, clock, end } = budgets("refused", 3, 2);
  clock.now -= 86_400_000;
  const refusal = { reason: "rate-limited", retryAfterMs: undefined } as const;
  const pauses: number[] = [];
  for (let n = 0; n < 9; n += 1) {
    const turn = await made[n % 2]?.take();
    if (!turn?.isGranted) throw new Error("Nothing is charged, so a request is granted");
    // While the probe is under way, nobody else asks.
    if (n > 0) expect(await made[(n + 1) % 2]?.take()).toMatchObject({ because: "backing-off" });
    const pauseMs = await turn.settle(refusal);
    pauses.push(pauseMs / 1000);
    expect(await made[(n + 1) % 2]?.take()).toEqual({
      isGranted: false,
      because: "backing-off",
      reason: "rate-limited",
      retryAfterMs: pauseMs,
    });
    clock.now += pauseMs;
  }
  expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
  expect(await rowOf("refused")).toMatchObject({ used: "0", refused: "9" });
  const probe = await made[0]?.take();
  if (probe?.isGranted) await probe.settle("answered");
  expect(await made[1]?.take()).toMatchObject({ isGranted: true });
  expect(await rowOf("refused")).toMatchObject({ used: "2", refusals_in_a_row: 0 });
  await end();
});

test("COVER-04 Retry-After is honoured up to a day, and requests sent before the first refusal do not lengthen the pause", async () => {
  const { made, clock, end } = budgets("retry-after", 100, 2);
  const turns = await Promise.all(Array.from({ length: 4 }, () => made[0]?.take()));
  for (const turn of turns) {
    if (turn?.isGranted) await turn.settle({ reason: "server-trouble", retryAfterMs: undefined });
  }
  expect(await made[1]?.take()).toMatchObject({ reason: "server-trouble", retryAfterMs: 30_000 });
  clock.now += 30_000;
  const probe = await made[1]?.take();
  if (probe?.isGranted) await probe.settle({ reason: "rate-limited", retryAfterMs: 9 * 86_400_000 });
  expect(await made[0]?.take()).toMatchObject({ reason: "rate-limited", retryAfterMs: 86_400_000 });
  // A probe whose process died blocks the others for a minute.
  clock.now += 86_400_000;
  expect(await made[0]?.take()).toMatchObject({ isGranted: true });
  expect(await made[1]?.take()).toMatchObject({ because: "backing-off", retryAfterMs: 60_000 });
  clock.now += 60_000;
  expect(await made[1]?.take()).toMatchObject({ isGranted: true });
  await end();
});

test("used requests survive a restart", async () => {
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
  expect(await other.budget.take()).toMatchObject({ isGranted: true, waitMs: 0 });
  await Promise.all([one.end(), other.end()]);
});
