/** Days and times of day as each language writes them: "16 Nov, 18:40", "16. Nov., 18:40", "16 nov., 18 h 40". */
import { LANGUAGE_TRAITS, type Language } from "#core/languages.ts";

export type MomentStyle = Pick<
  Intl.DateTimeFormatOptions,
  "dateStyle" | "timeStyle" | "day" | "month" | "year" | "hour" | "minute"
>;

/** Which clock shows the moment is never left open. Undefined is the device's, on pages (`moment-here.ts`). */
type ZonedStyle = MomentStyle & { readonly timeZone: string | undefined };

/** The clock that all times in messages follow. */
export const SPANISH_TIME_ZONE = "Europe/Madrid";

/** Spain uses 24 hours, so all languages do here. */
export function formatMoment(moment: Date | number, language: Language, style: ZonedStyle): string {
  const format = new Intl.DateTimeFormat(LANGUAGE_TRAITS[language].dateLocale, {
    ...style,
    hourCycle: "h23",
  });
  if (language === "ru") return format.format(moment).replace(" г.", "\u00a0г.");
  if (language === "de") {
    const hasBoth = (style.dateStyle ?? style.day) && (style.timeStyle ?? style.hour);
    return `${format.format(moment)}${hasBoth ? "\u00a0Uhr" : ""}`;
  }
  if (language !== "fr") return format.format(moment);
  return format.formatToParts(moment).map(frenchPart).join("");
}

/** "14:20" by Spanish clocks, which all times in messages follow. */
export function timeOfDay(moment: Date | number, language: Language): string {
  return formatMoment(moment, language, { timeZone: SPANISH_TIME_ZONE, hour: "2-digit", minute: "2-digit" });
}

/** "23:00" as a language writes it: "23 h 00" in French. */
export function clockWords(time: string, language: Language): string {
  return language === "fr" ? time.replace(/^0?(\d+):/, "$1\u00a0h\u00a0") : time;
}

/** "1er décembre", "9 h 40": what Intl does not do. */
function frenchPart({ type, value }: Intl.DateTimeFormatPart): string {
  if (type === "day" && value === "1") return "1er";
  if (type === "hour") return String(Number(value));
  return type === "literal" && value === ":" ? "\u00a0h\u00a0" : value;
}
