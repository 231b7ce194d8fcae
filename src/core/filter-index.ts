/**
 * Finds the filters a listing is for without asking each. Filters stand in groups by what they look for and
 * where; a listing visits only the groups of the places it lies in. Inside a group the limits are columns of
 * numbers, which rule out most filters before any search is judged. The answers are those of `matches`.
 */
import { FilterColumns, type FoundFilters } from "./filter-columns.ts";
import type { Listing } from "./listing.ts";
import { factsOf, type ListingFacts } from "./listing-facts.ts";
import { provinceIdOfPath } from "./match-place.ts";
import { contains, provinceOf } from "./places.ts";
import type { Search } from "./search.ts";

export interface FilterIndex<Id> {
  readonly size: number;
  /** Adds a filter, or changes the search of one it holds. */
  put(id: Id, search: Search): void;
  remove(id: Id): boolean;
  find(listing: Listing): FoundFilters<Id>;
}

/** The filters for one operation and kind, by where they look. */
interface Market<Id> {
  readonly byPlace: Map<string, FilterColumns<Id>>;
  readonly byProvinceOfUnlisted: Map<string, FilterColumns<Id>>;
  readonly drawn: FilterColumns<Id>;
  readonly anywhere: FilterColumns<Id>;
}

export function createFilterIndex<Id>(): FilterIndex<Id> {
  const markets = new Map<string, Market<Id>>();
  const homes = new Map<Id, FilterColumns<Id>>();

  function remove(id: Id): boolean {
    const home = homes.get(id);
    if (!home) return false;
    home.remove(id);
    return homes.delete(id);
  }

  return {
    get size() {
      return homes.size;
    },
    put(id, search) {
      remove(id);
      const key = `${search.operation} ${search.kind}`;
      const market = markets.get(key) ?? createMarket<Id>();
      markets.set(key, market);
      const home = homeOf(market, search);
      home.add(id, search);
      homes.set(id, home);
    },
    remove,
    find(listing) {
      const found: FoundFilters<Id> = { matching: [], undecided: [] };
      const market = markets.get(`${listing.operation} ${listing.kind}`);
      if (market) search(market, factsOf(listing), found);
      return found;
    },
  };
}

function createMarket<Id>(): Market<Id> {
  return {
    byPlace: new Map(),
    byProvinceOfUnlisted: new Map(),
    drawn: new FilterColumns(),
    anywhere: new FilterColumns(),
  };
}

function homeOf<Id>(market: Market<Id>, { where }: Search): FilterColumns<Id> {
  switch (where.type) {
    case "place":
      return columnsAt(market.byPlace, where.placeId);
    case "unlisted-place":
      return columnsAt(market.byProvinceOfUnlisted, provinceIdOfPath(where.path) ?? "");
    case "drawn":
      return market.drawn;
    default:
      return market.anywhere;
  }
}

function search<Id>(market: Market<Id>, facts: ListingFacts, found: FoundFilters<Id>): void {
  const { placeId } = facts;
  for (const columns of surroundingPlaces(market, placeId)) columns.find(facts, found, true);
  // A listing known only by its town may lie in any district of it that a filter asks for.
  for (const [id, columns] of market.byPlace) {
    const isInside = placeId === null || (id.length > placeId.length && contains(placeId, id));
    if (isInside) columns.find(facts, found, false);
  }
  const provinceId = placeId === null ? undefined : (provinceOf(placeId)?.id ?? "");
  for (const [id, columns] of market.byProvinceOfUnlisted) {
    if (provinceId === undefined || id === "" || id === provinceId) columns.find(facts, found, false);
  }
  market.drawn.find(facts, found, false);
  market.anywhere.find(facts, found, false);
}

/** The groups of the place and of every place around it, whose ids are the beginnings of its own. */
function* surroundingPlaces<Id>(market: Market<Id>, placeId: string | null): Iterable<FilterColumns<Id>> {
  for (let id = placeId ?? ""; id !== ""; id = id.slice(0, Math.max(0, id.lastIndexOf("-")))) {
    const columns = market.byPlace.get(id);
    if (columns) yield columns;
  }
}

function columnsAt<Id>(map: Map<string, FilterColumns<Id>>, key: string): FilterColumns<Id> {
  const columns = map.get(key) ?? new FilterColumns<Id>();
  map.set(key, columns);
  return columns;
}
