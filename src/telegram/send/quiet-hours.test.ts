import fc from "fast-check";
import { expect, test } from "vitest";
import { drawn } from "#test/seeded.ts";
import { type QuietHours, quietEndMs } from "./quiet-hours.ts";

const zone = "Europe/Madrid";
const NIGHT = { from: "23:00:00", until: "07:30:00", zone } as const;
const SIESTA = { from: "14:00", until: "17:00", zone } as const;

const endOf = (now: string, hours: QuietHours) => {
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
  expect(endOf("2026-03-28T23:30:00Z", { from: "00:00", until: "02:30", zone })).toBe("2026-03-29T01:00Z");
});

test("P10 an hour repeated in autumn is quiet both times", () => {
  const hours = { from: "01:00", until: "02:30", zone } as const;
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
      const end = quietEndMs(now, { from, until, zone });
      if (end === undefined) return;
      expect(end).toBeGreaterThan(now);
      expect(end - now).toBeLessThanOrEqual(25 * 3_600_000);
      expect(quietEndMs(end, { from, until, zone })).toBeUndefined();
    }),
    drawn(),
  );
});

const HOUR_MS = 3_600_000;
/** Both zones change at 01:00 UTC. Independent of the code's way through Intl. */
const NIGHTS = [
  { night: "spring", changeMs: Date.UTC(2026, 2, 29, 1), before: 0, after: 1 },
  { night: "autumn", changeMs: Date.UTC(2026, 9, 25, 1), before: 1, after: 0 },
] as const;
const ZONES = [
  { zone: "Europe/Madrid", winterHours: 1 },
  { zone: "Atlantic/Canary", winterHours: 0 },
] as const;
const CASES = NIGHTS.flatMap((night) => ZONES.map((place) => ({ ...night, ...place })));

/** For each minute, the next one that is not quiet; NaN if none is left. */
function nextSpeaking(quiet: readonly boolean[], minutes: readonly number[]): number[] {
  const next: number[] = [];
  for (let at = minutes.length - 1; at >= 0; at -= 1) {
    next[at] = quiet[at] ? (next[at + 1] ?? Number.NaN) : (minutes[at] ?? Number.NaN);
  }
  return next;
}

const TIMES = [0, 45, 60, 75, 119, 120, 121, 150, 179, 180, 181, 210, 240, 480, 1380, 1439];
const SPANS = TIMES.flatMap((from) =>
  TIMES.filter((until) => until !== from).map((until) => ({ from, until })),
);
const clockOf = (minute: number) => `${Math.floor(minute / 60)}:${minute % 60}:00`;
const isQuiet = (minute: number, { from, until }: (typeof SPANS)[number]) =>
  from < until ? minute >= from && minute < until : minute >= from || minute < until;

test.each(CASES)(
  "LAST-06 minute by minute in the night of $night in $zone: the end is the next minute that is not quiet",
  ({ changeMs, before, after, zone: place, winterHours }) => {
    const minutes = Array.from({ length: 36 * 60 }, (_, at) => changeMs - 8 * HOUR_MS + at * 60_000);
    const wall = minutes.map((ms) => {
      const hours = winterHours + (ms < changeMs ? before : after);
      return ((ms + hours * HOUR_MS) / 60_000) % 1440;
    });
    // The hour before the change, the hour after it, and every thirty-first minute of the rest.
    const asked = minutes
      .slice(0, 11 * 60)
      .filter((ms, at) => Math.abs(ms - changeMs) <= HOUR_MS || at % 31 === 0);
    for (const span of SPANS) {
      const hours = { from: clockOf(span.from), until: clockOf(span.until), zone: place };
      const quiet = wall.map((minute) => isQuiet(minute, span));
      const next = nextSpeaking(quiet, minutes);
      const wrong = asked.filter((ms) => {
        const at = minutes.indexOf(ms);
        return quietEndMs(ms + (at % 60_000), hours) !== (quiet[at] ? next[at] : undefined);
      });
      expect(
        wrong.map((ms) => new Date(ms).toISOString()),
        JSON.stringify(hours),
      ).toEqual([]);
    }
  },
);

test("LAST-06 the same quiet hours end an hour later on the Canary Islands", () => {
  expect(endOf("2026-01-11T05:00:00Z", NIGHT)).toBe("2026-01-11T06:30Z");
  expect(endOf("2026-01-11T05:00:00Z", { ...NIGHT, zone: "Atlantic/Canary" })).toBe("2026-01-11T07:30Z");
});
