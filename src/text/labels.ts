/** Numbers and times as each language writes them. */
import { LANGUAGE_TRAITS, type Language } from "#core/languages.ts";
import type { Words } from "./namespaces.ts";

const MINUTE_MS = 60_000;
const MINUTES_PER_HOUR = 60;
const MINUTES_PER_DAY = 1440;

const EUROS = { style: "currency", currency: "EUR", minimumFractionDigits: 0 } as const;

/** '€1,449' in English; '1.449 €', '1 449 €' elsewhere. Cents are shown only if there are some. */
export function formatPrice(priceEur: number, language: Language): string {
  const digits = Number.isInteger(priceEur) ? 0 : 2;
  return numberFormat(language, {
    ...EUROS,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(priceEur);
}

/** "€21.6/m²", "5.230 €/m²": without cents, and with tenths only if the number is small. */
export function formatPricePerM2(priceEur: number, language: Language): string {
  const isSmall = priceEur < 100;
  const price = isSmall
    ? numberFormat(language, { ...EUROS, maximumFractionDigits: 1 }).format(priceEur)
    : formatPrice(Math.round(priceEur), language);
  return `${price}/${LANGUAGE_TRAITS[language].squareMetre}`;
}

export function formatArea(areaM2: number, language: Language): string {
  return `${formatNumber(areaM2, language)}\u00a0${LANGUAGE_TRAITS[language].squareMetre}`;
}

/** "50–79 m²" */
export function formatAreaRange(fromM2: number, toM2: number, language: Language): string {
  return `${numberFormat(language, {}).formatRange(fromM2, toM2)}\u00a0${LANGUAGE_TRAITS[language].squareMetre}`;
}

/** "33%" in English, "33 %" elsewhere. */
export function formatPercent(percent: number, language: Language): string {
  return numberFormat(language, { style: "percent", maximumFractionDigits: 0 }).format(percent / 100);
}

/** "1 day", "30 days". */
export function formatDays(days: number, language: Language): string {
  return formatUnit(days, "day", language, "long");
}

/** "2.3 km", "21 min", "30 days", without line breaks. */
export function formatUnit(
  value: number,
  unit: "second" | "minute" | "hour" | "day" | "meter" | "kilometer",
  language: Language,
  unitDisplay: "short" | "long" = "short",
): string {
  const format = numberFormat(language, { style: "unit", unit, unitDisplay, maximumFractionDigits: 1 });
  return format.format(value).replaceAll(" ", "\u00a0");
}

export function formatNumber(value: number, language: Language): string {
  return numberFormat(language, { maximumFractionDigits: 1 }).format(value);
}

/** "a, b and c" */
export function formatList(
  texts: readonly string[],
  language: Language,
  type: "conjunction" | "disjunction" = "conjunction",
): string {
  return new Intl.ListFormat(LANGUAGE_TRAITS[language].dateLocale, { type }).format(texts);
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "Flat, Calle de Fuencarral": the title of a home whose type is known. */
export function titleOf(type: string, address: string | null): string {
  return address === null ? type : `${type}, ${capitalised(address)}`;
}

/** The values of a plural text: `count` selects the form, `{{number}}` shows it. */
export function counted(count: number, language: Language): { count: number; number: string } {
  return { count, number: formatNumber(count, language) };
}

/** How long ago, in whole minutes, hours or days. Never in the future, even if this clock is behind the server's. */
export function timeLabel(createdAt: Date, now: Date, { t, language }: Words<"common">): string {
  const minutes = Math.floor((now.getTime() - createdAt.getTime()) / MINUTE_MS);
  if (!(minutes >= 1)) return t("ago.now");
  if (minutes < MINUTES_PER_HOUR) return t("ago.minutes", counted(minutes, language));
  if (minutes < MINUTES_PER_DAY)
    return t("ago.hours", counted(Math.floor(minutes / MINUTES_PER_HOUR), language));
  return t("ago.days", counted(Math.floor(minutes / MINUTES_PER_DAY), language));
}

/** The same within a sentence: "last check: 5 min ago", "encontrado hace 2 horas". */
export function timeWithin(createdAt: Date, now: Date, words: Words<"common">): string {
  const label = timeLabel(createdAt, now, words);
  return label.charAt(0).toLocaleLowerCase(words.language) + label.slice(1);
}

const SECONDS_PER_MINUTE = 60;
const SECONDS_PER_HOUR = 3_600;

/** "4 sec", "3 min", "2 hr": a duration, never rounded down. */
export function durationLabel(seconds: number, language: Language): string {
  const [unit, size] =
    seconds < 2 * SECONDS_PER_MINUTE
      ? (["second", 1] as const)
      : seconds < 2 * SECONDS_PER_HOUR
        ? (["minute", SECONDS_PER_MINUTE] as const)
        : (["hour", SECONDS_PER_HOUR] as const);
  return formatUnit(Math.max(1, Math.ceil(seconds / size)), unit, language);
}

const numberFormats = new Map<string, Intl.NumberFormat>();

/** Creating a formatter takes about ten microseconds, using it a tenth of that. */
function numberFormat(language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify([language, options]);
  // By default Spanish does not group four digits.
  const known =
    numberFormats.get(key) ?? new Intl.NumberFormat(language, { ...options, useGrouping: "always" });
  numberFormats.set(key, known);
  return known;
}
