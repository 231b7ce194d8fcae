import { expect, test } from "vitest";
import { sampleListing } from "#test/fixtures/listing.ts";
import { cleanListing } from "./read-feed.ts";

test("what no database takes is taken out, and what is endless is cut", () => {
  const dirty = sampleListing({
    title: `Piso\u0000 ${"á".repeat(9_000)}`,
    address: "calle \ud83d",
    description: "x",
  });
  const clean = cleanListing(dirty);
  expect(clean?.title).toBe(`Piso ${"á".repeat(495)}`);
  expect(clean?.address).toBe("calle \ufffd");
  expect(clean?.description).toBeNull();
});

test("FIND-04 of a description is kept what its words say, also beyond the length of other texts", () => {
  const description = `${"Piso luminoso. ".repeat(60)} Alquiler de temporada.`;
  expect(cleanListing(sampleListing({ description }))).toMatchObject({
    description: null,
    wording: { signs: [{ kind: "seasonal", words: "Alquiler de temporada" }], textKey: expect.any(String) },
  });
});

test("an ordinary listing stays as it is, but for the description nothing is decided by", () => {
  const listing = sampleListing();
  expect(cleanListing(listing)).toEqual({ ...listing, description: null });
});

test("a listing without a usable code or price is none", () => {
  expect(cleanListing(sampleListing({ propertyCode: "" }))).toBeUndefined();
  expect(cleanListing(sampleListing({ propertyCode: "1".repeat(65) }))).toBeUndefined();
  expect(cleanListing(sampleListing({ priceEur: Number.NaN }))).toBeUndefined();
});
