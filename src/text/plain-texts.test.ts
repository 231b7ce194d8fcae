import { expect, test } from "vitest";
import { LANGUAGES } from "#core/languages.ts";
import home from "./locales/en/home.json" with { type: "json" };
import common from "./locales/ru/common.json" with { type: "json" };
import { plainTexts } from "./plain-texts.ts";
import { wordsOf } from "./translator.ts";

test("LANG-08 the demo's texts have the plural forms that i18next would choose", () => {
  const plain = plainTexts(common, "ru");
  const { t } = wordsOf("common", "ru");
  for (const count of [1, 2, 5, 11, 21, 22, 101]) {
    const values = { count, number: String(count) };
    expect(plain("ago.hours", values)).toBe(t("ago.hours", values));
  }
  expect(plain("ago.now")).toBe(t("ago.now"));
});

test("LANG-08 early cards name floors as i18next would", () => {
  const plain = plainTexts(home, "en");
  const { t } = wordsOf("home", "en");
  for (const count of [1, 2, 3, 4, 11, 21]) {
    const values = { count, ordinal: true, spanish: "" };
    expect(plain("floor", values)).toBe(t("floor", values));
  }
});

test("a value is never interpreted as a placeholder, and a missing text is an error", () => {
  for (const language of LANGUAGES) {
    const plain = plainTexts({ greeting: "{{name}}!" }, language);
    expect(plain("greeting", { name: "{{name}} $& {{other}}" })).toBe("{{name}} $& {{other}}!");
    expect(() => plain("nothing.here")).toThrow("nothing.here");
  }
});

test("LANG-07 English texts in the place of Russian ones keep their plural", () => {
  const english = { bedrooms_one: "1 bedroom", bedrooms_other: "{{count}} bedrooms" };
  const t = plainTexts(english, "ru");
  expect([t("bedrooms", { count: 1 }), t("bedrooms", { count: 3 })]).toEqual(["1 bedroom", "3 bedrooms"]);
});
