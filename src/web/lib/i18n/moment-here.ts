import { LANGUAGE_TRAITS, type Language } from "#core/languages.ts";
import { formatMoment, type MomentStyle, SPANISH_TIME_ZONE } from "#text/moments.ts";

/** By the clock of this device. Where Spanish clocks, which messages follow, differ, its zone is named: "18:40 (GMT+0)". */
export function momentHere(
  moment: Date | number,
  language: Language,
  style: MomentStyle & { timeZone?: string },
): string {
  const text = formatMoment(moment, language, { timeZone: undefined, ...style });
  if (text === formatMoment(moment, language, { ...style, timeZone: SPANISH_TIME_ZONE })) return text;
  const { dateLocale } = LANGUAGE_TRAITS[language];
  const format = new Intl.DateTimeFormat(dateLocale, {
    timeZone: style.timeZone,
    timeZoneName: "shortOffset",
  });
  return `${text} (${format.formatToParts(moment).at(-1)?.value})`;
}
