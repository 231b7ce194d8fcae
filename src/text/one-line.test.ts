import fc from "fast-check";
import { expect, test } from "vitest";
import { drawn } from "#test/seeded.ts";
import { lineOf, oneLine } from "./one-line.ts";

test("G27 a line of untrusted text has no line breaks, direction marks or invisible characters", () => {
  expect(lineOf("  a\r\n\tb\u2028c\u0000d  ", 50)).toBe("a b c d");
  expect(lineOf("Gran \u202eVía\u2066\u200b", 50)).toBe("Gran Vía");
  expect(lineOf("lone \ud800 half", 50)).toBe("lone half");
  for (const nothing of [null, "", " \n", "\u200b\u200b", "\u2800", "\u3164"])
    expect(lineOf(nothing, 50)).toBeNull();
});

test("LANG-08 a number stays on one line with its unit; typed text gets ordinary spaces", () => {
  expect(lineOf("hasta 1.500\u00a0€,  desde 40\u00a0m²", 50)).toBe("hasta 1.500\u00a0€, desde 40\u00a0m²");
  expect(lineOf("\u00a0", 50)).toBeNull();
  expect(oneLine(" \u00a0With\u00a0Bea\u202f ")).toBe("With Bea");
});

test("G29 a line is cut between graphemes", () => {
  expect(lineOf("x".repeat(60), 50)).toBe(`${"x".repeat(49)}…`);
  expect(lineOf("x".repeat(50), 50)).toHaveLength(50);
  expect(lineOf("👩‍👩‍👧‍👦".repeat(20), 30)).toBe("👩‍👩‍👧‍👦👩‍👩‍👧‍👦…");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }), (text) => {
      expect((lineOf(text, 40) ?? "").length).toBeLessThanOrEqual(40);
    }),
    drawn(),
  );
});

test("FIND-06 the name of a place is one line without invisible characters", () => {
  expect(oneLine(" \u202eWork\u2028 \n at\u0000 home\u200b ")).toBe("Work at home");
  expect(oneLine("👩‍💻 Büro")).toBe("👩‍💻 Büro");
  expect(oneLine(" \u200b\u2066\u2800 ")).toBe("");
});
