import { expect, test } from "vitest";
import { createAdmission, firstCheckAllowance, newcomerChecksLeft } from "./first-check-allowance.ts";

test("MAIL-10 one person's link changes cannot spend a small monthly quota", () => {
  const usual = { atOnce: 12, everySeconds: 1_800 };
  expect(firstCheckAllowance([])).toEqual(usual);
  expect(firstCheckAllowance([null, 1_000_000])).toEqual(usual);
  expect(firstCheckAllowance([1_000_000, 100])).toEqual({ atOnce: 7, everySeconds: 370_286 });
  expect(firstCheckAllowance([0]).atOnce).toBe(3);
});

test("READ-12: newcomers get half of the month's requests that others leave", () => {
  const left = (used: number, checks: number) => newcomerChecksLeft({ limit: 1_000, used, checks });
  expect([left(0, 0), left(200, 50), left(500, 125)]).toEqual([125, 75, 0]);
  // What others have used is not shared; what newcomers have used is counted once.
  expect([left(600, 0), left(600, 50), left(800, 75)]).toEqual([50, 25, -13]);
  // At least one while there are requests for it.
  expect([left(990, 0), left(997, 0), left(2_000, 0)]).toEqual([1, 0, 0]);
  expect(newcomerChecksLeft({ limit: 4, used: 0, checks: 0 })).toBe(1);
});

const NOW = Date.UTC(2026, 0, 31, 18);
const HOUR_MS = 3_600_000;

test("READ-12: a search waits until its account has a first check available", () => {
  const admit = createAdmission({
    now: NOW,
    allowance: { atOnce: 2, everySeconds: 3_600 },
    months: new Map(),
  });
  const waits = (userId: string, wholeInHours: number | null) =>
    admit({
      userId,
      wholeAt: wholeInHours === null ? null : new Date(NOW + wholeInHours * HOUR_MS),
      isNewcomer: false,
      source: "official",
    })?.getTime();
  expect([waits("first", null), waits("first", null)]).toEqual([undefined, undefined]);
  expect(waits("first", null)).toBe(NOW + HOUR_MS);
  expect([waits("other", 1), waits("other", 1)]).toEqual([undefined, NOW + HOUR_MS]);
  expect([waits("busy", 3), waits("rested", -5)]).toEqual([NOW + 2 * HOUR_MS, undefined]);
});

test("READ-12: newcomers wait for the next month once their share is spent; others do not", () => {
  const month = { at: NOW, limit: 100, used: 88, checks: 0 };
  const months = new Map([["official" as const, month]]);
  const admit = createAdmission({ now: NOW, allowance: firstCheckAllowance([100]), months });
  const ask = (userId: string, isNewcomer: boolean, source: "official" | "by-url") =>
    admit({ userId, wholeAt: null, isNewcomer, source });
  expect(ask("one", true, "official")).toBeUndefined();
  expect(ask("two", true, "official")).toEqual(new Date("2026-02-01T00:00:00Z"));
  expect([ask("three", false, "official"), ask("two", true, "by-url")]).toEqual([undefined, undefined]);
});
