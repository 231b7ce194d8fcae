import { expect, test } from "vitest";
import { LANGUAGES } from "#core/languages.ts";
import { listingOf } from "#test/delivery/delivery-fixture.ts";
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

test.each(LANGUAGES)("WORD-04 the button of the app fits into a row of two (%s)", (language) => {
  const button = buttonsOf(news("button"), { language }).find((one) => "web_app" in one);
  expect(button?.text.length).toBeLessThanOrEqual(18);
});
