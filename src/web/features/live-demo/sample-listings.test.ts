import { expect, test } from "vitest";
import { EMOJIS, sampleListings } from "./demo-listing.ts";

const words = { title: "title", location: "location" };
const samples = sampleListings(
  { studio: words, flat: words, small: words },
  new Date("2026-11-15T12:00:00Z"),
);

test("DEMO-05 the sample is a studio at 850 and two flats at 3,000 and 1,449", () => {
  expect(samples.map(({ id, price, size }) => ({ id, price, size }))).toEqual([
    { id: "studio", price: 850, size: 16 },
    { id: "flat", price: 3000, size: 105 },
    { id: "small", price: 1449, size: 27 },
  ]);
});

test("DEMO-07 each has one of the five pictures and a time that has passed", () => {
  for (const { emoji, foundAt } of samples) {
    expect(EMOJIS).toContain(emoji);
    expect(foundAt.getTime()).toBeLessThanOrEqual(Date.parse("2026-11-15T12:00:00Z"));
  }
});
