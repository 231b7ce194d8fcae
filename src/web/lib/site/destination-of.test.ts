import fc from "fast-check";
import { expect, test } from "vitest";
import { LANGUAGES, languageOfPath, localizedPath } from "#core/languages.ts";
import { sitePath } from "#core/site-path.ts";
import { drawn } from "#test/seeded.ts";
import { destinationOf } from "./destination-of.ts";

const destination = (
  address: string,
  storedLanguage: string | null = null,
  browserLanguages: string[] = ["en-GB"],
) => {
  const { pathname, search, hash } = new URL(address, "https://sereno.example");
  const visit = { pathname, search, hash, storedLanguage, browserLanguages, languages: LANGUAGES };
  return destinationOf(visit, sitePath);
};

test("LANG-03 the prefix in the path comes before the browser's language", () => {
  expect(destination("/es/privacy", null, ["de-DE"])).toBeNull();
});

test("LANG-03 without a prefix or a stored language the browser's language decides", () => {
  expect(destination("/", null, ["de-AT", "en"])).toBe("/de");
  expect(destination("/terms?a=1#liability", null, ["pt-BR", "fr"])).toBe("/fr/terms?a=1#liability");
});

test("LANG-03 a browser with none of our languages gets English", () => {
  expect(destination("/", null, ["pt-BR", "ja"])).toBeNull();
  expect(destination("/", null, [])).toBeNull();
});

test("LANG-03 an English browser stays on English however many other languages follow", () => {
  expect(destination("/", null, ["en-US", "es"])).toBeNull();
});

test("LANG-04 a stored language that differs from the prefix redirects, query and fragment kept", () => {
  expect(destination("/es/privacy?from=mail#contact", "ru")).toBe("/ru/privacy?from=mail#contact");
  expect(destination("/", "es")).toBe("/es");
  expect(destination("/de?x=1", "en")).toBe("/?x=1");
});

test("LANG-04 a stored language that agrees with the prefix stays", () => {
  expect(destination("/ru/terms", "ru")).toBeNull();
  expect(destination("/", "en", ["es"])).toBeNull();
});

test("LANG-04 an unknown stored language counts as none", () => {
  for (const stored of ["xx", "", "es/../..", "constructor", "__proto__"]) {
    expect(destination("/fr", stored)).toBeNull();
    expect(destination("/", stored)).toBeNull();
  }
});

test("LANG-04 a stored regional tag counts as its language", () => {
  expect(destination("/", "es-MX")).toBe("/es");
});

test("LANG-02 /es/es has no English address, so it stays the unknown page it is", () => {
  expect(destination("/es/es", "en")).toBeNull();
  expect(destination("/es/es", "de")).toBe("/de/es");
  expect(destination("/es/es")).toBeNull();
});

test("ROUTE-10 a recovery link leads to the reset page of the language, fragment kept", () => {
  expect(destination("/#access_token=a&type=recovery")).toBe("/reset-password#access_token=a&type=recovery");
  expect(destination("/de/privacy#access_token=a&type=recovery")).toBe(
    "/de/reset-password#access_token=a&type=recovery",
  );
  expect(destination("/es#token_hash=a&type=recovery")).toBe("/es/reset-password#token_hash=a&type=recovery");
  expect(destination("/#access_token=a&type=recovery", "ru")).toBe(
    "/ru/reset-password#access_token=a&type=recovery",
  );
});

test("READ-10 a link that proves an address leads to its page in the language, wherever its mail leads", () => {
  expect(destination("/#token_hash=a&type=signup")).toBe("/confirm-email#token_hash=a&type=signup");
  expect(destination("/#token_hash=a&type=email")).toBe("/confirm-email#token_hash=a&type=email");
  expect(destination("/es#token_hash=a&type=email_change")).toBe(
    "/es/confirm-email#token_hash=a&type=email_change",
  );
  expect(destination("/de/confirm-email#token_hash=a&type=signup")).toBeNull();
  expect(destination("/#token_hash=a")).toBeNull();
});

test("ROUTE-10 the reset page itself, other fragments and half a link stay", () => {
  expect(destination("/reset-password#access_token=a&type=recovery")).toBeNull();
  expect(destination("/#access_token=a&type=signup")).toBeNull();
  expect(destination("/#type=recovery")).toBeNull();
  expect(destination("/privacy#contact")).toBeNull();
});

test("LANG-04 a redirect never leads to another redirect", () => {
  const segment = fc.constantFrom("es", "ru", "en", "xx", "privacy", "404", "");
  const language = fc.constantFrom(...LANGUAGES, "xx", null);
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 4 }), language, language, (segments, stored, browser) => {
      const browserLanguages = browser === null ? [] : [browser];
      const next = destination(`/${segments.filter(Boolean).join("/")}`, stored, browserLanguages);
      expect(next === null || destination(next, stored, browserLanguages) === null).toBe(true);
    }),
    drawn(),
  );
});

test("READ-11: no path leads a visitor to another site", () => {
  const segment = fc.constantFrom(
    "es",
    "fr",
    "en",
    "evil.example",
    "",
    ".",
    "..",
    "%2f",
    "%5c",
    "x@evil.example",
  );
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 6 }), fc.constantFrom(...LANGUAGES), (segments, stored) => {
      const next = destination(`https://sereno.example/${segments.join("/")}`, stored);
      expect(next ?? "/").toMatch(/^\/(?!\/)/);
      expect(next === null || destination(next, stored) === null).toBe(true);
    }),
    drawn(1_000),
  );
});

test("LANG-02 a redirect agrees with the paths of the core", () => {
  for (const language of LANGUAGES) {
    for (const path of ["/", "/privacy", "/fr/terms", "/ru"]) {
      const expected = localizedPath(path, language);
      expect(destination(path, language) ?? path).toBe(expected);
      expect(languageOfPath(expected)).toBe(language);
    }
  }
});
