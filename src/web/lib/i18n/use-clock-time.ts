import { momentHere } from "./moment-here.ts";
import { useLanguage } from "./use-texts.ts";

/** The time of day by the device's clock, with the date unless it is today; empty for null. */
export function useClockTime(time: string | Date | null): string {
  const language = useLanguage();
  if (time === null) return "";
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  const style = isToday
    ? ({ timeStyle: "short" } as const)
    : ({ dateStyle: "medium", timeStyle: "short" } as const);
  return momentHere(date, language, style);
}
