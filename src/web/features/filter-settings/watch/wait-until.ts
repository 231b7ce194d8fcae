const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

interface Wait {
  count: number;
  unit: "minute" | "hour" | "day";
}

/** Whole minutes, hours or days until then, never less than one; undefined once it is due. */
export function waitUntil(time: string, now: Date): Wait | undefined {
  const leftMs = Date.parse(time) - now.getTime();
  if (!(leftMs > 0)) return undefined;
  if (leftMs <= 2 * HOUR_MS) return { count: Math.ceil(leftMs / MINUTE_MS), unit: "minute" };
  if (leftMs <= 2 * DAY_MS) return { count: Math.ceil(leftMs / HOUR_MS), unit: "hour" };
  return { count: Math.ceil(leftMs / DAY_MS), unit: "day" };
}
