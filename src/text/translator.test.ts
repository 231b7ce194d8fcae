import { createInstance } from "i18next";
import { expect, test } from "vitest";
import { I18N_OPTIONS, NUMBERS_IN_TEXTS } from "./i18n-options.ts";
import texts from "./locales/en/bot.json" with { type: "json" };
import { translatorOf } from "./translator.ts";

const bot = translatorOf("bot", "alert");

test("placeholders are filled, and a value is never interpreted as a placeholder or another text", () => {
  const email = "{{email}} & $& $t(hello) <b>";
  expect(bot("en")("alerts_of", { people: email })).toBe(texts.alerts_of.replace("{{people}}", () => email));
});

test("LANG-08 Russian has its three plural forms", () => {
  const alert = translatorOf("alert");
  const forms = [1, 3, 7].map((count) => alert("ru")("watchStartedCount", { count }));
  expect(new Set(forms.map((form) => form.replace(/\d+/, ""))).size).toBe(3);
  expect([1, 2].map((count) => alert("en")("summaryAtOnce", { count }))).toEqual([
    "1 alert",
    "2 alerts in one message",
  ]);
});

test("a missing text is an error, not an empty message", () => {
  // @ts-expect-error the key does not exist
  expect(() => bot("fr")("nothing")).toThrow("nothing");
});

test("texts read as objects keep their placeholders, for code that fills them later", async () => {
  const i18n = createInstance();
  const resources = { en: { common: { ago: { minutes: "{{number}} min ago" } } } };
  await i18n.use(NUMBERS_IN_TEXTS).init({ ...I18N_OPTIONS, lng: "en", defaultNS: "common", resources });
  expect(i18n.t("ago", { returnObjects: true })).toEqual({ minutes: "{{number}} min ago" });
});
