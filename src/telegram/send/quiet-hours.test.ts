import fc from "fast-check";
import { expect, test } from "vitest";
import { drawn } from "#test/seeded.ts";
import { quietEndMs } from "./quiet-hours.ts";

const NIGHT = { from: "23:00:00", until: "07:30:00" };
const SIESTA = { from: "14:00", until: "17:00" };

const endOf = (now: string, hours: { from: string; until: string }) => {
  const end = quietEndMs(Date.parse(now), hours);
  return end === undefined ? undefined : new Date(end).toISOString().replace(":00.000Z", "Z");
};

test("quiet hours are in Spanish time, may span midnight, and exclude their end", () => {
  expect(endOf("2026-01-10T21:59:59Z", NIGHT)).toBeUndefined();
  expect(endOf("2026-01-10T22:00:00Z", NIGHT)).toBe("2026-01-11T06:30Z");
  expect(endOf("2026-01-11T06:29:59Z", NIGHT)).toBe("2026-01-11T06:30Z");
  expect(endOf("2026-01-11T06:30:00Z", NIGHT)).toBeUndefined();
  expect(endOf("2026-07-10T12:00:00Z", SIESTA)).toBe("2026-07-10T15:00Z");
  expect(endOf("2026-07-10T11:59:00Z", SIESTA)).toBeUndefined();
});

test("P10 on the night of a clock change quiet hours end at the hour the clock shows", () => {
  expect(endOf("2026-03-28T22:30:00Z", NIGHT)).toBe("2026-03-29T05:30Z");
  expect(endOf("2026-10-24T21:30:00Z", NIGHT)).toBe("2026-10-25T06:30Z");
});

test("P10 an end within the hour skipped in spring comes right after the clock change", () => {
  expect(endOf("2026-03-28T23:30:00Z", { from: "00:00", until: "02:30" })).toBe("2026-03-29T01:00Z");
});

test("P10 an hour repeated in autumn is quiet both times", () => {
  const hours = { from: "01:00", until: "02:30" };
  expect(endOf("2026-10-24T23:30:00Z", hours)).toBe("2026-10-25T00:30Z");
  expect(endOf("2026-10-25T00:45:00Z", hours)).toBeUndefined();
  expect(endOf("2026-10-25T01:10:00Z", hours)).toBe("2026-10-25T01:30Z");
});

test("the end of quiet hours is always in the future and not quiet", () => {
  const time = fc
    .integer({ min: 0, max: 1439 })
    .map((minute) => `${Math.floor(minute / 60)}:${minute % 60}:00`);
  const moment = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) });
  fc.assert(
    fc.property(time, time, moment, (from, until, now) => {
      fc.pre(from !== until);
      const end = quietEndMs(now, { from, until });
      if (end === undefined) return;
      expect(end).toBeGreaterThan(now);
      expect(end - now).toBeLessThanOrEqual(25 * 3_600_000);
      expect(quietEndMs(end, { from, until })).toBeUndefined();
    }),
    drawn(),
  );
});
