import { expect, test } from "vitest";
import { languageOf, readLanguageCode } from "./telegram-chat.ts";

test.each([
  [undefined, "ru", "ru"],
  [undefined, "es-419", "es"],
  [undefined, "DE", "de"],
  [undefined, "pt-br", "en"],
  [undefined, undefined, "en"],
  ["fr", "ru", "fr"],
] as const)(
  "LANG-01 a chat that chose %s, of a person who has %s, is spoken to in %s",
  (chosen, code, language) => {
    expect(languageOf(chosen, code)).toBe(language);
  },
);

test.each([["es"], ["pt-br"], ["zh-hans"], ["zh-Hans-CN"]])("%s can be stored", (code) => {
  expect(readLanguageCode(code)).toBe(code);
});

test.each([[undefined], [7], [""], ["e"], ["es; drop"], ["x".repeat(40)], ["\u0000\u0000"]])(
  "%j is no language",
  (code) => {
    expect(readLanguageCode(code)).toBeUndefined();
  },
);
