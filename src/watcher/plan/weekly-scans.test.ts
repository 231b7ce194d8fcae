import fc from "fast-check";
import { expect, test } from "vitest";
import { drawn } from "#test/seeded.ts";
import { pagesPerHourOf, planWeeklyScans, scanPagesOf } from "./weekly-scans.ts";

const DAY_MS = 86_400_000;
const feed = (key: string, listedTotal: number | null) => ({ key, listedTotal });

test("COVER-03 COVER-04 what fits on the first page needs no scan, short lists are read to their end, long ones as far as the week allows", () => {
  const feeds = [feed("short", 40), feed("middle", 90), feed("long", 5_000), feed("new", null)];
  expect(planWeeklyScans(feeds, { pagesAWeek: 6.5, mostPages: 19 })).toEqual(
    new Map([
      ["middle", { pages: 1, everyMs: 7 * DAY_MS }],
      ["long", { pages: 5, everyMs: 7 * DAY_MS }],
    ]),
  );
});

test("COVER-04 scans never cost more than their share, however many feeds there are, and each feed has its turn", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 51, max: 5_000 }), { minLength: 1, maxLength: 40 }),
      fc.double({ min: 0.1, max: 400, noNaN: true }),
      (totals, pagesAWeek) => {
        const feeds = totals.map((total, n) => feed(String(n), total));
        const scans = planWeeklyScans(feeds, { pagesAWeek, mostPages: 19 });
        expect(scans.size).toBe(feeds.length);
        expect(pagesPerHourOf(scans) * 7 * 24).toBeLessThanOrEqual(pagesAWeek * 1.0001);
      },
    ),
    drawn(),
  );
});

test("COVER-03 a scan is made by the last check within its time, and never by a first one", () => {
  const now = Date.UTC(2026, 5, 20);
  const scan = { pages: 3, everyMs: 7 * DAY_MS };
  const pagesAfter = (days: number, intervalDays: number) =>
    scanPagesOf(
      scan,
      {
        lastFullScanAt: new Date(now - days * DAY_MS),
        lastOkAt: new Date(now - intervalDays * DAY_MS),
        intervalSeconds: intervalDays * 86_400,
      },
      now,
    );
  expect([pagesAfter(4, 2), pagesAfter(6, 2), pagesAfter(6, 1), pagesAfter(6.5, 1)]).toEqual([0, 3, 0, 3]);
  expect(scanPagesOf(scan, { lastFullScanAt: null, lastOkAt: null, intervalSeconds: 60 }, now)).toBe(0);
});
