/**
 * Finds the filters a listing is for without asking each. Filters stand in cells by where they look, the
 * bedrooms they want and the most they pay; a listing visits only the cells that could hold filters for it,
 * and numbers decide most of those. The answers are those of `matches`.
 */
import { type DrawnArea, drawnAreaOf } from "./drawn-area.ts";
import { ASK, FilterCell, type Weights, weightsOf } from "./filter-cell.ts";
import { keysAround, keysOfWhere, keysToCompare, mayHold } from "./filter-keys.ts";
import type { Listing } from "./listing.ts";
import { listingBitsOf, wishBitsOf } from "./listing-bits.ts";
import { factsOf, type ListingFacts } from "./listing-facts.ts";
import { drawnOpinion, judge, whereOpinion } from "./match.ts";
import { OpenLists } from "./open-lists.ts";
import { findPlace } from "./places.ts";
import type { Search } from "./search.ts";
import type { Opinion, Undecided } from "./verdict.ts";

export interface FilterIndex<Id> {
  readonly size: number;
  /** Adds a filter, or changes the search of one it holds. */
  put(id: Id, search: Search): void;
  remove(id: Id): boolean;
  find(listing: Listing): FoundFilters<Id>;
}

export interface FoundFilters<Id> {
  readonly matching: Id[];
  /** Filters the listing may be for; what is open, and who can tell. */
  readonly undecided: { readonly id: Id; readonly undecided: readonly Undecided[] }[];
}

/** The filters for one operation and kind. */
interface Market<Id> {
  /** By neighbourhood, then by bedrooms and price band. */
  readonly cells: Map<string, Map<number, FilterCell<Id>>>;
  /** By slot; a row of a cell names its slot. */
  readonly searches: (Search | undefined)[];
  /** Drawings only. The way to one through its search is long, and taken often. */
  readonly areas: (DrawnArea | undefined)[];
  readonly freeSlots: number[];
  readonly openLists: OpenLists;
}

interface Visit<Id> {
  readonly market: Market<Id>;
  readonly facts: ListingFacts;
  readonly weights: Weights;
  /** The bedroom boxes the listing may fall under, as bits. */
  readonly bedrooms: number;
  readonly found: FoundFilters<Id>;
  /** The filters visited look in a place the listing is known to lie in. */
  readonly isInPlace: boolean;
  /** Slots met before, where a filter can be met twice. */
  readonly seen?: Set<number>;
}

const BEDROOM_BITS = 6;
const LAST_BAND = 63;

export function createFilterIndex<Id>(): FilterIndex<Id> {
  const markets = new Map<string, Market<Id>>();
  const searches = new Map<Id, { readonly slot: number; readonly search: Search }>();

  function remove(id: Id): boolean {
    const held = searches.get(id);
    const market = held && markets.get(marketKey(held.search));
    if (!held || !market) return false;
    removeFilter(market, held.slot, held.search);
    return searches.delete(id);
  }

  return {
    get size() {
      return searches.size;
    },
    put(id, search) {
      remove(id);
      const key = marketKey(search);
      const market = markets.get(key) ?? createMarket<Id>(search);
      markets.set(key, market);
      searches.set(id, { slot: addFilter(market, id, search), search });
    },
    remove,
    find(listing) {
      const found: FoundFilters<Id> = { matching: [], undecided: [] };
      const market = markets.get(marketKey(listing));
      if (!market) return found;
      const facts = factsOf(listing);
      const bits = listingBitsOf(facts);
      const weights = weightsOf(listing, bits);
      visitAll({ market, facts, weights, bedrooms: bits.possible.bedrooms, found, isInPlace: true });
      return found;
    },
  };
}

function createMarket<Id>(search: Search): Market<Id> {
  return {
    cells: new Map(),
    searches: [],
    areas: [],
    freeSlots: [],
    openLists: new OpenLists(search),
  };
}

function marketKey({ operation, kind }: Pick<Search, "operation" | "kind">): string {
  return `${operation} ${kind}`;
}

function addFilter<Id>(market: Market<Id>, id: Id, search: Search): number {
  const slot = market.freeSlots.pop() ?? market.searches.length;
  market.searches[slot] = search;
  market.areas[slot] = search.where.type === "drawn" ? drawnAreaOf(search.where.rings) : undefined;
  const openList = market.openLists.numberOf(search);
  const cellKey = cellKeyOf(search);
  for (const key of keysOfWhere(search.where)) {
    const cells = market.cells.get(key) ?? new Map<number, FilterCell<Id>>();
    market.cells.set(key, cells);
    const cell = cells.get(cellKey) ?? new FilterCell<Id>();
    cells.set(cellKey, cell);
    cell.add(id, slot, search, openList);
  }
  return slot;
}

function removeFilter<Id>(market: Market<Id>, slot: number, search: Search): void {
  market.searches[slot] = undefined;
  market.areas[slot] = undefined;
  market.freeSlots.push(slot);
  const cellKey = cellKeyOf(search);
  for (const key of keysOfWhere(search.where)) {
    const cells = market.cells.get(key);
    const cell = cells?.get(cellKey);
    if (!cells || !cell) continue;
    cell.remove(slot);
    if (cell.count === 0) cells.delete(cellKey);
    if (cells.size === 0) market.cells.delete(key);
  }
}

function visitAll<Id>(sure: Visit<Id>): void {
  const { facts, market } = sure;
  for (const key of keysAround(facts)) visitCells(sure, market.cells.get(key));
  const unsure = { ...sure, isInPlace: false };
  const compared = keysToCompare(facts);
  for (const key of compared) visitCells(unsure, market.cells.get(key));
  if (isFullyLocated(facts)) return;
  // Without a point to compare, a drawing is met in several tiles and must be found once.
  const careful = { ...unsure, seen: new Set<number>() };
  for (const [key, cells] of market.cells) {
    if (mayHold(key, facts) && !compared.includes(key)) visitCells(careful, cells);
  }
}

function isFullyLocated({ placeId, listing }: ListingFacts): boolean {
  const isPlaced = placeId !== null && findPlace(placeId)?.level === "barrio";
  return isPlaced && listing.latitude !== null && listing.longitude !== null;
}

function visitCells<Id>(visit: Visit<Id>, cells: Map<number, FilterCell<Id>> | undefined): void {
  if (!cells) return;
  const band = priceBand(visit.facts.listing.priceEur);
  for (const [cellKey, cell] of cells) {
    const mayMatch = (cellKey & visit.bedrooms) !== 0 && cellKey >> BEDROOM_BITS >= band;
    if (mayMatch) visitRows(visit, cell);
  }
}

function visitRows<Id>(visit: Visit<Id>, cell: FilterCell<Id>): void {
  const { seen } = visit;
  const hits = cell.hits(visit.weights);
  for (let i = 0; i < hits.length; i += 2) {
    const row = hits[i] as number;
    const answer = hits[i + 1] as number;
    if (seen && !isFirst(seen, cell.slotAt(row))) continue;
    if (answer === ASK) takeJudged(visit, cell.idAt(row), cell.slotAt(row));
    else takeDecided(visit, cell, row, answer);
  }
}

function isFirst(seen: Set<number>, slot: number): boolean {
  return seen.size < seen.add(slot).size;
}

function takeJudged<Id>({ market, facts, found }: Visit<Id>, id: Id, slot: number): void {
  const search = market.searches[slot];
  if (!search) return;
  const verdict = judge(search, facts);
  if (verdict.answer === "yes") found.matching.push(id);
  else if (verdict.answer === "cannot-tell") found.undecided.push({ id, undecided: verdict.undecided });
}

/** Takes a filter of which only the place, some features and what no answer states can be open. */
function takeDecided<Id>(visit: Visit<Id>, cell: FilterCell<Id>, row: number, openFeatures: number): void {
  const { market, facts, found, isInPlace } = visit;
  const where = isInPlace ? "yes" : whereOf(market, cell.slotAt(row), facts);
  if (where === "no") return;
  const open = market.openLists.listOf(cell.openListAt(row), openFeatures);
  const undecided = where === "yes" ? open : [where, ...open];
  const id = cell.idAt(row);
  if (undecided.length === 0) found.matching.push(id);
  else found.undecided.push({ id, undecided });
}

function whereOf<Id>({ areas, searches }: Market<Id>, slot: number, facts: ListingFacts): Opinion {
  const area = areas[slot];
  if (area) return drawnOpinion(area, facts.listing);
  const search = searches[slot];
  return search ? whereOpinion(search, facts) : "no";
}

function cellKeyOf(search: Search): number {
  const band = search.maxPriceEur === null ? LAST_BAND : priceBand(search.maxPriceEur);
  return (band << BEDROOM_BITS) | wishBitsOf(search).bedrooms;
}

/** Three bands an octave; all that counts is that a higher price is never in a lower band. */
function priceBand(priceEur: number): number {
  return Math.min(LAST_BAND, Math.floor(Math.log2(Math.max(1, priceEur)) * 3));
}
