import { expect, test } from "vitest";
import { sampleListing } from "#test/fixtures/listing.ts";
import { cleanListing } from "./read-feed.ts";

test("characters that the database cannot store are removed, and long texts are cut", () => {
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

test("FIND-04 warnings are read from the whole description, which is not kept itself", () => {
  const description = `${"Piso luminoso. ".repeat(60)} Alquiler de temporada.`;
  expect(cleanListing(sampleListing({ description }))).toMatchObject({
    description: null,
    wording: { signs: [{ kind: "seasonal", words: "Alquiler de temporada" }], textKey: expect.any(String) },
  });
});

test("an ordinary listing stays unchanged except for its description", () => {
  const listing = sampleListing();
  expect(cleanListing(listing)).toEqual({ ...listing, description: null });
});

test("a listing without a valid code or price is dropped", () => {
  expect(cleanListing(sampleListing({ propertyCode: "" }))).toBeUndefined();
  expect(cleanListing(sampleListing({ propertyCode: "1".repeat(65) }))).toBeUndefined();
  expect(cleanListing(sampleListing({ priceEur: Number.NaN }))).toBeUndefined();
});
