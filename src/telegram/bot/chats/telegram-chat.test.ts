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
  "LANG-01 a chat that chose %s, of a person with Telegram's language %s, gets %s",
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
])("%j is not a language of ours", (code) => {
  expect(readLanguageCode(code)).toBeUndefined();
});
