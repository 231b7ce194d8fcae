import fc from "fast-check";
import { expect, test } from "vitest";
import { LANGUAGES, languageOfPath, localizedPath } from "#core/languages.ts";
import { destinationOf } from "./destination-of.ts";

const arrive = (
  address: string,
  storedLanguage: string | null = null,
  browserLanguages: string[] = ["en-GB"],
) => {
  const { pathname, search, hash } = new URL(address, "https://sereno.example");
  return destinationOf({ pathname, search, hash, storedLanguage, browserLanguages, languages: LANGUAGES });
};

test("LANG-03 the prefix in the path comes before the browser's language", () => {
  expect(arrive("/es/privacy", null, ["de-DE"])).toBeNull();
});

test("LANG-03 without a prefix and a stored language the browser's language decides", () => {
  expect(arrive("/", null, ["de-AT", "en"])).toBe("/de");
  expect(arrive("/terms?a=1#liability", null, ["pt-BR", "fr"])).toBe("/fr/terms?a=1#liability");
});

test("LANG-03 a browser that speaks none of the five gets English", () => {
  expect(arrive("/", null, ["pt-BR", "ja"])).toBeNull();
  expect(arrive("/", null, [])).toBeNull();
});

test("LANG-03 an English browser stays on English however many other languages follow", () => {
  expect(arrive("/", null, ["en-US", "es"])).toBeNull();
});

test("LANG-04 a stored language that differs from the prefix redirects, query and fragment kept", () => {
  expect(arrive("/es/privacy?from=mail#contact", "ru")).toBe("/ru/privacy?from=mail#contact");
  expect(arrive("/", "es")).toBe("/es");
  expect(arrive("/de?x=1", "en")).toBe("/?x=1");
});

test("LANG-04 a stored language that agrees with the prefix stays", () => {
  expect(arrive("/ru/terms", "ru")).toBeNull();
  expect(arrive("/", "en", ["es"])).toBeNull();
});

test("LANG-04 an unknown stored language counts as none", () => {
  for (const stored of ["xx", "", "es/../..", "constructor", "__proto__"]) {
    expect(arrive("/fr", stored)).toBeNull();
    expect(arrive("/", stored)).toBeNull();
  }
});

test("LANG-04 a stored regional tag counts as its language", () => {
  expect(arrive("/", "es-MX")).toBe("/es");
});

test("LANG-02 /es/es has no English address, so it stays the unknown page it is", () => {
  expect(arrive("/es/es", "en")).toBeNull();
  expect(arrive("/es/es", "de")).toBe("/de/es");
  expect(arrive("/es/es")).toBeNull();
});

test("ROUTE-10 a recovery link leads to the reset page of the language, fragment kept", () => {
  expect(arrive("/#access_token=a&type=recovery")).toBe("/reset-password#access_token=a&type=recovery");
  expect(arrive("/de/privacy#access_token=a&type=recovery")).toBe(
    "/de/reset-password#access_token=a&type=recovery",
  );
  expect(arrive("/es#token_hash=a&type=recovery")).toBe("/es/reset-password#token_hash=a&type=recovery");
  expect(arrive("/#access_token=a&type=recovery", "ru")).toBe(
    "/ru/reset-password#access_token=a&type=recovery",
  );
});

test("ROUTE-10 the reset page itself, other fragments and half a link stay", () => {
  expect(arrive("/reset-password#access_token=a&type=recovery")).toBeNull();
  expect(arrive("/#access_token=a&type=signup")).toBeNull();
  expect(arrive("/#type=recovery")).toBeNull();
  expect(arrive("/privacy#contact")).toBeNull();
});

test("LANG-04 wherever a visitor is sent, the next page sends them no further", () => {
  const segment = fc.constantFrom("es", "ru", "en", "xx", "privacy", "404", "");
  const language = fc.constantFrom(...LANGUAGES, "xx", null);
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 4 }), language, language, (segments, stored, browser) => {
      const browserLanguages = browser === null ? [] : [browser];
      const next = arrive(`/${segments.filter(Boolean).join("/")}`, stored, browserLanguages);
      expect(next === null || arrive(next, stored, browserLanguages) === null).toBe(true);
    }),
  );
});

test("LANG-02 a redirect agrees with the paths of the core", () => {
  for (const language of LANGUAGES) {
    for (const path of ["/", "/privacy", "/fr/terms", "/ru"]) {
      const expected = localizedPath(path, language);
      expect(arrive(path, language) ?? path).toBe(expected);
      expect(languageOfPath(expected)).toBe(language);
    }
  }
});
