import { expect, test } from "vitest";
import { lastAnchorOf, placesOf } from "./anchors.ts";

/** From the newest, which has the highest number. */
const codes = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => String(from - n));
const connects = (met: readonly string[], order: readonly string[]) =>
  lastAnchorOf(placesOf(met, order)) !== -1;
const ORDER = codes(300, 1);

test("COVER-03 three adverts in a row in the remembered order connect a reading, two or scattered ones do not", () => {
  expect(connects(["x", "300", "299", "298"], ORDER)).toBe(true);
  expect(connects(["300", "299"], ORDER)).toBe(false);
  expect(connects(["300", "x", "299", "y", "298", "z"], ORDER)).toBe(false);
});

test("COVER-03 a page of renewed adverts does not connect, in whatever order they were renewed", () => {
  const renewed = codes(100, 51);
  expect(connects(renewed, ORDER)).toBe(false);
  expect(connects(renewed.toReversed(), ORDER)).toBe(false);
  expect(connects([...renewed, "new", ...codes(300, 290)], ORDER)).toBe(true);
  expect(connects(codes(300, 251).toReversed(), ORDER)).toBe(false);
});

test("COVER-03 adverts that were withdrawn do not keep a reading from connecting", () => {
  const left = ORDER.filter((code) => Number(code) % 3 !== 0);
  expect(connects(left.slice(0, 20), ORDER)).toBe(true);
  expect(connects(["300", ...codes(280, 230)], ORDER)).toBe(true);
});
