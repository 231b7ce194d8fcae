import { expect, test } from "vitest";
import { LANGUAGES } from "#core/languages.ts";
import { listingOf } from "#test/delivery/delivery-fixture.ts";
import { render } from "#test/delivery/rendered-news.ts";
import type { SearchNews } from "../channel.ts";
import { alertButtons } from "./alert-buttons.ts";

const app = { siteUrl: "https://sereno.example", linkUrl: "https://t.me" };
const news = (opensApp: SearchNews["opensApp"], code = "105550123"): SearchNews =>
  ({ kind: "new", payload: { listing: listingOf(code) }, opensApp }) as SearchNews;
const buttonsOf = (one: SearchNews, options: object = {}) =>
  alertButtons(one, { language: "es", userId: "u", siteUrl: app.siteUrl, app, ...options }).flat();

test("MINI-03 the button of the app opens the page of the home, in the language of the alert", () => {
  expect(buttonsOf(news("button"))).toContainEqual({
    text: "🏠 Detalles",
    web_app: { url: "https://sereno.example/es/app/finds?home=105550123" },
  });
});

test("MINI-03 in a group the link names the home and nobody", () => {
  expect(buttonsOf(news({ bot: "sereno_bot" }))).toContainEqual({
    text: "🏠 Detalles",
    url: "https://t.me/sereno_bot?startapp=home-105550123",
  });
});

test("MINI-01 no alert offers the app where it is not offered, or for somebody else's account", () => {
  const apps = (buttons: object[]) => JSON.stringify(buttons).match(/app/g);
  expect(apps(buttonsOf(news("button"), { app: undefined }))).toBeNull();
  expect(apps(buttonsOf(news(null)))).toBeNull();
  expect(apps(buttonsOf(news("button", "a code&x=1")))).toBeNull();
});

const CHAMBERI = "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/";
const two = ["con-precio-hasta_1500,ascensor/", ""].map((part, at) => ({
  id: `${at}e02b2c3-d479-4372-a567-f47ac10b58cc`,
  name: null,
  url: CHAMBERI + part,
}));
const searches = two.map(({ url, ...search }) => ({ ...search, filterUrl: url, among: two }));
const marked = (code: string, mark: "kept" | "hidden" | null) =>
  ({
    ...news("button", code),
    payload: { listing: listingOf(code, { isPrivate: false, photoCount: 9 }) },
    own: { distances: [], warnings: [], mark, note: null },
    shareQuery: "home",
    searches,
  }) as SearchNews;

/** Characters that a button has room for, by the number of buttons in its row: on a phone, with wide letters. */
const ROOM: Readonly<Record<number, number>> = { 1: 36, 2: 18, 3: 13 };

test.each(LANGUAGES)("WORD-04 the buttons of alerts and summaries fit into their rows (%s)", (language) => {
  const marks = ["kept", "hidden", null] as const;
  const options = { language, app, isMuted: true };
  const rows = [
    ...marks.flatMap((mark) => render([marked("7", mark)], language, options).buttons),
    ...render([marked("7", null)], language, { app }).buttons,
    ...render(
      [...marks, null].map((mark, at) => marked(String(at), mark)),
      language,
      options,
    ).buttons,
  ];
  expect(rows.some(({ length }) => length === 3)).toBe(true);
  const cut = rows.flatMap((row) => row.filter(({ text }) => text.length > (ROOM[row.length] ?? 0)));
  expect(cut.map(({ text }) => text)).toEqual([]);
});

test("EASY-03 WORD-04 the button that mutes the search for everything in a place names the place", () => {
  const texts = buttonsOf(marked("7", null), { language: "en" }).map(({ text }) => text);
  expect(texts).toEqual(expect.arrayContaining(["Mute “up to €1,500, lift”", "Mute “Chamberí, all”"]));
});
