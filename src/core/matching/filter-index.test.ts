import { expect, test } from "vitest";
import { sampleListing } from "#test/fixtures/listing.ts";
import { type Search, searchFor, type Where } from "../search/search.ts";
import { createFilterIndex } from "./filter-index.ts";

const CHAMBERI: Where = { type: "place", placeId: "0-EU-ES-28-07-001-079-07" };
const rent = (wishes: Partial<Search> = {}): Search => ({
  ...searchFor("rent", "homes", CHAMBERI),
  ...wishes,
});

test("finding the filters of a listing returns those that match and those that may match", () => {
  const index = createFilterIndex<string>();
  index.put("plain", rent());
  index.put("too cheap", rent({ maxPriceEur: 1249 }));
  index.put("at the limit", rent({ maxPriceEur: 1250, bedrooms: [2] }));
  index.put("terrace", rent({ features: ["lift", "terrace"], rentalTypes: ["long-term"] }));
  index.put("elsewhere", { ...rent(), where: { type: "place", placeId: "0-EU-ES-08" } });
  index.put("to buy", searchFor("sale", "homes", CHAMBERI));
  expect(index.find(sampleListing()).sort()).toEqual(["at the limit", "plain", "terrace"]);
});

test("a changed filter is no longer found by its old search", () => {
  const index = createFilterIndex<string>();
  index.put("a", rent());
  index.put("b", rent());
  index.put("a", rent({ maxPriceEur: 100 }));
  expect(index.find(sampleListing())).toEqual(["b"]);
  index.put("a", rent());
  expect(index.find(sampleListing()).sort()).toEqual(["a", "b"]);
});

test("fractional limits and limits beyond 32 bits are compared exactly", () => {
  const index = createFilterIndex<string>();
  index.put("half a euro", rent({ maxPriceEur: 1250.5 }));
  index.put("beyond counting", rent({ minPriceEur: 3e9 }));
  expect(index.find(sampleListing({ priceEur: 1250.4 }))).toEqual(["half a euro"]);
  expect(index.find(sampleListing({ priceEur: 1250.6 }))).toEqual([]);
  expect(index.find(sampleListing({ priceEur: 2.9e9 }))).toEqual([]);
  expect(index.find(sampleListing({ priceEur: 3.1e9 }))).toEqual(["beyond counting"]);
});

test("an empty index finds nothing", () => {
  expect(createFilterIndex<string>().find(sampleListing())).toEqual([]);
});
