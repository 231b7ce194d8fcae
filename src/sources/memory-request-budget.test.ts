import { expect, test } from "vitest";
import { createMemoryRequestBudget } from "./memory-request-budget.ts";

function createBudget(monthlyRequests: number | null, startsAt = Date.UTC(2026, 0, 31, 23, 59, 0)) {
  let now = startsAt;
  const budget = createMemoryRequestBudget({ now: () => now, monthlyRequests });
  return { budget, advance: (ms: number) => (now += ms) };
}

test("requests that come together get turns more than a second apart", async () => {
  const { budget } = createBudget(null);
  expect(await Promise.all([budget.take(), budget.take(), budget.take()])).toEqual([
    { isGranted: true, waitMs: 0 },
    { isGranted: true, waitMs: 1100 },
    { isGranted: true, waitMs: 2200 },
  ]);
});

test("a request after a pause need not wait", async () => {
  const { budget, advance } = createBudget(null);
  await budget.take();
  advance(5000);
  expect(await budget.take()).toEqual({ isGranted: true, waitMs: 0 });
});

test("a spent month refuses until the first of the next, UTC", async () => {
  const { budget, advance } = createBudget(2);
  await budget.take();
  await budget.take();
  expect(await budget.take()).toEqual({ isGranted: false, because: "month-spent", retryAfterMs: 60_000 });
  advance(60_000);
  expect(await budget.take()).toMatchObject({ isGranted: true });
});

test("a turn too far off is refused and not used up", async () => {
  const { budget, advance } = createBudget(2);
  await budget.holdUntil(Date.UTC(2026, 1, 1, 0, 9));
  expect(await budget.take()).toEqual({ isGranted: false, because: "held-back", retryAfterMs: 600_000 });
  advance(600_000);
  expect(await budget.take()).toEqual({ isGranted: true, waitMs: 0 });
  expect(await budget.take()).toMatchObject({ isGranted: true });
});
