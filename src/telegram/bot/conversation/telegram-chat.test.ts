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
  "LANG-01 with the chosen language %s and Telegram's language %s the chat's language is %s",
  (chosen, code, language) => {
    expect(languageOf(chosen, readLanguageCode(code))).toBe(language);
  },
);

test.each([
  [undefined],
  [7],
  [""],
  ["e"],
  ["pt-br"],
  ["zh-Hans-CN"],
  ["es; drop"],
  ["x".repeat(40)],
  ["\u0000\u0000"],
])("%j is not a supported language", (code) => {
  expect(readLanguageCode(code)).toBeUndefined();
});
