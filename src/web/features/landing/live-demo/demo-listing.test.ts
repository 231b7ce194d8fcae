import fc from "fast-check";
import { expect, test } from "vitest";
import { drawn } from "#test/seeded.ts";
import { EMOJIS, parseDetails, sampleListings, shownListingOf } from "./demo-listing.ts";

const now = new Date("2026-11-15T12:00:00Z");
const row = { id: "1", created_at: "2026-11-15T11:58:00Z", details: { title: "Flat" } };

test("DEMO-07 a listing keeps its picture when the list is reloaded", () => {
  const { emoji } = shownListingOf(row, now);
  expect(EMOJIS).toContain(emoji);
  for (let again = 0; again < 20; again += 1) expect(shownListingOf(row, now).emoji).toBe(emoji);
});

test("DEMO-07 pictures differ from listing to listing", () => {
  const pictures = Array.from(
    { length: 200 },
    (_, id) => shownListingOf({ ...row, id: `many-${id}` }, now).emoji,
  );
  expect(new Set(pictures).size).toBe(EMOJIS.length);
});

test("DEMO-08 a row without a readable time counts as found now", () => {
  expect(shownListingOf({ ...row, created_at: "not a time" }, now).foundAt).toBe(now);
  expect(shownListingOf(row, now).foundAt.toISOString()).toBe("2026-11-15T11:58:00.000Z");
});

test("DEMO-07 all details are read", () => {
  expect(
    parseDetails({
      title: "Flat in Chamberí",
      price: 1250,
      size: 58,
      address: "Calle de Fuencarral",
      location: "Trafalgar, Madrid",
      url: "https://www.idealista.com/inmueble/1/",
      rooms: 2,
    }),
  ).toEqual({
    title: "Flat in Chamberí",
    price: 1250,
    size: 58,
    address: "Calle de Fuencarral",
    location: "Trafalgar, Madrid",
    url: "https://www.idealista.com/inmueble/1/",
    rooms: 2,
  });
});

test.each([
  [1449, 1449],
  ["1449", 1449],
  ["1.449 €", 1449],
  ["€1,449", 1449],
  ["1 449 €", 1449],
  ["1.250.000€", 1_250_000],
])("DEMO-07 the price %s is an amount, with or without the euro sign", (price, amount) => {
  expect(parseDetails({ price }).price).toBe(amount);
});

test("DEMO-07 a size with its unit is an area, and words stay words", () => {
  expect(parseDetails({ size: "27 m²" }).size).toBe(27);
  expect(parseDetails({ price: "A consultar" }).price).toBe("A consultar");
  expect(parseDetails({ price: "800 - 900 €" }).price).toBe("800 - 900 €");
});

test("DEMO-07 each field is also read by its second name", () => {
  expect(parseDetails({ address: "Calle Mayor 1" }).location).toBe("Calle Mayor 1");
  expect(parseDetails({ bedrooms: "3" }).rooms).toBe(3);
  expect(parseDetails({ link: "https://a.example/1" }).url).toBe("https://a.example/1");
  expect(parseDetails({ href: "https://a.example/2" }).url).toBe("https://a.example/2");
  expect(parseDetails({ url: "javascript:alert(1)", link: "https://a.example/3" }).url).toBe(
    "https://a.example/3",
  );
});

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  " javascript:alert(1)",
  "data:text/html,x",
  "//a.example",
  "/inmueble/1",
  "",
])("DEMO-07 %s never becomes a link", (url) => {
  expect(parseDetails({ url, link: url, href: url }).url).toBeUndefined();
});

test("DEMO-07 empty, absurd and foreign values count as missing", () => {
  expect(parseDetails({})).toEqual({});
  expect(parseDetails({ title: "  ", price: 0, size: -3, rooms: "many", location: null, url: {} })).toEqual(
    {},
  );
  for (const details of [null, undefined, 7, "text", []]) expect(parseDetails(details)).toEqual({});
});

test("DEMO-07 reading a row never fails", () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (price, url) => {
      const facts = parseDetails({ price, url, title: price, rooms: url });
      expect(facts.url === undefined || /^https?:/.test(facts.url)).toBe(true);
    }),
    drawn(),
  );
});

const words = { title: "title", location: "location" };
const samples = sampleListings({ studio: words, flat: words, small: words }, now);

test("DEMO-05 the sample is a studio at 850 and two flats at 3,000 and 1,449", () => {
  expect(samples.map(({ id, price, size }) => ({ id, price, size }))).toEqual([
    { id: "studio", price: 850, size: 16 },
    { id: "flat", price: 3000, size: 105 },
    { id: "small", price: 1449, size: 27 },
  ]);
});

test("DEMO-07 each sample has one of the five pictures and a time in the past", () => {
  for (const { emoji, foundAt } of samples) {
    expect(EMOJIS).toContain(emoji);
    expect(foundAt.getTime()).toBeLessThanOrEqual(now.getTime());
  }
});
