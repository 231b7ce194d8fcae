import { createContext, useContext } from "react";
import type { FoundHome } from "#core/finds/find.ts";
import { timeWithin } from "#text/labels.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";

/** One clock for all cards, so that a passing minute renders only their times. */
export const NowContext = createContext(new Date(0));

function useTime(time: string): string {
  return timeWithin(new Date(time), useContext(NowContext), useWords("common"));
}

export function FoundTime({ find }: { find: Pick<FoundHome, "foundAt"> }) {
  const t = useTexts("finds");
  return <time dateTime={find.foundAt}>{t("card.found", { time: useTime(find.foundAt) })}</time>;
}

export function SeenTime({ at }: { at: string }) {
  const t = useTexts("finds");
  return <time dateTime={at}>{t("card.seen", { time: useTime(at) })}</time>;
}

const MINUTE_MS = 60_000;
const MINUTES_PER_HOUR = 60;
const HOURS_PER_DAY = 24;

/** "41 minutes", "5 hours", "3 days": whole units, at least one minute. */
export function durationOf(
  fromIso: string,
  untilIso: string,
): { unit: "minutes" | "hours" | "days"; count: number } {
  const minutes = Math.max(1, Math.round((Date.parse(untilIso) - Date.parse(fromIso)) / MINUTE_MS));
  if (minutes < 2 * MINUTES_PER_HOUR) return { unit: "minutes", count: minutes };
  const hours = Math.round(minutes / MINUTES_PER_HOUR);
  if (hours < 2 * HOURS_PER_DAY) return { unit: "hours", count: hours };
  return { unit: "days", count: Math.round(hours / HOURS_PER_DAY) };
}
