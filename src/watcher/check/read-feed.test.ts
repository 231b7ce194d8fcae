import { expect, test } from "vitest";
import type { Listing } from "#core/listing/listing.ts";
import { sampleListing } from "#test/fixtures/listing.ts";
import { usableOf } from "./read-feed.ts";

function pageOf(listing: Listing) {
  return { number: 1, end: null, listings: [listing], rejected: [], total: 1, hasIgnoredFilters: false };
}

const cleaned = (listing: Listing): Listing | undefined =>
  usableOf(pageOf(listing), { query: {} }).listings[0];

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

test("COVER-05 a listing whose text cannot be read is kept without it, and counted", () => {
  const broken = { ...sampleListing(), description: 42 as unknown as string };
  const { listings, defects } = usableOf(pageOf(broken), { query: {} });
  expect(listings).toMatchObject([
    { propertyCode: broken.propertyCode, description: null, wording: { warnings: [], textKey: null } },
  ]);
  expect(defects).toEqual([{ kind: "unread-listing", reason: "description", count: 1 }]);
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
