import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeHtml } from "#core/escape-html.ts";
import { drawn } from "#test/seeded.ts";
import { bold, isLink, linked, plainOf } from "./html.ts";

test("escaped text is restored by plainOf", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(plainOf(bold(text))).toBe(text);
      expect(escapeHtml(text)).not.toMatch(/[<>"]/);
    }),
    drawn(),
  );
});

test("only a link to a full host name is rendered as a link", () => {
  expect(linked("A & B", "https://www.idealista.com/inmueble/1/?a=1&b=2")).toBe(
    '<a href="https://www.idealista.com/inmueble/1/?a=1&amp;b=2">A &amp; B</a>',
  );
  for (const url of ["http://localhost:3000/x", "javascript:alert(1)", "nonsense", "ftp://a.b/", ""]) {
    expect([url, isLink(url), linked("A", url)]).toEqual([url, false, "A"]);
  }
});
