import { useLanguage } from "#web/lib/i18n/use-texts.ts";

/** The time of day, with the date unless it is today's; empty where there is no time. */
export function useClockTime(time: string | null): string {
  const language = useLanguage();
  if (time === null) return "";
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  const style = isToday
    ? ({ timeStyle: "short" } as const)
    : ({ dateStyle: "medium", timeStyle: "short" } as const);
  // Spain counts the hours to 24, whatever language is spoken there.
  return new Intl.DateTimeFormat(language, { ...style, hourCycle: "h23" }).format(date);
}
