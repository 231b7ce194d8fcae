import { expect, test } from "vitest";
import { nextCheckAt } from "./feed-intervals.ts";

const now = Date.UTC(2026, 0, 5, 12);

test("WATCH-01 the next check is at most slightly more than an interval away, and checks of many feeds are spread", () => {
  const waits = Array.from({ length: 600 }, (_, n) => nextCheckAt(`feed ${n}`, now, 600) - now);
  expect(Math.max(...waits)).toBeLessThanOrEqual(630_000);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(30_000);
  const inOneMinute = waits.filter((wait) => wait >= 300_000 && wait < 360_000).length;
  expect(inOneMinute).toBeGreaterThan(30);
  expect(inOneMinute).toBeLessThan(90);
});

test("a feed checked on time is checked again an interval later", () => {
  const first = nextCheckAt("a feed", 0, 600);
  expect(nextCheckAt("a feed", first + 4_000, 600)).toBe(first + 600_000);
});

test("MAIL-09 an interval of days is never exceeded, and is nearly used up", () => {
  const days = 3 * 86_400;
  const waits = Array.from({ length: 100 }, (_, n) => (nextCheckAt(`feed ${n}`, now, days) - now) / 1000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(days);
  expect(Math.min(...waits)).toBeGreaterThan(days * 0.9);
  expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(days * 0.05);
});
