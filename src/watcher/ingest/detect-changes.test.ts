import fc from "fast-check";
import { expect, test } from "vitest";
import type { Listing } from "#core/listing/listing.ts";
import { sampleListing } from "#test/fixtures/listing.ts";
import { drawn } from "#test/seeded.ts";
import type { KnownListing } from "../rows/feed-memory.ts";
import { detectChanges, type FeedChanges, MISSES_UNTIL_GONE } from "./detect-changes.ts";

const listing = (propertyCode: string, priceEur = 1_000, fields: Partial<Listing> = {}): Listing =>
  sampleListing({ propertyCode, priceEur, ...fields });

/** A feed's memory as in the database. */
function createMemory() {
  const known = new Map<string, KnownListing>();
  let topRank = 0;
  const orderOf = () =>
    [...known]
      .filter(([, { goneAt }]) => goneAt === null)
      .toSorted(([, one], [, other]) => other.rank - one.rank)
      .map(([code]) => code);
  return {
    known,
    read(
      listings: readonly Listing[],
      isWhole = false,
      isReadToEnd = true,
      total: number | null = null,
    ): FeedChanges & { gone: string[] } {
      const order = orderOf();
      const ranks = new Map(order.map((code) => [code, known.get(code)?.rank ?? 0]));
      const memory = { known, order, isAll: true, ranks, topRank, isReadToEnd };
      const changes = detectChanges({ listings, isWhole, total }, memory);
      topRank = changes.topRank;
      for (const { propertyCode, priceEur, rank, factsKey } of changes.kept) {
        known.set(propertyCode, { priceEur, rank, factsKey, missed: 0, goneAt: null });
      }
      for (const { propertyCode, rank } of changes.moved) {
        const held = known.get(propertyCode);
        if (held) known.set(propertyCode, { ...held, rank });
      }
      return {
        ...changes,
        gone: miss(known, changes.missedAboveRank ?? Number.POSITIVE_INFINITY, codes(listings)),
      };
    },
  };
}

/** Newest first: the first has the highest code. */
const list = (from: number, to: number): Listing[] =>
  Array.from({ length: from - to + 1 }, (_, n) => listing(String(from - n)));
const without = (listings: readonly Listing[], ...left: number[]) =>
  listings.filter(({ propertyCode }) => !left.includes(Number(propertyCode)));

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

test("a listing is fresh once, changed at another price or with other facts, and duplicates count once", () => {
  const memory = createMemory();
  expect(codes(memory.read([listing("2"), listing("1"), listing("2")]).fresh)).toEqual(["2", "1"]);
  const second = memory.read([listing("3"), listing("2", 900), listing("1", 1_000, { rooms: 9 })]);
  expect(codes(second.fresh)).toEqual(["3"]);
  expect(second.changed).toEqual([
    { listing: listing("2", 900), formerPriceEur: 1_000, isCorrected: false },
    { listing: listing("1", 1_000, { rooms: 9 }), formerPriceEur: 1_000, isCorrected: true },
  ]);
});

test("COVER-03 a listing that moves up the list is not new, and those it passed are not missing", () => {
  const memory = createMemory();
  memory.read(list(50, 1));
  const renewed = [listing("1"), ...list(50, 2)];
  const changes = memory.read(renewed);
  expect([changes.fresh, changes.changed, changes.gone]).toEqual([[], [], []]);
  for (let i = 0; i < 5; i++) expect(memory.read(renewed.slice(0, 45)).gone).toEqual([]);
});

test.each([
  [100, 65],
  [80, 50],
  [110, 75],
])(
  "COVER-03 of %i listings the oldest %i are renewed in their order: those below them now are not gone",
  (length, count) => {
    const memory = createMemory();
    memory.read(list(length, 1), true, true, length);
    const renewed = [...list(count, 1), ...list(length, count + 1)];
    for (let n = 0; n < 5; n++)
      expect(memory.read(renewed.slice(0, 50), false, true, length).gone).toEqual([]);
    expect(memory.read(renewed, true, true, length).back).toEqual([]);
  },
);

test("COVER-03 the newest listings of a list that got shorter are gone after three readings", () => {
  const memory = createMemory();
  memory.read(list(100, 1), true, true, 100);
  const gone = [1, 2, 3].map(() => memory.read(list(65, 16), false, true, 65).gone.length);
  expect(gone).toEqual([0, 0, 35]);
});

test("a listing absent among others that kept their places is gone after three readings, and back when seen again", () => {
  const memory = createMemory();
  memory.read(list(60, 1));
  const partial = without(list(60, 11), 50);
  expect([memory.read(partial).gone, memory.read(partial).gone, memory.read(partial).gone]).toEqual([
    [],
    [],
    ["50"],
  ]);
  expect(memory.read(partial).gone).toEqual([]);
  expect(memory.read(list(60, 11)).back).toMatchObject([{ listing: { propertyCode: "50" } }]);
});

test("COVER-03 neighbours that swap places across the end of a reading for good are not gone", () => {
  const memory = createMemory();
  memory.read(list(100, 1));
  for (const [below, above] of [
    [51, 50],
    [53, 49],
    [52, 47],
  ] as const) {
    const page = [...without(list(100, 51), below), listing(String(above))];
    for (let i = 0; i < 5; i++) expect(memory.read(page).gone).toEqual([]);
    memory.read(list(100, 1));
  }
});

test("COVER-03 a listing that is withdrawn while others change places is gone after three readings, also if they end higher", () => {
  for (const [one, other] of [
    [40, 70],
    [62, 64],
    [20, 95],
    [38, 45],
  ] as const) {
    const memory = createMemory();
    memory.read(list(100, 1));
    const others: Readonly<Record<number, number>> = { [one]: other, [other]: one };
    const swapped = without(list(100, 11), 60).map(({ propertyCode: code }) =>
      listing(String(others[Number(code)] ?? code)),
    );
    const ends = [swapped.length, 60, 60, 60];
    expect(
      ends.map((end) => memory.read(swapped.slice(0, end)).gone),
      `${one} and ${other}`,
    ).toEqual([[], [], ["60"], []]);
  }
});

test("COVER-03 unknown listings below what the feed remembers are not fresh; between remembered ones they are", () => {
  const memory = createMemory();
  memory.read(list(50, 11), false, false);
  const changes = memory.read([...list(50, 31), listing("x"), ...list(30, 11), ...list(10, 5)], false, false);
  expect([codes(changes.fresh), codes(changes.older)]).toEqual([["x"], ["10", "9", "8", "7", "6", "5"]]);
});

test("listings below the end of a reading are not missing, unless the whole list was read", () => {
  const memory = createMemory();
  memory.read(list(3, 1));
  for (let i = 0; i < 4; i++) expect(memory.read(list(3, 2)).gone).toEqual([]);
  const whole = [1, 2, 3].map(() => memory.read(list(3, 2), true).gone);
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
