import { expect, test } from "vitest";
import { createRateLimiter } from "./rate-limit.ts";

const MINUTE = 60_000;

test("a burst is allowed and no more", () => {
  const limiter = createRateLimiter({ perWindow: 30, windowMs: 5 * MINUTE, burst: 3 });
  expect([1, 2, 3, 4].map(() => limiter.take("a", 0))).toEqual([true, true, true, false]);
  expect(limiter.isSpent("a", 0)).toBe(true);
});

test("the bucket refills at the rate of the window and never exceeds the burst", () => {
  const limiter = createRateLimiter({ perWindow: 30, windowMs: 5 * MINUTE, burst: 2 });
  limiter.take("a", 0);
  limiter.take("a", 0);
  expect(limiter.take("a", 9_999)).toBe(false);
  expect(limiter.take("a", 10_000)).toBe(true);
  expect([1, 2, 3].map(() => limiter.take("a", 100 * MINUTE))).toEqual([true, true, false]);
});

test("several tokens are taken together or not at all", () => {
  const limiter = createRateLimiter({ perWindow: 1, windowMs: MINUTE, burst: 5 });
  expect([3, 3, 2, 1].map((count) => limiter.take("a", 0, count))).toEqual([true, false, true, false]);
});

test("each key has its own bucket", () => {
  const limiter = createRateLimiter({ perWindow: 1, windowMs: MINUTE, burst: 1 });
  expect(limiter.take("a", 0)).toBe(true);
  expect(limiter.take("b", 0)).toBe(true);
  expect(limiter.take("a", 0)).toBe(false);
});

test("setting the clock back neither refills nor throws", () => {
  const limiter = createRateLimiter({ perWindow: 1, windowMs: MINUTE, burst: 1 });
  limiter.take("a", 10 * MINUTE);
  expect(limiter.take("a", 0)).toBe(false);
});

test("the number of keys is bounded, and full buckets are dropped before spent ones", () => {
  const limiter = createRateLimiter({ perWindow: 1, windowMs: MINUTE, burst: 2 });
  for (let key = 0; key < 49_000; key += 1) limiter.take(`early-${key}`, 0);
  limiter.take("spent", 10 * MINUTE);
  limiter.take("spent", 10 * MINUTE);
  for (let key = 0; key < 1_500; key += 1) limiter.take(`late-${key}`, 10 * MINUTE);
  expect(limiter.isSpent("spent", 10 * MINUTE)).toBe(true);
});
