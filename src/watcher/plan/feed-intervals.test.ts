import { expect, test } from "vitest";
import { intervalOf, nextCheckAt } from "./feed-intervals.ts";

const feeds = (count: number) => Array.from({ length: count }, () => 2);

test("enough requests carry the interval asked for", () => {
  expect(
    intervalOf({ checkIntervalSeconds: 600, monthlyRequests: 10_000, requestsPerCheck: feeds(1) }),
  ).toEqual({
    intervalSeconds: 600,
    isStretched: false,
    requestsPerMonth: 8_640,
  });
});

test("too few requests stretch it for all, and the month then suffices", () => {
  const interval = intervalOf({
    checkIntervalSeconds: 600,
    monthlyRequests: 100,
    requestsPerCheck: feeds(3),
  });
  expect(interval.isStretched).toBe(true);
  expect(interval.requestsPerMonth).toBeLessThanOrEqual(90);
  expect(interval.requestsPerMonth).toBeGreaterThan(85);
});

test("one request a second stretches it too, where there are more feeds than turns", () => {
  const { intervalSeconds } = intervalOf({
    checkIntervalSeconds: 600,
    monthlyRequests: null,
    requestsPerCheck: feeds(500),
  });
  expect(intervalSeconds).toBe(1_380);
});

test("WATCH-01 the next check is at most an interval away and a little, and many feeds do not come together", () => {
  const now = Date.UTC(2026, 0, 5, 12);
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
