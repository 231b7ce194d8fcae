import { expect, test } from "vitest";
import type { Health } from "#core/health/health-of.ts";
import { LANGUAGES, type Language } from "#core/languages.ts";
import { SPECIFIED_LANGUAGES } from "#test/fixtures/specified-languages.ts";
import { countsLine, gapWords, healthWords } from "./health-words.ts";
import { wordsOf } from "./translator.ts";

const now = new Date("2026-11-16T12:00:00Z");
const say = (health: Health, language: Language) =>
  healthWords(health, { ...wordsOf("health", language), now });
const failing = (since: string): Health => ({
  state: "failing",
  since: new Date(since),
  reason: "unreachable",
});

const STATES: readonly Health[] = [
  { state: "watching" },
  { state: "paused" },
  { state: "notASearch" },
  { state: "noSource" },
  { state: "chatsLost", onlyLoss: null },
  ...(["blocked", "stopped", "declined", "unreachable"] as const).map(
    (onlyLoss): Health => ({ state: "chatsLost", onlyLoss }),
  ),
  { state: "noChat" },
  { state: "waitingForYes" },
  { state: "muted", until: new Date("2026-11-16T19:30:00Z") },
  { state: "muted", until: null },
  { state: "held" },
  { state: "spent", until: new Date("2026-12-01T00:00:00+01:00"), isServedByMail: true },
  failing("2026-11-16T11:05:00Z"),
  { state: "queued", until: new Date("2026-11-17T00:00:00Z") },
  { state: "first", isAgain: false },
  { state: "first", isAgain: true },
];

test.each(LANGUAGES)("TRUE-01 each state has its own line in %s, short enough for a card", (language) => {
  const titles = STATES.map((health) => say(health, language).title);
  expect(new Set(titles).size).toBe(STATES.length);
  for (const title of titles) {
    expect(title).not.toMatch(/\{\{|\}\}|[.!]$/);
    expect(title.length).toBeLessThan(90);
  }
  for (const health of STATES)
    expect(say(health, language).text === undefined).toBe(health.state === "watching");
});

test("TRUE-01 the end of a mute is worded the same way", () => {
  const told = (until: string) =>
    SPECIFIED_LANGUAGES.map((language) => say({ state: "muted", until: new Date(until) }, language).title);
  expect(told("2026-11-16T19:30:00Z")).toEqual([
    expect.stringMatching(/ until 20:30$/),
    expect.stringMatching(/ hasta las 20:30\sh$/),
    expect.stringMatching(/ до 20:30$/),
    expect.stringMatching(/ bis 20:30\u00a0Uhr stumm$/),
    expect.stringMatching(/ jusqu’à 20\u00a0h\u00a030$/),
  ]);
  expect(told("2026-11-16T23:30:00Z")).toEqual([
    expect.stringMatching(/ until 00:30 on 17 November$/),
    expect.stringMatching(/ hasta el 17 de noviembre a las 0?0:30\sh$/),
    expect.stringMatching(/ до 17 ноября, 00:30$/),
    expect.stringMatching(/ bis zum 17\. November, 00:30\u00a0Uhr stumm$/),
    expect.stringMatching(/ jusqu’au 17 novembre à 0\u00a0h\u00a030$/),
  ]);
});

test("TRUE-01 times are in Spanish time, with the day unless it is today", () => {
  const told = (since: string) => SPECIFIED_LANGUAGES.map((language) => say(failing(since), language).title);
  expect(told("2026-11-16T11:05:00Z")).toEqual([
    expect.stringMatching(/ 12:05$/),
    expect.stringMatching(/ las 12:05\sh$/),
    expect.stringMatching(/ с 12:05$/),
    expect.stringMatching(/^Seit 12:05\u00a0Uhr /),
    expect.stringMatching(/ 12\u00a0h\u00a005$/),
  ]);
  expect(told("2026-11-15T22:59:00Z")).toEqual([
    expect.stringMatching(/ since 23:59 on 15 November$/),
    expect.stringMatching(/ el 15 de noviembre a las 23:59\sh$/),
    expect.stringMatching(/ с 15 ноября, 23:59$/),
    expect.stringMatching(/^Seit dem 15\. November, 23:59\u00a0Uhr /),
    expect.stringMatching(/ le 15 novembre à 23\u00a0h\u00a059$/),
  ]);
  // The same day of another year is not today.
  expect(say(failing("2025-11-16T11:05:00Z"), "en").title).toContain("16 November");
});

test("MAIL-09 the text about spent requests names the day, and mails that still arrive", () => {
  const until = new Date("2026-12-01T00:00:00+01:00");
  const spent = (isServedByMail: boolean) => say({ state: "spent", until, isServedByMail }, "fr");
  expect(spent(false).title).toContain("1er décembre");
  expect(spent(true).text).toBe(`${spent(false).text} ${wordsOf("health", "fr").t("spent.mail")}`);
});

test("TRUE-02 the counters are one line with their period", () => {
  const counts = { found: 1234, sent: 1200, waiting: 30, undelivered: 4 };
  expect(countsLine(counts, wordsOf("health", "en"))).toBe(
    "Last 24 hours\u00a0· Found\u00a01,234\u00a0· Sent\u00a01,200\u00a0· Waiting\u00a030\u00a0· Not delivered\u00a04",
  );
});

test("COVER-02 a gap says between when homes may have been missed, and what was done about it, in each language", () => {
  const gap = { from: "2026-01-05T09:00:00Z", until: "2026-01-05T13:00:00Z" };
  const words = LANGUAGES.map((language) => gapWords(gap, wordsOf("health", language)));
  expect(new Set(words).size).toBe(LANGUAGES.length);
  for (const text of words) expect(text).toMatch(/10[:h\s]+.*14[:h\s]/);
  expect(words).toContain(
    "5. Jan., 10:00\u00a0Uhr bis 5. Jan., 14:00\u00a0Uhr: Einzelne Inserate können Sereno entgangen sein. " +
      "Sereno hat so weit zurückgelesen, wie es ging.",
  );
});
