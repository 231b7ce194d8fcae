import { expect, test } from "vitest";
import { createRefusalDelay } from "./refusal-delay.ts";

function createHeld() {
  const waiting: (() => void)[] = [];
  const delay = createRefusalDelay({
    freePerMinute: 300,
    now: () => 0,
    wait: () => new Promise<void>((resolve) => waiting.push(resolve)),
  });
  return { ...delay, waiting };
}

test("DOOR-02 an occasional refusal is sent at once, frequent ones are delayed, and other addresses are not affected", async () => {
  const { hold, waiting } = createHeld();
  for (let n = 0; n < 300; n += 1) expect(await hold("203.0.113.1", 400)).toBe(true);
  expect(waiting).toHaveLength(0);
  const late = hold("203.0.113.1", 400);
  expect(waiting).toHaveLength(1);
  expect(await hold("198.51.100.1", 400)).toBe(true);
  expect(waiting).toHaveLength(1);
  waiting[0]?.();
  expect(await late).toBe(true);
});

test("DOOR-02 the number of delayed refusals is bounded; the rest lose their connection", async () => {
  const { hold, waiting } = createHeld();
  for (let n = 0; n < 300; n += 1) await hold("203.0.113.1", 400);
  const held = Array.from({ length: 1_000 }, () => hold("203.0.113.1", 400));
  expect(await hold("203.0.113.1", 400)).toBe(false);
  for (const release of waiting) release();
  expect(await Promise.all(held)).toEqual(held.map(() => true));
});

test("DOOR-02 a client that goes on although it was told to wait is delayed five times as early", async () => {
  const { hold, waiting } = createHeld();
  for (let n = 0; n < 60; n += 1) expect(await hold("203.0.113.1", 429)).toBe(true);
  void hold("203.0.113.1", 429);
  expect(waiting).toHaveLength(1);
});
