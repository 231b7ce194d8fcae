/**
 * The wording of the check interval. Up to ten minutes it is the specification's sentence; only longer intervals are
 * stated.
 */
import type { Language } from "#core/languages.ts";
import { capitalised, counted } from "./labels.ts";
import { formatMoment, SPANISH_TIME_ZONE } from "./moments.ts";
import type { Words } from "./namespaces.ts";

/** The longest interval for which the specification's sentences are true. */
const PROMISED_SECONDS = 600;
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

export interface WatchInterval {
  /** Null if unknown; then the promised interval is assumed. */
  readonly intervalSeconds: number | null;
  readonly isServedByMail: boolean;
  readonly spentUntil: Date | null;
}

export type IntervalKind = "promised" | "longer" | "spent" | "mail";

/** Mails need no requests, so a person served by mail does not wait for the next month. */
export function intervalKindOf({ intervalSeconds, isServedByMail, spentUntil }: WatchInterval): IntervalKind {
  if (isServedByMail) return "mail";
  if (spentUntil !== null) return "spent";
  return (intervalSeconds ?? 0) <= PROMISED_SECONDS ? "promised" : "longer";
}

/** "every 3 days", "as Idealista sends it", "again from 1 December": for use within a sentence. */
export function intervalWords(interval: WatchInterval, words: Words<"common">): string {
  const { t, language } = words;
  const kind = intervalKindOf(interval);
  if (kind === "mail") return t("interval.mail");
  if (kind === "spent") return t("interval.spent", { date: spentDate(interval, language) });
  return everyWords(Math.max(interval.intervalSeconds ?? 0, PROMISED_SECONDS), words);
}

/** The same with a capital letter, for use alone. */
export function intervalLabel(interval: WatchInterval, words: Words<"common">): string {
  return capitalised(intervalWords(interval, words));
}

export function intervalSentence(interval: WatchInterval, words: Words<"common">): string {
  const { t, language } = words;
  const kind = intervalKindOf(interval);
  if (kind === "mail") return t("interval.mailSentence");
  if (kind === "spent") return t("interval.spentSentence", { date: spentDate(interval, language) });
  return t("interval.checks", { every: intervalWords(interval, words) });
}

/** In whole minutes, hours or days, never rounded down: 90 minutes, 36 hours, 3 days. */
function everyWords(seconds: number, { t, language }: Words<"common">): string {
  if (seconds <= MINUTE) return t("interval.minute");
  if (seconds === HOUR) return t("interval.hour");
  if (seconds === DAY) return t("interval.day");
  const [unit, key] =
    seconds < 2 * HOUR
      ? ([MINUTE, "interval.minutes"] as const)
      : seconds < 2 * DAY
        ? ([HOUR, "interval.hours"] as const)
        : ([DAY, "interval.days"] as const);
  return t(key, counted(Math.ceil(seconds / unit), language));
}

/** "1 December", in Spanish time. */
export function dayLabel(moment: Date, language: Language): string {
  return formatMoment(moment, language, { timeZone: SPANISH_TIME_ZONE, day: "numeric", month: "long" });
}

function spentDate({ spentUntil }: WatchInterval, language: Language): string {
  return spentUntil === null ? "" : dayLabel(spentUntil, language);
}
