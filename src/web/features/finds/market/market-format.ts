import type { Language } from "#core/languages.ts";
import { formatPrice, formatUnit } from "#text/labels.ts";
import { momentHere } from "#web/lib/i18n/moment-here.ts";

/** "€5,230", "21,6 €": small amounts always with one decimal, so that columns align. */
export function formatPerM2(priceEur: number, language: Language): string {
  if (priceEur >= 100) return formatPrice(Math.round(priceEur), language);
  return new Intl.NumberFormat(language, {
    style: "currency",
    currency: "EUR",
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  }).format(priceEur);
}

/** The unit, written right after the price. */
export function perM2Unit(language: Language): string {
  return language === "ru" ? "/м²" : "/m²";
}

/** "12 days"; below two days "30 hours". */
export function formatStay(days: number, language: Language): string {
  if (days >= 2) return formatUnit(Math.round(days), "day", language, "long");
  return formatUnit(Math.max(1, Math.ceil(days * HOURS_PER_DAY)), "hour", language, "long");
}

const HOURS_PER_DAY = 24;

export function formatDate(date: Date, language: Language): string {
  const text = momentHere(date, language, { dateStyle: "long" });
  // Avoids a full stop after the abbreviation's own.
  return language === "ru" ? text.replace(/г\.$/, "года") : text;
}
