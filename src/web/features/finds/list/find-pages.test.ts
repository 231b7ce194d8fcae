import { expect, test } from "vitest";
import type { FoundHome } from "#core/finds/find.ts";
import {
  countOfFinds,
  type LoadedFinds,
  matchesFilter,
  newFindsOf,
  shownFinds,
  withFind,
  withNew,
  withoutFind,
  withReturned,
} from "./find-pages.ts";

/** Found this many minutes past twelve. */
const find = (id: string, minute: number, more: Partial<FoundHome> = {}): FoundHome =>
  ({
    listingId: id,
    homeId: `home ${id}`,
    foundAt: new Date(Date.UTC(2026, 10, 16, 12, minute)).toISOString(),
    mark: null,
    note: null,
    searchIds: [],
    leftOutBy: [],
    placeId: null,
    priceEur: null,
    ...more,
  }) as unknown as FoundHome;

const [a, b, c, d] = [find("a", 40), find("b", 30), find("c", 20), find("d", 10)];
const loaded: LoadedFinds = {
  pages: [
    { finds: [a, b], next: "1", count: 4, zones: [] },
    { finds: [c, d], next: null, count: null, zones: null },
  ],
  pageParams: [null, "1"],
};
const idsOf = (list: LoadedFinds, filter = {}) => shownFinds(list, filter).map(({ listingId }) => listingId);

test("FIND-01 a hidden home leaves the list and its count, keeps its position, and is in the list of hidden homes", () => {
  const hidden = withFind(loaded, b.homeId, { mark: "hidden" });
  expect([idsOf(hidden), countOfFinds(hidden, {})]).toEqual([["a", "c", "d"], 3]);
  expect(idsOf(hidden, { state: "hidden" })).toEqual(["a", "b", "c", "d"]);
  expect(idsOf(withFind(hidden, b.homeId, { mark: null }))).toEqual(["a", "b", "c", "d"]);
  expect(hidden.pages[1]).toBe(loaded.pages[1]);
});

test("FIND-01 new homes are those before the first known one; older homes that moved up are not new", () => {
  const [fresh, older] = [find("new", 50), find("old", 1)];
  expect(newFindsOf(loaded, [fresh, a, b, older])).toEqual([fresh]);
  expect(newFindsOf(loaded, [fresh])).toEqual([fresh]);
  const shown = withNew(loaded, [fresh, a]);
  expect([idsOf(shown), countOfFinds(shown, {})]).toEqual([["new", "a", "b", "c", "d"], 5]);
});

test("FIND-01 a home that returns is placed by its time, and a deleted one is removed", () => {
  const back = withReturned(loaded, find("e", 25));
  expect([idsOf(back), countOfFinds(back, {})]).toEqual([["a", "b", "e", "c", "d"], 5]);
  expect(withReturned(loaded, find("f", 5))).toBe(loaded);
  const gone = withoutFind(loaded, "c");
  expect([idsOf(gone), countOfFinds(gone, {})]).toEqual([["a", "b", "d"], 3]);
});

test("FIND-01 a home on two pages is shown once", () => {
  const twice = { ...loaded, pages: [...loaded.pages, { finds: [b], next: null, count: null, zones: null }] };
  expect(idsOf(twice)).toEqual(["a", "b", "c", "d"]);
});

test("FIND-01 a home matches a filter by its searches, its zone or a zone around it, and its price", () => {
  const home = find("a", 1, { searchIds: ["s"], placeId: "0-28-07", priceEur: 900 });
  expect(matchesFilter(home, { searchId: "s", zone: "0-28", minPriceEur: 900, maxPriceEur: 900 })).toBe(true);
  expect(matchesFilter(home, { searchId: "t" })).toBe(false);
  expect(matchesFilter(home, { zone: "0-2" })).toBe(false);
  expect(matchesFilter(home, { minPriceEur: 901 })).toBe(false);
  expect(matchesFilter(find("b", 1), { maxPriceEur: 900 })).toBe(false);
});

test("RULE-03 a home that rules left out does not join the list, unless another search found it or it is kept", () => {
  const rule = { on: "advertiser", is: "agency", act: "leave-out" } as const;
  const out = { ...a, leftOutBy: [{ searchId: "a", rule }] };
  expect(matchesFilter(out, {})).toBe(false);
  expect(matchesFilter({ ...out, searchIds: ["b"] }, {})).toBe(true);
  expect(matchesFilter({ ...out, mark: "kept" }, {})).toBe(true);
});
