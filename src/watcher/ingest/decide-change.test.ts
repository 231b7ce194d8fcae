import { expect, test } from "vitest";
import { decideChange } from "./decide-change.ts";

const changed = (formerPriceEur: number, priceEur: number, didFit: boolean) =>
  decideChange({ what: "changed", formerPriceEur, priceEur, didFit });

test("COVER-07 a home that appeared is new; one that returned is back to who was told of it, and new to who was not", () => {
  expect(decideChange({ what: "appeared" })).toEqual({ unknown: "new", known: null });
  expect(decideChange({ what: "returned" })).toEqual({ unknown: "new", known: "back" });
});

test("COVER-08 a changed home is new only to searches that it did not fit before, and a cut to who was told of it", () => {
  expect(changed(900, 800, true)).toEqual({ unknown: null, known: "price-drop" });
  expect(changed(900, 800, false)).toEqual({ unknown: "new", known: "price-drop" });
  expect(changed(800, 900, true)).toEqual({ unknown: null, known: null });
  expect(changed(800, 800, false)).toEqual({ unknown: "new", known: null });
});

test("COVER-08 a price that the advert no longer states is no cut", () => {
  expect(changed(800, 0, true)).toEqual({ unknown: null, known: null });
});
