import { expect, test } from "vitest";
import type { Language } from "#core/languages.ts";
import { durationLabel, formatArea, formatPrice, timeLabel } from "./labels.ts";

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

test.each<[Language, string, string]>([
  ["en", "€1,449", "1,200 m²"],
  ["es", "1.449 €", "1.200 m²"],
  ["de", "1.449 €", "1.200 m²"],
  ["fr", "1 449 €", "1 200 m²"],
  ["ru", "1 449 €", "1 200 м²"],
])("LANG-08 in %s prices read %s and areas %s", (language, price, area) => {
  expect(plain(formatPrice(1449, language))).toBe(price);
  expect(plain(formatArea(1200, language))).toBe(area);
});

test("a price shows cents only where it has some", () => {
  expect(formatPrice(99.5, "en")).toBe("€99.50");
  expect(formatPrice(850, "en")).toBe("€850");
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
test.each<[number, string]>([
  [0, "Just now"],
  [MINUTE - 1, "Just now"],
  [-5 * MINUTE, "Just now"],
  [MINUTE, "1 min ago"],
  [59 * MINUTE + 59_999, "59 min ago"],
  [HOUR, "1 hour ago"],
  [2 * HOUR, "2 hours ago"],
  [24 * HOUR - 1, "23 hours ago"],
  [24 * HOUR, "1 day ago"],
  [72 * HOUR, "3 days ago"],
])("DEMO-08 after %d ms the label is %s", (ageMs, label) => {
  const now = new Date("2025-01-11T12:00:00Z");
  expect(timeLabel(new Date(now.getTime() - ageMs), now, "en")).toBe(label);
});

test.each<[Language, number, string]>([
  ["es", 0, "Ahora mismo"],
  ["es", 1, "Hace 1 hora"],
  ["ru", 1, "1 час назад"],
  ["ru", 3, "3 часа назад"],
  ["ru", 11, "11 часов назад"],
  ["ru", 21, "21 час назад"],
  ["ru", 48, "2 дня назад"],
  ["ru", 120, "5 дней назад"],
  ["de", 5, "Vor 5 Stunden"],
  ["de", 24, "Vor 1 Tag"],
  ["fr", 1, "Il y a 1 heure"],
  ["fr", 48, "Il y a 2 jours"],
])("DEMO-08 LANG-08 in %s, %d hours is %s", (language, hours, label) => {
  const now = new Date("2025-01-11T12:00:00Z");
  expect(timeLabel(new Date(now.getTime() - hours * HOUR), now, language)).toBe(label);
});

test("a time that is none counts as just now", () => {
  expect(timeLabel(new Date(Number.NaN), new Date(0), "en")).toBe("Just now");
});

test("MAIL-11 what was measured is told in seconds, minutes or hours, never as less", () => {
  const told = (seconds: number, language: Language) => plain(durationLabel(seconds, language));
  expect([0.2, 4.1, 119, 121, 7_201].map((seconds) => told(seconds, "en"))).toEqual([
    "1 sec",
    "5 sec",
    "119 sec",
    "3 min",
    "3 hr",
  ]);
  expect([told(4, "es"), told(4, "ru"), told(4, "de"), told(4, "fr")]).toEqual([
    "4 s",
    "4 с",
    "4 Sek.",
    "4 s",
  ]);
});
