import { expect, test } from "vitest";
import { SPECIFIED_LANGUAGES } from "#test/fixtures/specified-languages.ts";
import { wordsOf } from "./translator.ts";
import * as interval from "./watch-interval.ts";

type Said = (...said: Parameters<typeof interval.intervalWords>) => string;
/** With breakable spaces, to be readable here. */
const plainly =
  (words: Said): Said =>
  (...said) =>
    words(...said).replaceAll("\u00a0", " ");
const intervalLabel = plainly(interval.intervalLabel);
const intervalSentence = plainly(interval.intervalSentence);
const intervalWords = plainly(interval.intervalWords);

const every = (intervalSeconds: number | null) => ({
  intervalSeconds,
  isServedByMail: false,
  spentUntil: null,
});

test("MAIL-09 intervals of up to ten minutes have the specification's wording", () => {
  for (const seconds of [null, 10, 60, 599, 600]) {
    expect(
      SPECIFIED_LANGUAGES.map((language) => intervalLabel(every(seconds), wordsOf("common", language))),
    ).toEqual([
      "Every 10 minutes",
      "Cada 10 minutos",
      "Каждые 10 минут",
      "Alle 10 Minuten",
      "Toutes les 10 minutes",
    ]);
  }
});

test("MAIL-09 a longer interval is stated, and never rounded down", () => {
  const told = (seconds: number) =>
    SPECIFIED_LANGUAGES.map((language) => intervalWords(every(seconds), wordsOf("common", language)));
  expect(told(601)[0]).toBe("every 11 minutes");
  expect(told(3_600)).toEqual(["every hour", "cada hora", "каждый час", "jede Stunde", "toutes les heures"]);
  expect(told(5_400)[0]).toBe("every 90 minutes");
  expect(told(7_201)[0]).toBe("every 3 hours");
  expect(told(86_400)).toEqual(["every day", "cada día", "каждый день", "jeden Tag", "tous les jours"]);
  expect(told(36 * 3_600)[2]).toBe("каждые 36 часов");
  expect(told(2.2 * 86_400)).toEqual([
    "every 3 days",
    "cada 3 días",
    "каждые 3 дня",
    "alle 3 Tage",
    "tous les 3 jours",
  ]);
  expect([2, 5, 21].map((days) => told(days * 86_400)[2])).toEqual([
    "каждые 2 дня",
    "каждые 5 дней",
    "каждые 21 день",
  ]);
  expect([11, 21, 22].map((minutes) => told(minutes * 60)[2])).toEqual([
    "каждые 11 минут",
    "каждые 21 минуту",
    "каждые 22 минуты",
  ]);
});

test("MAIL-09 spent requests and alert mails have texts of their own, and mails do not depend on requests", () => {
  const spentUntil = new Date("2026-12-01T00:00:00Z");
  const spent = { intervalSeconds: 600, isServedByMail: false, spentUntil };
  expect(SPECIFIED_LANGUAGES.map((language) => intervalWords(spent, wordsOf("common", language)))).toEqual([
    "again from 1 December",
    "a partir del 1 de diciembre",
    "снова с 1 декабря",
    "wieder ab dem 1. Dezember",
    "à partir du 1er décembre",
  ]);
  expect(intervalSentence(spent, wordsOf("common", "de"))).toContain("1. Dezember");
  const byMail = { ...spent, isServedByMail: true };
  expect(intervalLabel(byMail, wordsOf("common", "en"))).toBe("When Idealista emails you");
  expect(intervalSentence(byMail, wordsOf("common", "en"))).toBe(
    "You get new listings as soon as Idealista emails them.",
  );
  expect(intervalSentence(every(259_200), wordsOf("common", "fr"))).toBe(
    "Sereno relance votre recherche tous les 3 jours.",
  );
});
