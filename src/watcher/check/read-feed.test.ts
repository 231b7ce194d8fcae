import { expect, test } from "vitest";
import type { Listing } from "#core/listing/listing.ts";
import { sampleListing } from "#test/fixtures/listing.ts";
import { usableOf } from "./read-feed.ts";

function cleaned(listing: Listing): Listing | undefined {
  const page = {
    number: 1,
    end: null,
    listings: [listing],
    rejected: [],
    total: 1,
    hasIgnoredFilters: false,
  };
  return usableOf(page, { query: {} }).listings[0];
}

test("characters that the database cannot store are removed, and long texts are cut", () => {
  const dirty = sampleListing({
    title: `Piso\u0000 ${"á".repeat(9_000)}`,
    address: "calle \ud83d",
    description: "x",
  });
  const clean = cleaned(dirty);
  expect(clean?.title).toBe(`Piso ${"á".repeat(495)}`);
  expect(clean?.address).toBe("calle \ufffd");
  expect(clean?.description).toBeNull();
});

test("FIND-04 warnings are read from the whole description, which is not kept itself", () => {
  const description = `${"Piso luminoso. ".repeat(60)} Alquiler de temporada.`;
  expect(cleaned(sampleListing({ description }))).toMatchObject({
    description: null,
    wording: {
      warnings: [{ kind: "seasonal", words: "Alquiler de temporada" }],
      textKey: expect.any(String),
    },
  });
});

test("an ordinary listing stays unchanged except for its description", () => {
  const listing = sampleListing();
  expect(cleaned(listing)).toEqual({ ...listing, description: null });
});

test("a listing without a valid code or price is dropped", () => {
  expect(cleaned(sampleListing({ propertyCode: "" }))).toBeUndefined();
  expect(cleaned(sampleListing({ propertyCode: "1".repeat(65) }))).toBeUndefined();
  expect(cleaned(sampleListing({ priceEur: Number.NaN }))).toBeUndefined();
});
