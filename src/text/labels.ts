/** Numbers and times as a person of each language writes them. */
import type { Language } from "#core/languages.ts";

const MINUTE_MS = 60_000;
const MINUTES_PER_HOUR = 60;
const MINUTES_PER_DAY = 1440;

const EUROS = { style: "currency", currency: "EUR", minimumFractionDigits: 0 } as const;

export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** '€1,449' in English; '1.449 €', '1 449 €' elsewhere. Cents show only where there are some. */
export function formatPrice(priceEur: number, language: Language): string {
  const digits = Number.isInteger(priceEur) ? 0 : 2;
  return numberFormat(language, {
    ...EUROS,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(priceEur);
}

/** "€21.6/m²", "5.230 €/m²": cents matter to nobody, and tenths only where the figure is small. */
export function formatPricePerM2(priceEur: number, language: Language): string {
  const isSmall = priceEur < 100;
  const price = isSmall
    ? numberFormat(language, { ...EUROS, maximumFractionDigits: 1 }).format(priceEur)
    : formatPrice(Math.round(priceEur), language);
  return `${price}/${squareMetres(language)}`;
}

export function formatArea(areaM2: number, language: Language): string {
  return `${formatNumber(areaM2, language)}\u00a0${squareMetres(language)}`;
}

/** "50–79 m²" */
export function formatAreaRange(fromM2: number, toM2: number, language: Language): string {
  return `${numberFormat(language, {}).formatRange(fromM2, toM2)}\u00a0${squareMetres(language)}`;
}

function squareMetres(language: Language): string {
  return language === "ru" ? "м²" : "m²";
}

/** "33%" in English, "33 %" elsewhere. */
export function formatPercent(percent: number, language: Language): string {
  return numberFormat(language, { style: "percent", maximumFractionDigits: 0 }).format(percent / 100);
}

/** "1 day", "30 days". */
export function formatDays(days: number, language: Language): string {
  return formatUnit(days, "day", language, "long");
}

/** "2.3 km", "21 min", "30 days": read as one word, so that no line breaks in it. */
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
  // American English would put a comma before the last "and".
  return new Intl.ListFormat(language === "en" ? "en-GB" : language, { type }).format(texts);
}

/** A number with the word that goes with it: "2 спальни", "5 спален". */
export function countOf(count: number, forms: Forms, language: Language): string {
  return (forms[pluralRules(language).select(count)] ?? forms.other).replace(
    "#",
    formatNumber(count, language),
  );
}

const JUST_NOW: Readonly<Record<Language, string>> = {
  en: "Just now",
  es: "Ahora mismo",
  ru: "Только что",
  de: "Gerade eben",
  fr: "À l’instant",
};
const MINUTES: Readonly<Record<Language, Forms>> = {
  en: { other: "# min ago" },
  es: { other: "Hace # min" },
  ru: { other: "# мин назад" },
  de: { other: "Vor # Min." },
  fr: { other: "Il y a # min" },
};
const HOURS: Readonly<Record<Language, Forms>> = {
  en: { one: "# hour ago", other: "# hours ago" },
  es: { one: "Hace # hora", other: "Hace # horas" },
  ru: { one: "# час назад", few: "# часа назад", other: "# часов назад" },
  de: { one: "Vor # Stunde", other: "Vor # Stunden" },
  fr: { one: "Il y a # heure", other: "Il y a # heures" },
};
const DAYS: Readonly<Record<Language, Forms>> = {
  en: { one: "# day ago", other: "# days ago" },
  es: { one: "Hace # día", other: "Hace # días" },
  ru: { one: "# день назад", few: "# дня назад", other: "# дней назад" },
  de: { one: "Vor # Tag", other: "Vor # Tagen" },
  fr: { one: "Il y a # jour", other: "Il y a # jours" },
};

/** How long ago, in whole minutes, hours or days. A clock that runs behind the server's never shows the future. */
export function timeLabel(createdAt: Date, now: Date, language: Language): string {
  const minutes = Math.floor((now.getTime() - createdAt.getTime()) / MINUTE_MS);
  if (!(minutes >= 1)) return JUST_NOW[language];
  if (minutes < MINUTES_PER_HOUR) return countOf(minutes, MINUTES[language], language);
  if (minutes < MINUTES_PER_DAY)
    return countOf(Math.floor(minutes / MINUTES_PER_HOUR), HOURS[language], language);
  return countOf(Math.floor(minutes / MINUTES_PER_DAY), DAYS[language], language);
}

/** The same after other words: "last check: 5 min ago", "encontrado hace 2 horas". */
export function timeWithin(createdAt: Date, now: Date, language: Language): string {
  const label = timeLabel(createdAt, now, language);
  return label.charAt(0).toLocaleLowerCase(language) + label.slice(1);
}

const SECONDS_PER_MINUTE = 60;
const SECONDS_PER_HOUR = 3_600;

/** "4 sec", "3 min", "2 hr": how long something took, never shorter than it did. */
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
const rules = new Map<Language, Intl.PluralRules>();

/** Making a format costs some ten microseconds, using one a tenth of that. */
function numberFormat(language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify([language, options]);
  // Spanish leaves four digits ungrouped unless told otherwise.
  const known =
    numberFormats.get(key) ?? new Intl.NumberFormat(language, { ...options, useGrouping: "always" });
  numberFormats.set(key, known);
  return known;
}

function pluralRules(language: Language): Intl.PluralRules {
  const known = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, known);
  return known;
}
