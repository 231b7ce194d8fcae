import { expect, test } from "vitest";
import { type MonthInput, planMonth } from "./month-plan.ts";

const DAY = 86_400;
const PAGES = { baseline: 4, deep: 20 };
const feedsOf = (count: number, hasLooked = true) =>
  Array.from({ length: count }, () => ({ requestsPerCheck: 2, hasLooked }));

/** In a month of thirty days of which `days` have passed. */
function plan(input: Partial<MonthInput> & { limit?: number; used?: number; days?: number }) {
  const { limit, used = 0, days = 0, ...rest } = input;
  const month = limit === undefined ? null : { limit, used, now: Date.UTC(2026, 3, 1) + days * DAY * 1000 };
  return planMonth({ checkIntervalSeconds: 600, month, feeds: feedsOf(1), pages: PAGES, ...rest });
}

test("enough requests allow the configured interval", () => {
  expect(plan({ limit: 10_000 })).toMatchObject({ intervalSeconds: 600, isStretched: false, rounds: 8_640 });
  expect(plan({})).toMatchObject({ intervalSeconds: 600, left: null, hasFullScans: true });
});

test("MAIL-10 too few requests lengthen the interval for all feeds, and the rest of the month then suffices", () => {
  for (const [days, used] of [
    [0, 0],
    [10, 20],
    [10, 60],
    [25, 10],
    [25, 90],
  ] as const) {
    const stretched = plan({ limit: 100, used, days, feeds: feedsOf(3) });
    expect(stretched.isStretched).toBe(true);
    expect(stretched.rounds + stretched.reserve).toBeLessThanOrEqual(100 - used);
    expect(stretched.hasFullScans).toBe(false);
  }
  const interval = (used: number, days: number) => plan({ limit: 100, used, days }).intervalSeconds;
  expect(interval(90, 15)).toBeGreaterThan(interval(50, 15));
  expect(interval(10, 25)).toBeLessThan(interval(0, 0));
});

test("MAIL-10 first checks, full scans and a reserve for newcomers are part of the plan", () => {
  const looked = plan({ limit: 1_000, feeds: feedsOf(5) });
  const first = plan({ limit: 1_000, feeds: feedsOf(5, false) });
  expect(first.firstChecks).toBe(20);
  expect(looked.reserve).toBe(100);
  expect(first.intervalSeconds).toBeGreaterThanOrEqual(looked.intervalSeconds);
  expect(plan({ limit: 10_000 })).toMatchObject({ fullScans: 0, hasFullScans: false });
  expect(plan({ limit: 11_000 })).toMatchObject({ fullScans: 750, hasFullScans: true });
});

test("MAIL-10 with nothing left the interval reaches into the next month, and no further", () => {
  const spent = plan({ limit: 100, used: 100, days: 20, feeds: feedsOf(5) });
  expect(spent.rounds).toBeLessThanOrEqual(10);
  expect(spent.intervalSeconds).toBeGreaterThanOrEqual(10 * DAY);
  expect(spent.intervalSeconds).toBeLessThanOrEqual(15 * DAY);
  expect(plan({ limit: 0 }).intervalSeconds).toBeGreaterThan(30 * DAY);
});

test("MAIL-10 the last hours of a month do not shorten the interval to a few minutes", () => {
  const { intervalSeconds } = plan({ limit: 100, used: 80, days: 29.99, feeds: feedsOf(5) });
  expect(intervalSeconds).toBeGreaterThan(6 * 3_600);
});

test("the limit of one request per second also lengthens the interval", () => {
  expect(plan({ feeds: feedsOf(500) }).intervalSeconds).toBe(1_800);
  expect(plan({ feeds: feedsOf(500), spacingMs: 0 }).intervalSeconds).toBe(600);
});

test("MAIL-09 the interval is stable under small changes, and readable", () => {
  const need = (heldSeconds: number | undefined, used: number) =>
    plan({ limit: 100, used, days: 10, feeds: feedsOf(4), heldSeconds }).intervalSeconds;
  const held = need(undefined, 40);
  expect(held % 3_600).toBe(0);
  expect(need(held, 39)).toBe(held);
  expect(need(held, 42)).toBe(held);
  expect(need(held, 80)).toBeGreaterThan(held);
  expect(need(held * 2, 0)).toBeLessThan(held * 2);
  expect(plan({ limit: 10_000, heldSeconds: 86_400 }).intervalSeconds).toBe(600);
});
