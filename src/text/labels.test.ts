import { expect, test } from "vitest";
import { LANGUAGES, type Language } from "#core/languages.ts";
import { SPECIFIED_LANGUAGES } from "#test/fixtures/specified-languages.ts";
import {
  durationLabel,
  formatArea,
  formatAreaRange,
  formatDays,
  formatList,
  formatPercent,
  formatPrice,
  formatPricePerM2,
  formatUnit,
  timeLabel,
  timeWithin,
} from "./labels.ts";
import { wordsOf } from "./translator.ts";

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

test.each<[Language, string, string]>([
  ["en", "€1,449", "1,200 m²"],
  ["es", "1.449 €", "1.200 m²"],
  ["de", "1.449 €", "1.200 m²"],
  ["fr", "1 449 €", "1 200 m²"],
  ["ru", "1 449 €", "1 200 м²"],
])("LANG-08 in %s prices are written %s and areas %s", (language, price, area) => {
  expect(plain(formatPrice(1449, language))).toBe(price);
  expect(plain(formatArea(1200, language))).toBe(area);
});

test("a price shows cents only if it has some", () => {
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
  expect(timeLabel(new Date(now.getTime() - ageMs), now, wordsOf("common", "en"))).toBe(label);
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
  const said = timeLabel(new Date(now.getTime() - hours * HOUR), now, wordsOf("common", language));
  expect(said.replaceAll("\u00a0", " ")).toBe(label);
});

test("an invalid time counts as just now", () => {
  expect(timeLabel(new Date(Number.NaN), new Date(0), wordsOf("common", "en"))).toBe("Just now");
});

test("MAIL-11 durations are in seconds, minutes or hours, never rounded down", () => {
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

const inAll = (write: (language: Language) => string) =>
  SPECIFIED_LANGUAGES.map((language) => plain(write(language)));

test("LANG-08 percentages, prices per m² and ranges follow each language", () => {
  expect(inAll((language) => formatPercent(33, language))).toEqual(["33%", "33 %", "33 %", "33 %", "33 %"]);
  expect(inAll((language) => formatPricePerM2(21.64, language))).toEqual([
    "€21.6/m²",
    "21,6 €/m²",
    "21,6 €/м²",
    "21,6 €/m²",
    "21,6 €/m²",
  ]);
  expect(formatPricePerM2(5230.4, "en")).toBe("€5,230/m²");
  expect(formatPricePerM2(21, "de")).toBe("21\u00a0€/m²");
  const ranges = inAll((language) => formatAreaRange(50, 79, language));
  expect(ranges).toEqual(["50–79 m²", "50-79 m²", "50–79 м²", "50–79 m²", "50–79 m²"]);
});

test("LANG-08 amounts with a unit have plural forms and no line breaks", () => {
  const days = (count: number) => inAll((language) => formatDays(count, language));
  expect(days(1)).toEqual(["1 day", "1 día", "1 день", "1 Tag", "1 jour"]);
  expect(days(2)).toEqual(["2 days", "2 días", "2 дня", "2 Tage", "2 jours"]);
  expect(days(5)).toEqual(["5 days", "5 días", "5 дней", "5 Tage", "5 jours"]);
  expect(days(21)).toEqual(["21 days", "21 días", "21 день", "21 Tage", "21 jours"]);
  for (const language of LANGUAGES) {
    for (const count of [1, 2, 5, 21]) {
      expect(formatUnit(count, "kilometer", language)).not.toContain(" ");
      expect(formatDays(count, language)).not.toContain(" ");
    }
  }
});

test("LANG-08 lists are joined as each language does", () => {
  expect(inAll((language) => formatList(["a", "b", "c"], language))).toEqual([
    "a, b and c",
    "a, b y c",
    "a, b и c",
    "a, b und c",
    "a, b et c",
  ]);
  expect(formatList(["a"], "en")).toBe("a");
});

test("DEMO-08 LANG-08 elapsed time has no capital letter within a sentence", () => {
  const now = new Date("2025-01-11T12:00:00Z");
  const within = (minutes: number) =>
    inAll((language) =>
      timeWithin(new Date(now.getTime() - minutes * MINUTE), now, wordsOf("common", language)),
    );
  expect(within(0)).toEqual(["just now", "ahora mismo", "только что", "gerade eben", "à l’instant"]);
  expect(within(21)).toEqual(["21 min ago", "hace 21 min", "21 мин назад", "vor 21 Min.", "il y a 21 min"]);
  expect(within(21 * 60)).toEqual([
    "21 hours ago",
    "hace 21 horas",
    "21 час назад",
    "vor 21 Stunden",
    "il y a 21 heures",
  ]);
});
