import { expect, test } from "vitest";
import { basePathOf, LANGUAGES, languageOfPath, localizedPath } from "./languages.ts";

test.each([
  ["/", "en", "/"],
  ["", "en", "/"],
  ["/profile", "en", "/profile"],
  ["/es", "es", "/"],
  ["/es/", "es", "/"],
  ["/ru/filter-settings?x=1#y", "ru", "/filter-settings?x=1#y"],
  ["/de?x=1", "de", "/?x=1"],
  ["/estate", "en", "/estate"],
  ["/en/profile", "en", "/en/profile"],
  ["/ES/profile", "en", "/ES/profile"],
])("LANG-02 %s is in %s and its base path is %s", (path, language, base) => {
  expect(languageOfPath(path)).toBe(language);
  expect(basePathOf(path)).toBe(base);
});

test.each([
  ["/", "es", "/es"],
  ["/profile", "fr", "/fr/profile"],
  ["/es/profile?x=1#y", "de", "/de/profile?x=1#y"],
  ["/ru", "en", "/"],
  ["/ru?x=1", "es", "/es?x=1"],
] as const)("LANG-05 %s in %s is %s", (path, language, localized) => {
  expect(localizedPath(path, language)).toBe(localized);
});

test("LANG-02 a path translated through every language comes back unchanged", () => {
  const path = LANGUAGES.reduce<string>((current, language) => localizedPath(current, language), "/terms#a");
  expect(localizedPath(path, "en")).toBe("/terms#a");
});
