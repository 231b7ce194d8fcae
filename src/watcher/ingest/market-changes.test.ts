import { expect, test } from "vitest";
import { sampleListing } from "#test/fixtures/listing.ts";
import { factsKeyOf } from "./facts-key.ts";
import { marketChangesOf } from "./market-changes.ts";

const day = (n: number) => new Date(Date.UTC(2027, 0, n));
const listing = sampleListing({ propertyCode: "1" });

test.each([
  ["before the feed was followed", "official", [], 4, []],
  ["after the feed was followed", "official", [], 6, [listing]],
  [
    "before, in a list of wishes that the source applies",
    "official",
    [{ parameter: "terrace" }],
    4,
    [listing],
  ],
  ["before, in a list by link", "by-url", [], 4, [listing]],
] as const)(
  "COVER-03 an advert between known ones, which another feed saw %s, is new only if this list did not have it",
  (_, source, filters, listedOn, fresh) => {
    const met = {
      ...{ listing, factsKey: factsKeyOf(listing), listedBy: day(listedOn) },
      ...{ goneAt: null, formerListing: null },
    };
    const feed = { source, query: { filters }, coveredFrom: day(5), coveredAt: day(9) };
    const changes = { fresh: [listing], atTop: new Set<string>(), changed: [], back: [] };
    expect(marketChangesOf(changes, new Map([["1", met]]), feed).fresh).toEqual(fresh);
  },
);
