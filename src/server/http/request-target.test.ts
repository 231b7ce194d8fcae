import fc from "fast-check";
import { expect, test } from "vitest";
import { drawn } from "#test/seeded.ts";
import { parseRequestTarget } from "./request-target.ts";

test.each([
  "/",
  "/es",
  "/es/",
  "/auth/v1/token",
  "/auth/v1/.well-known/jwks.json",
  "/assets/root-B1x_~9.js",
  "/telegram/abc-DEF_123",
])("DOOR-01 %s is canonical", (path) => {
  expect(parseRequestTarget(`${path}?a=%20`)).toEqual({ askedPath: path, path, search: "?a=%20" });
});

test.each([
  "",
  "*",
  "//",
  "/./",
  "/..",
  "/a/../b",
  "/a//b",
  "/a/.",
  "/%61",
  "/a\\b",
  "/a;b",
  "http://a/b",
  "/a\xe9",
])("DOOR-01 %j is not found", (target) => {
  expect(parseRequestTarget(target).path).toBeUndefined();
});

test("DOOR-01 an accepted path means the same after normalising or decoding it", () => {
  const piece = fc.constantFrom(
    "a",
    "auth",
    "v1",
    "/",
    ".",
    "..",
    "%2e",
    "%2F",
    "%61",
    "\\",
    "//",
    "A",
    "?",
    "~",
    "@",
    ":",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const { path } = parseRequestTarget(`/${pieces.join("")}`);
      if (path === undefined) return;
      expect(new URL(`http://localhost${path}`).pathname).toBe(path);
      expect(decodeURIComponent(path)).toBe(path);
    }),
    drawn(),
  );
});

test("DOOR-01 a long path of many segments is checked quickly", () => {
  expect(parseRequestTarget("/a".repeat(100_000)).path).toBeUndefined();
  expect(parseRequestTarget(`/${"a.".repeat(500)}`).path).toHaveLength(1_001);
});
