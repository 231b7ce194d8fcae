const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
/** The longest change of a clock. */
const CLOCK_CHANGE_MINUTES = 120;

/** Times as in the database: "23:00:00". */
export interface QuietHours {
  readonly from: string;
  readonly until: string;
}

/** When the current quiet hours end, in Spanish time. Returns undefined outside quiet hours. */
export function quietEndMs(nowMs: number, hours: QuietHours): number | undefined {
  if (!isQuiet(nowMs, hours)) return undefined;
  const wholeMinuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const minutesLeft = (minuteOf(hours.until) - wallMinute(nowMs) + DAY_MINUTES) % DAY_MINUTES;
  const endMs = wholeMinuteMs + minutesLeft * MINUTE_MS;
  // The clocks may change between now and then.
  let settledMs = endMs + offsetMs(nowMs) - offsetMs(endMs);
  for (let step = 0; step < CLOCK_CHANGE_MINUTES && isQuiet(settledMs, hours); step += 1)
    settledMs += MINUTE_MS;
  return settledMs;
}

function isQuiet(nowMs: number, { from, until }: QuietHours): boolean {
  const [minute, start, end] = [wallMinute(nowMs), minuteOf(from), minuteOf(until)];
  return start < end ? minute >= start && minute < end : minute >= start || minute < end;
}

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute;
}

const wallClock = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/Madrid",
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
});

function wallMs(nowMs: number): number {
  const parts = Object.fromEntries(
    wallClock.formatToParts(nowMs).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute);
}

function wallMinute(nowMs: number): number {
  return (wallMs(nowMs) / MINUTE_MS) % DAY_MINUTES;
}

function offsetMs(nowMs: number): number {
  return wallMs(nowMs) - Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
}
