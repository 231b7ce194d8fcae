import type { Language } from "#core/languages.ts";
import { formatPrice } from "#text/labels.ts";

/** "€5,230", "21,6 €": tenths only where the figure is small. */
export function formatPerM2(priceEur: number, language: Language): string {
  if (priceEur >= 100) return formatPrice(Math.round(priceEur), language);
  return new Intl.NumberFormat(language, {
    style: "currency",
    currency: "EUR",
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  }).format(priceEur);
}

/** What a price is for, to be written right after it. */
export function perM2Unit(language: Language): string {
  return `/${m2(language)}`;
}

/** "50–79 m²" */
export function sizeRange(size: "50-79" | "80-119", language: Language): string {
  return `${size.replace("-", "–")}\u00a0${m2(language)}`;
}

const m2 = (language: Language) => (language === "ru" ? "м²" : "m²");

export function formatCount(count: number, language: Language): string {
  // Spanish leaves four digits ungrouped unless told otherwise.
  return new Intl.NumberFormat(language, { useGrouping: "always" }).format(count);
}

export function formatPercent(percent: number, language: Language): string {
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 }).format(
    percent / 100,
  );
}

/** "12 days"; below two days "30 hours", for homes that go by the hour. */
export function formatStay(days: number, language: Language): string {
  const isLong = days >= 2;
  const format = new Intl.NumberFormat(language, {
    style: "unit",
    unit: isLong ? "day" : "hour",
    unitDisplay: "long",
    maximumFractionDigits: 0,
  });
  return format.format(isLong ? Math.round(days) : Math.max(1, Math.ceil(days * HOURS_PER_DAY)));
}

const HOURS_PER_DAY = 24;

export function formatDate(date: Date, language: Language): string {
  const text = new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(date);
  // A full stop would follow the one of the abbreviation.
  return language === "ru" ? text.replace(/г\.$/, "года") : text;
}
