import { expect, test } from "vitest";
import { createTranslator } from "./translator.ts";

const translate = createTranslator({
  en: { hello: "Hello, {{name}}", found_one: "{{count}} listing", found_other: "{{count}} listings" },
  es: { hello: "Hola, {{name}}", found_one: "{{count}} anuncio", found_other: "{{count}} anuncios" },
  ru: {
    hello: "Здравствуйте, {{name}}",
    found_one: "{{count}} объявление",
    found_few: "{{count}} объявления",
    found_many: "{{count}} объявлений",
    found_other: "{{count}} объявления",
  },
  de: { hello: "Hallo, {{name}}", found_one: "{{count}} Inserat", found_other: "{{count}} Inserate" },
  fr: { hello: "Bonjour, {{name}}", found_one: "{{count}} annonce", found_other: "{{count}} annonces" },
});

test("a text has its placeholders filled, and a value is never read as a placeholder", () => {
  expect(translate("de")("hello", { name: "{{name}} & $&" })).toBe("Hallo, {{name}} & $&");
});

test("LANG-08 Russian has its three plural forms", () => {
  expect([1, 3, 7].map((count) => translate("ru")("found", { count }))).toEqual([
    "1 объявление",
    "3 объявления",
    "7 объявлений",
  ]);
  expect(translate("en")("found", { count: 1 })).toBe("1 listing");
});

test("a key that has no text is a mistake, not an empty message", () => {
  // @ts-expect-error the key does not exist
  expect(() => translate("fr")("nothing")).toThrow('No text "nothing" in fr');
});
