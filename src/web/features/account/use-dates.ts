import { formatMoment } from "#text/moments.ts";
import { useLanguage } from "#web/lib/i18n/use-texts.ts";

export function useDates(): (date: string) => string {
  const language = useLanguage();
  return (date) => formatMoment(new Date(date), language, { dateStyle: "medium", timeStyle: "short" });
}
