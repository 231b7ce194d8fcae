import fc from "fast-check";
import { expect, test } from "vitest";
import { drawn } from "#test/seeded.ts";
import { LANGUAGES, languageOfPath, localizedPath } from "./languages.ts";
import { sitePath } from "./site-path.ts";

const SITE = "https://sereno.example";

/** Pieces that URL parsers treat specially, in any order, between arbitrary text. */
const piece = fc.oneof(
  fc.constantFrom("/", "\\", "//", "/\\", "\t", "\n", "\r", "\0", " ", "\u00a0", "\u2028", "\ufeff"),
  fc.constantFrom("%2f", "%5c", "%09", "%2e", "..", ".", "@", ":", "?", "#", "\ud800"),
  fc.constantFrom("evil.example", "https:", "javascript:alert(1)", "data:,x", "[::1]", "es", "fr", "en"),
  fc.string({ unit: "binary", maxLength: 3 }),
);
const address = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));

test("READ-11: any input becomes an address of this site", () => {
  fc.assert(
    fc.property(address, (input) => {
      const path = sitePath(input);
      const { origin, pathname } = new URL(path, SITE);
      expect(path).toMatch(/^\/(?![/\\])/);
      expect([origin, sitePath(path), sitePath(pathname)]).toEqual([SITE, path, pathname]);
    }),
    drawn(2_000),
  );
});

test("READ-11: the page of any address in any language is a page of this site", () => {
  fc.assert(
    fc.property(address, fc.constantFrom(...LANGUAGES), (input, language) => {
      const path = localizedPath(input, language);
      expect(new URL(path, SITE).origin).toBe(SITE);
      expect(sitePath(path)).toBe(path);
    }),
    drawn(2_000),
  );
});

test.each([
  ["/es//evil.example/", "/evil.example/"],
  ["/es/\\evil.example", "/evil.example"],
  ["/fr///evil.example", "/evil.example"],
  ["/es/\t/evil.example", "/evil.example"],
  ["//es//evil.example?x=//y#//z", "/evil.example?x=//y#//z"],
])("READ-11: %j in English is %j", (path, english) => {
  expect(localizedPath(path, "en")).toBe(english);
  expect(languageOfPath(path)).not.toBe("en");
});

test("a path of this site stays unchanged", () => {
  for (const path of ["/", "/es", "/es/", "/finds?home=1&next=https://a//b#c//d"])
    expect(sitePath(path)).toBe(path);
});
