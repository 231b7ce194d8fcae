import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeHtml } from "#core/escape-html.ts";
import { bold, isLink, lineOf, linked, plainOf } from "./html.ts";

test("G27 a line of somebody's words holds no break, no turned direction and nothing unseen", () => {
  expect(lineOf("  a\r\n\tb\u2028c\u0000d  ", 50)).toBe("a b c d");
  expect(lineOf("Gran \u202eVía\u2066\u200b", 50)).toBe("Gran Vía");
  expect(lineOf("lone \ud800 half", 50)).toBe("lone half");
  for (const nothing of [null, "", " \n", "\u200b\u200b", "\u2800", "\u3164"])
    expect(lineOf(nothing, 50)).toBeNull();
});

test("G29 a line is cut between what a reader sees as characters, never within one", () => {
  expect(lineOf("x".repeat(60), 50)).toBe(`${"x".repeat(49)}…`);
  expect(lineOf("x".repeat(50), 50)).toHaveLength(50);
  expect(lineOf("👩‍👩‍👧‍👦".repeat(20), 30)).toBe("👩‍👩‍👧‍👦👩‍👩‍👧‍👦…");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }), (text) => {
      expect((lineOf(text, 40) ?? "").length).toBeLessThanOrEqual(40);
    }),
  );
});

test("what is escaped reads back as it was", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(plainOf(bold(text))).toBe(text);
      expect(escapeHtml(text)).not.toMatch(/[<>"]/);
    }),
  );
});

test("a link leads to a whole host or is no link", () => {
  expect(linked("A & B", "https://www.idealista.com/inmueble/1/?a=1&b=2")).toBe(
    '<a href="https://www.idealista.com/inmueble/1/?a=1&amp;b=2">A &amp; B</a>',
  );
  for (const url of ["http://localhost:3000/x", "javascript:alert(1)", "nonsense", "ftp://a.b/", ""]) {
    expect([url, isLink(url), linked("A", url)]).toEqual([url, false, "A"]);
  }
});
