import { expect, test } from "vitest";
import type { AlertNews } from "#core/alert/alert.ts";
import { LANGUAGES } from "#core/languages.ts";
import { FILTER_URL, listingOf } from "#test/delivery/delivery-fixture.ts";
import { RENDERED_USER_ID, render, renderedLines } from "#test/delivery/rendered-news.ts";
import { SPECIFIED_LANGUAGES } from "#test/fixtures/specified-languages.ts";
import { translatorOf } from "#text/translator.ts";
import { parseCallbackData } from "../../callback-data.ts";
import type { SearchNews } from "../channel.ts";

const t = translatorOf("alert")("en");

test("WATCH-04 the first message of a search has its description, the number of matches and the three newest, in six lines", () => {
  const newest = [listingOf("1"), listingOf("2"), listingOf("3")];
  const started: AlertNews = {
    kind: "watch-started",
    payload: { filterUrl: FILTER_URL, matchCount: 23, isAtLeast: true, newest },
  };
  const lines = renderedLines([started]).filter((line) => line !== "");
  expect(lines.slice(0, 3)).toEqual([
    `🏮 ${t("watchStarted")}`,
    "Homes to rent in Chamberí, Madrid, up to €1,500, 2 bedrooms",
    t("watchStartedAtLeast", { count: 23 }),
  ]);
  expect(lines).toHaveLength(6);
  expect(lines[3]).toBe("Flat, Calle de Fuencarral · €1,250 · 58 m²");
  const settings = { text: "Suche ändern", url: "https://sereno.example/de/filter-settings" };
  expect(render([started], "de").buttons).toEqual([[settings]]);
  expect(render([started], "de", { siteUrl: "http://localhost:3000" }).buttons).toEqual([]);
  const none: AlertNews = {
    kind: "watch-started",
    payload: { filterUrl: "?", matchCount: 0, isAtLeast: false, newest: [] },
  };
  expect(renderedLines([none])).toEqual([`🏮 ${t("watchStarted")}`, t("watchStartedNone")]);
});

test("messages about outages give times in Spanish time and explain the effect", () => {
  const sinceMs = Date.UTC(2026, 10, 14, 22, 10);
  const sourceUp = (mayHaveMissed: boolean): AlertNews => ({
    kind: "source-up",
    payload: { sinceMs, untilMs: sinceMs + 5_400_000, mayHaveMissed },
  });
  expect(renderedLines([{ kind: "source-down", payload: { sinceMs, reason: "down" } }])[1]).toContain(
    "23:10 on 14 November",
  );
  expect(renderedLines([sourceUp(true)])).toEqual([
    `🏮 ${t("sourceUp")}`,
    "I couldn't check from 23:10 on 14 November to 00:40 on 15 November.",
    t("sourceUpMissed"),
  ]);
  expect(renderedLines([sourceUp(false)])[2]).toBe(t("sourceUpComplete"));
  const spent = { sinceMs, reason: "quota-spent", untilMs: Date.UTC(2026, 11, 1), isServedByMail: true };
  expect(renderedLines([{ kind: "source-down", payload: spent }])).toEqual([
    `🌫 ${t("sourceSpent")}`,
    t("sourceSpentUntil", { date: "1 December" }),
    t("sourceSpentMail"),
  ]);
  expect(renderedLines([{ kind: "source-down", payload: { ...spent, isServedByMail: false } }])).toHaveLength(
    2,
  );
  expect(
    renderedLines([
      {
        kind: "source-up",
        payload: { sinceMs, untilMs: sinceMs, mayHaveMissed: true, reason: "quota-spent" },
      },
    ])[0],
  ).toBe(`🏮 ${t("sourceUpSpent")}`);
});

test("LANG-08 the times of an outage are written as each language writes them, and a single day once", () => {
  const sinceMs = Date.UTC(2026, 10, 16, 17, 0);
  const said = (news: AlertNews) => SPECIFIED_LANGUAGES.map((language) => renderedLines([news], language)[1]);
  const [hour, day] = [3_600_000, 86_400_000];
  const up = (lastMs: number): AlertNews => ({
    kind: "source-up",
    payload: { sinceMs, untilMs: sinceMs + lastMs, mayHaveMissed: false },
  });
  expect(said({ kind: "source-down", payload: { sinceMs, reason: "down" } })).toEqual([
    expect.stringContaining("since 18:00 on 16 November and"),
    expect.stringContaining("desde las 18:00 del 16 de noviembre y"),
    expect.stringContaining("с 16 ноября, 18:00."),
    expect.stringContaining("seit dem 16. November, 18:00 Uhr, und"),
    expect.stringContaining("depuis le 16 novembre à 18 h 00 et"),
  ]);
  expect(said(up(hour))).toEqual([
    "I couldn't check between 18:00 and 19:00 on 16 November.",
    "El 16 de noviembre no he podido revisarlos desde las 18:00 hasta las 19:00.",
    "Проверить не получалось 16 ноября с 18:00 до 19:00.",
    "Am 16. November hatte ich von 18:00 bis 19:00 Uhr keinen Zugriff.",
    "Je n’y ai pas eu accès le 16 novembre, de 18 h 00 à 19 h 00.",
  ]);
  expect(said(up(day))).toEqual([
    "I couldn't check from 18:00 on 16 November to 18:00 on 17 November.",
    "No he podido revisarlos desde las 18:00 del 16 de noviembre hasta las 18:00 del 17 de noviembre.",
    "Проверить не получалось с 16 ноября, 18:00, до 17 ноября, 18:00.",
    "Vom 16. November, 18:00 Uhr, bis zum 17. November, 18:00 Uhr, hatte ich keinen Zugriff.",
    "Je n’y ai pas eu accès du 16 novembre à 18 h 00 au 17 novembre à 18 h 00.",
  ]);
});

test("a question names one account, and its buttons contain its id", () => {
  const question: SearchNews = { kind: "question", payload: {}, people: ["a***@example.com"] };
  expect(renderedLines([question]).join(" ")).toContain("a***@example.com");
  const [answers] = render([question]).buttons;
  expect(
    answers?.map((button) =>
      "callback_data" in button ? parseCallbackData(button.callback_data) : undefined,
    ),
  ).toEqual([
    { act: "yes", userId: RENDERED_USER_ID },
    { act: "no", userId: RENDERED_USER_ID },
  ]);
});

test("DOOR-05 a connected chat sees the account, and its buttons confirm or refuse it", () => {
  const connected: SearchNews = { kind: "connected", payload: {}, people: ["a***@example.com"] };
  expect(renderedLines([connected]).join(" ")).toContain("a***@example.com");
  const [answers] = render([connected]).buttons;
  expect(
    answers?.map((button) =>
      "callback_data" in button ? parseCallbackData(button.callback_data) : undefined,
    ),
  ).toEqual([
    { act: "me", userId: RENDERED_USER_ID },
    { act: "not-me", userId: RENDERED_USER_ID },
  ]);
});

test("MAIL-07 a forwarding question shows the code to copy, and links only to Google", () => {
  const question = (link: string | null): AlertNews => ({
    kind: "forwarding-question",
    payload: { code: "123456789", link },
  });
  expect(renderedLines([question(null)])).toEqual([
    `✉️ ${t("forwardingQuestion")}`,
    t("forwardingQuestionBody"),
    "123456789",
    t("forwardingQuestionAdvice"),
  ]);
  for (const language of LANGUAGES) {
    expect(render([question(null)], language).html).toContain("\n<code>123456789</code>\n");
  }
  for (const host of ["mail", "mail-settings"]) {
    const url = `https://${host}.google.com/mail/vf-%5BANGjdJ8-x.y~z%5D`;
    expect(render([question(url)]).buttons).toEqual([[{ text: "Confirm at Google", url }]]);
  }
  for (const link of [
    null,
    "https://mail.google.com.evil.example/mail/vf-1",
    "https://mail.google.com@evil.example/mail/vf-1",
    "https://accounts.google.com/mail/vf-1",
    "http://mail.google.com/mail/vf-1",
    "https://mail.google.com/url?q=https://evil.example",
    "javascript:alert(1)",
  ]) {
    expect([link, render([question(link)]).buttons]).toEqual([link, []]);
  }
});

test("DOOR-10 the notice of a deleted account names nobody and has no buttons", () => {
  const notice: AlertNews = { kind: "account-deleted", payload: {} };
  expect(renderedLines([notice])).toEqual([`🏮 ${t("accountDeleted")}`, t("accountDeletedBody")]);
  expect(render([notice]).buttons).toEqual([]);
});
