import fc from "fast-check";
import { expect, test } from "vitest";
import type { Listing } from "#core/listing/listing.ts";
import { sampleListing } from "#test/fixtures/listing.ts";
import { drawn } from "#test/seeded.ts";
import { detectChanges, type FeedChanges, type KnownListing, MISSES_UNTIL_GONE } from "./detect-changes.ts";

const listing = (propertyCode: string, priceEur = 1_000): Listing =>
  sampleListing({ propertyCode, priceEur });

/** A feed's memory as in the database. */
function createMemory() {
  const known = new Map<string, KnownListing>();
  let topRank = 0;
  return {
    known,
    read(listings: readonly Listing[], isWhole = false): FeedChanges & { gone: string[] } {
      const changes = detectChanges({ listings, isWhole }, known, topRank);
      topRank = changes.topRank;
      for (const { propertyCode, priceEur, rank } of changes.kept) {
        known.set(propertyCode, { priceEur, rank, missed: 0, goneAt: null });
      }
      return {
        ...changes,
        gone: miss(known, changes.missedAboveRank ?? Number.POSITIVE_INFINITY, codes(listings)),
      };
    },
  };
}

function miss(known: Map<string, KnownListing>, aboveRank: number, met: readonly string[]): string[] {
  const absent = [...known].filter(
    ([code, { rank, goneAt }]) => goneAt === null && rank > aboveRank && !met.includes(code),
  );
  for (const [code, held] of absent) {
    const missed = held.missed + 1;
    known.set(code, { ...held, missed, goneAt: missed >= MISSES_UNTIL_GONE ? 1 : null });
  }
  return absent.map(([code]) => code).filter((code) => known.get(code)?.goneAt === 1);
}

const codes = (listings: readonly Listing[]) => listings.map(({ propertyCode }) => propertyCode);

test("a listing is fresh once, repriced at another price, and duplicates count once", () => {
  const memory = createMemory();
  expect(codes(memory.read([listing("2"), listing("1"), listing("2")]).fresh)).toEqual(["2", "1"]);
  const second = memory.read([listing("3"), listing("2", 900), listing("1")]);
  expect(codes(second.fresh)).toEqual(["3"]);
  expect(second.repriced).toEqual([{ listing: listing("2", 900), formerPriceEur: 1_000 }]);
});

test("a listing that moves up the list is not new, and those it passed are not missing", () => {
  const memory = createMemory();
  memory.read([listing("3"), listing("2"), listing("1")]);
  const renewed = memory.read([listing("1"), listing("3"), listing("2")]);
  expect([renewed.fresh, renewed.repriced, renewed.gone]).toEqual([[], [], []]);
  for (let i = 0; i < 5; i++) expect(memory.read([listing("1"), listing("3")]).gone).toEqual([]);
});

test("a listing absent between two seen ones is gone after three readings, and back when seen again", () => {
  const memory = createMemory();
  memory.read([listing("3"), listing("2"), listing("1")]);
  const without = [listing("3"), listing("1")];
  expect([memory.read(without).gone, memory.read(without).gone, memory.read(without).gone]).toEqual([
    [],
    [],
    ["2"],
  ]);
  expect(memory.read(without).gone).toEqual([]);
  expect(memory.read([listing("3"), listing("2"), listing("1")]).back).toMatchObject([
    { listing: { propertyCode: "2" } },
  ]);
});

test("listings below the end of a reading are not missing, unless the whole list was read", () => {
  const memory = createMemory();
  memory.read([listing("3"), listing("2"), listing("1")]);
  for (let i = 0; i < 4; i++) expect(memory.read([listing("3"), listing("2")]).gone).toEqual([]);
  const whole = [1, 2, 3].map(() => memory.read([listing("3"), listing("2")], true).gone);
  expect(whole).toEqual([[], [], ["1"]]);
});

const answer = fc.array(
  fc.record({ code: fc.integer({ min: 1, max: 30 }), price: fc.constantFrom(900, 1_000, 1_100) }),
  { maxLength: 25 },
);

test("WATCH-02 for any sequence of answers every listing is fresh exactly once", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(answer, fc.boolean()), { maxLength: 12 }), (answers) => {
      const memory = createMemory();
      const fresh: string[] = [];
      const met = new Set<string>();
      for (const [rows, isWhole] of answers) {
        const listings = rows.map(({ code, price }) => listing(String(code), price));
        fresh.push(...codes(memory.read(listings, isWhole).fresh));
        for (const code of codes(listings)) met.add(code);
      }
      expect(fresh.toSorted()).toEqual([...met].toSorted());
    }),
    drawn(500),
  );
});

test("for any reading a listing that was just seen is never gone, and ranks are unique", () => {
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 12 }), (answers) => {
      const memory = createMemory();
      for (const rows of answers) {
        const listings = rows.map(({ code, price }) => listing(String(code), price));
        const { gone } = memory.read(listings);
        expect(gone.filter((code) => codes(listings).includes(code))).toEqual([]);
        const ranks = [...memory.known.values()].map(({ rank }) => rank);
        expect(new Set(ranks).size).toBe(ranks.length);
      }
    }),
    drawn(300),
  );
});
