import type { TimeZone } from "#core/geo/time-zone.ts";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
/** The clocks of a zone change twice a year, so at most once during quiet hours. One more in case a government decides otherwise. */
const CLOCK_CHANGES_AT_MOST = 2;

/** Times as in the database: "23:00:00". */
export interface QuietHours {
  readonly from: string;
  readonly until: string;
  readonly zone: TimeZone;
}

/**
 * When the current quiet hours end, always after `nowMs`. Returns undefined outside quiet hours. A time is quiet if the clock on the
 * wall shows it so: an hour that is skipped is nobody's, and an hour that is repeated is quiet both times.
 */
export function quietEndMs(nowMs: number, hours: QuietHours): number | undefined {
  if (!isQuiet(nowMs, hours)) return undefined;
  let atMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  for (let changes = 0; changes < CLOCK_CHANGES_AT_MOST; changes += 1) {
    const endMs = atMs + minutesLeft(atMs, hours) * MINUTE_MS;
    const changeMs = clockChangeBetween(atMs, endMs, hours.zone);
    if (changeMs === undefined) return endMs;
    if (!isQuiet(changeMs, hours)) return changeMs;
    atMs = changeMs;
  }
  return atMs + minutesLeft(atMs, hours) * MINUTE_MS;
}

/** By the clock on the wall; a whole day if both times are the same. */
function minutesLeft(ms: number, { until, zone }: QuietHours): number {
  return ((minuteOf(until) - wallMinute(ms, zone) + DAY_MINUTES - 1) % DAY_MINUTES) + 1;
}

/** The first minute after a clock change in the span; undefined without one. The offsets tell the days apart, not the hours. */
function clockChangeBetween(fromMs: number, toMs: number, zone: TimeZone): number | undefined {
  const before = offsetMs(fromMs, zone);
  if (offsetMs(toMs, zone) === before) return undefined;
  let [low, high] = [fromMs / MINUTE_MS, toMs / MINUTE_MS];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMs(middle * MINUTE_MS, zone) === before) low = middle;
    else high = middle;
  }
  return high * MINUTE_MS;
}

function isQuiet(nowMs: number, { from, until, zone }: QuietHours): boolean {
  const [minute, start, end] = [wallMinute(nowMs, zone), minuteOf(from), minuteOf(until)];
  return start < end ? minute >= start && minute < end : minute >= start || minute < end;
}

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute;
}

const clocks = new Map<TimeZone, Intl.DateTimeFormat>();

function clockOf(timeZone: TimeZone): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const numeric = {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  } as const;
  const made = new Intl.DateTimeFormat("en-GB", { timeZone, hourCycle: "h23", ...numeric });
  clocks.set(timeZone, made);
  return made;
}

function wallMs(nowMs: number, zone: TimeZone): number {
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(nowMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute);
}

function wallMinute(nowMs: number, zone: TimeZone): number {
  return (wallMs(nowMs, zone) / MINUTE_MS) % DAY_MINUTES;
}

function offsetMs(nowMs: number, zone: TimeZone): number {
  return wallMs(nowMs, zone) - Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
}
