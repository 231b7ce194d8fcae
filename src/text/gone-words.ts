import type { Words } from "./namespaces.ts";

const MINUTE_MS = 60_000;
const MINUTES_PER_HOUR = 60;
const HOURS_PER_DAY = 24;

/** "Gone after 41 minutes", on cards and in edited alerts: whole units, at least one minute. */
export function goneWords(foundMs: number, goneMs: number, { t }: Words<"home">): string {
  const minutes = Math.max(1, Math.round((goneMs - foundMs) / MINUTE_MS));
  if (minutes < 2 * MINUTES_PER_HOUR) return t("gone.minutes", { count: minutes });
  const hours = Math.round(minutes / MINUTES_PER_HOUR);
  if (hours < 2 * HOURS_PER_DAY) return t("gone.hours", { count: hours });
  return t("gone.days", { count: Math.round(hours / HOURS_PER_DAY) });
}
