/**
 * Finds the filters that a listing may match without testing every filter. Filters are stored in cells by area, bedrooms
 * and maximum price. A listing visits only the cells whose filters could match it, and `mayMatch` decides there. If the
 * data of the listing cannot decide, the filter counts as found: an extra alert is better than a missed one.
 */
import { type DrawnArea, drawnAreaOf } from "../geo/drawn-area.ts";
import type { Listing } from "../listing/listing.ts";
import { findPlace, provinceOf } from "../places/places.ts";
import {
  BATHROOMS,
  BEDROOMS,
  FEATURES,
  HOME_TYPES,
  type Search,
  searchFor,
  type Where,
} from "../search/search.ts";
import { type ListingFacts, listingFactsOf } from "./listing-facts.ts";
import { bathroomsAnswer, drawnAnswer, mayMatch, whereAnswer } from "./match.ts";
import { featureAnswer, homeTypeAnswer } from "./match-home.ts";
import { provinceIdOfPath } from "./match-place.ts";

export interface FilterIndex<Id> {
  /** Adds a filter, or replaces the search of a known one. */
  put(id: Id, search: Search): void;
  /** The filters whose search does not rule the listing out, each once. */
  find(listing: Listing): Id[];
}

interface Filter<Id> {
  readonly id: Id;
  readonly search: Search;
  readonly minPriceEur: number;
  readonly maxPriceEur: number;
  readonly minAreaM2: number;
  readonly maxAreaM2: number;
  /** As bits; 0 if the search has no wish. */
  readonly homeTypes: number;
  readonly features: number;
  readonly bathrooms: number;
  /** It has wishes that these numbers and bits do not express. */
  readonly hasOtherWishes: boolean;
  /** Only for drawn areas. */
  readonly area: DrawnArea | undefined;
}

type Cell<Id> = Filter<Id>[];
/** By area key, then by bedrooms and price band. */
type MarketCells<Id> = Map<string, Map<number, Cell<Id>>>;

export function createFilterIndex<Id>(): FilterIndex<Id> {
  const markets = new Map<string, MarketCells<Id>>();
  const filters = new Map<Id, Filter<Id>>();

  function remove(id: Id): void {
    const filter = filters.get(id);
    const market = filter && markets.get(marketKey(filter.search));
    if (!filter || !market) return;
    const cellKey = cellKeyOf(filter.search);
    for (const key of keysOfWhere(filter.search.where)) {
      const cells = market.get(key);
      const cell = cells?.get(cellKey);
      cell?.splice(cell.indexOf(filter), 1);
      if (cell?.length === 0) cells?.delete(cellKey);
      if (cells?.size === 0) market.delete(key);
    }
  }

  return {
    put(id, search) {
      remove(id);
      const filter = filterOf(id, search);
      const market = held(markets, marketKey(search), () => new Map());
      const cellKey = cellKeyOf(search);
      for (const key of keysOfWhere(search.where)) {
        const cells = held(market, key, () => new Map<number, Cell<Id>>());
        held<number, Cell<Id>>(cells, cellKey, () => []).push(filter);
      }
      filters.set(id, filter);
    },
    find(listing) {
      const market = markets.get(marketKey(listing));
      return market ? findIn(market, listingFactsOf(listing)) : [];
    },
  };
}

function held<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}

function filterOf<Id>(id: Id, search: Search): Filter<Id> {
  return {
    id,
    search,
    minPriceEur: search.minPriceEur ?? 0,
    maxPriceEur: search.maxPriceEur ?? Number.POSITIVE_INFINITY,
    minAreaM2: search.minAreaM2 ?? 0,
    maxAreaM2: search.maxAreaM2 ?? Number.POSITIVE_INFINITY,
    homeTypes: bitsOf(HOME_TYPES, (type) => search.homeTypes.includes(type)),
    features: bitsOf(FEATURES, (feature) => search.features.includes(feature)),
    bathrooms: bitsOf(BATHROOMS, (count) => search.bathrooms.includes(count)),
    hasOtherWishes: [search.conditions, search.floors, search.admits].some(({ length }) => length > 0),
    area: search.where.type === "drawn" ? drawnAreaOf(search.where.rings) : undefined,
  };
}

function marketKey({ operation, kind }: Pick<Search, "operation" | "kind">): string {
  return `${operation} ${kind}`;
}

function findIn<Id>(market: MarketCells<Id>, facts: ListingFacts): Id[] {
  const found: Id[] = [];
  const prepared = preparedOf(facts);
  const mayBeIn = ({ area, search }: Filter<Id>) =>
    (area ? drawnAnswer(area, facts.listing) : whereAnswer(search, facts)) !== "no";
  for (const key of keysAround(facts)) visit(market.get(key), prepared, undefined, found);
  const compared = keysToCompare(facts);
  for (const key of compared) visit(market.get(key), prepared, mayBeIn, found);
  if (isFullyLocated(facts)) return found;
  // Without coordinates a drawn area is met in several tiles, but must be found once.
  const seen = new Set<Id>();
  const isFirst = (filter: Filter<Id>) => seen.size < seen.add(filter.id).size && mayBeIn(filter);
  for (const [key, cells] of market) {
    if (mayHold(key, facts) && !compared.includes(key)) visit(cells, prepared, isFirst, found);
  }
  return found;
}

function visit<Id>(
  cells: Map<number, Cell<Id>> | undefined,
  prepared: PreparedListing,
  /** Undefined if all filters of these cells include the location of the listing. */
  mayBeIn: ((filter: Filter<Id>) => boolean) | undefined,
  found: Id[],
): void {
  cells?.forEach((cell, cellKey) => {
    if ((cellKey & prepared.bedrooms) === 0 || cellKey >> BEDROOM_BITS < prepared.band) return;
    for (const filter of cell) {
      if (!rulesOut(filter, prepared) && (mayBeIn === undefined || mayBeIn(filter))) found.push(filter.id);
    }
  });
}

function rulesOut<Id>(
  filter: Filter<Id>,
  { facts, priceEur, areaM2, homeTypes, bathrooms, missingFeatures }: PreparedListing,
): boolean {
  if (priceEur > filter.maxPriceEur || priceEur < filter.minPriceEur) return true;
  if (areaM2 > filter.maxAreaM2 || areaM2 < filter.minAreaM2) return true;
  if ((filter.features & missingFeatures) !== 0) return true;
  if (filter.homeTypes !== 0 && (filter.homeTypes & homeTypes) === 0) return true;
  if (filter.bathrooms !== 0 && (filter.bathrooms & bathrooms) === 0) return true;
  return filter.hasOtherWishes && !mayMatch(filter.search, facts);
}

/** A listing prepared for comparison with many filters. */
interface PreparedListing {
  readonly facts: ListingFacts;
  readonly bedrooms: number;
  readonly band: number;
  /** NaN if not stated: no limit rules that out. */
  readonly priceEur: number;
  readonly areaM2: number;
  readonly homeTypes: number;
  readonly bathrooms: number;
  readonly missingFeatures: number;
}

function preparedOf(facts: ListingFacts): PreparedListing {
  const { listing } = facts;
  const market = searchFor(listing.operation, listing.kind, { type: "zones", codes: [] });
  return {
    facts,
    bedrooms: listing.rooms === null ? -1 : facts.bedroomBits | ANY_BEDROOMS,
    band: priceBand(listing.priceEur),
    priceEur: statedOf(listing.priceEur),
    areaM2: statedOf(listing.areaM2),
    homeTypes: bitsOf(HOME_TYPES, (type) => homeTypeAnswer(type, facts) !== "no"),
    bathrooms: bitsOf(BATHROOMS, (count) => bathroomsAnswer([count], listing) !== "no"),
    missingFeatures: bitsOf(FEATURES, (feature) => featureAnswer(feature, market, facts) === "no"),
  };
}

/** Sources write zero for what the advert does not state. */
function statedOf(amount: number | null): number {
  return amount !== null && amount > 0 ? amount : Number.NaN;
}

function bitsOf<Value>(values: readonly Value[], isSet: (value: Value) => boolean): number {
  return values.reduce((bits, value, index) => (isSet(value) ? bits | (1 << index) : bits), 0);
}

const ANY_BEDROOMS = 1 << BEDROOMS.length;
const BEDROOM_BITS = BEDROOMS.length + 1;
const LAST_BAND = 63;

function cellKeyOf({ bedrooms, maxPriceEur }: Search): number {
  const band = maxPriceEur === null ? LAST_BAND : priceBand(maxPriceEur);
  const bits = bitsOf(BEDROOMS, (count) => bedrooms.includes(count));
  return (band << BEDROOM_BITS) | (bits || ANY_BEDROOMS);
}

/** Three bands per octave. A higher price is never in a lower band. */
function priceBand(priceEur: number): number {
  return Math.min(LAST_BAND, Math.floor(Math.log2(Math.max(1, priceEur)) * 3));
}

/** Tiles of about two kilometres: most drawn areas cover a few. */
const TILE_DEGREES = 0.02;
const MOST_TILES = 100;
const ANYWHERE = "anywhere";
const WIDE = "drawn wide";

/** The keys under which a search is stored. A drawn area is stored under every tile it may reach. */
function keysOfWhere(where: Where): string[] {
  switch (where.type) {
    case "place":
      return [where.placeId];
    case "unlisted-place":
      return [unlistedKey(provinceIdOfPath(where.path))];
    case "drawn":
      return tileKeys(where.rings);
    default:
      return [ANYWHERE];
  }
}

function tileKeys(rings: readonly string[]): string[] {
  const { reach } = drawnAreaOf(rings);
  const [south, north] = [tileOf(reach.south), tileOf(reach.north)];
  const [west, east] = [tileOf(reach.west), tileOf(reach.east)];
  if ((north - south + 1) * (east - west + 1) > MOST_TILES) return [WIDE];
  const keys: string[] = [];
  for (let row = south; row <= north; row++) {
    for (let column = west; column <= east; column++) keys.push(tileKey(row, column));
  }
  return keys;
}

/** Keys of searches in a place that certainly contains the listing. */
function keysAround({ placeId }: ListingFacts): string[] {
  const keys: string[] = [];
  for (let id = placeId ?? ""; id !== ""; id = id.slice(0, Math.max(0, id.lastIndexOf("-")))) keys.push(id);
  return keys;
}

/** Keys of searches whose area must still be compared with the location of the listing. */
function keysToCompare({ placeId, listing }: ListingFacts): string[] {
  const { latitude, longitude } = listing;
  const keys = [ANYWHERE, WIDE, unlistedKey(null)];
  if (placeId !== null) keys.push(unlistedKey(provinceOf(placeId)?.id ?? null));
  if (latitude !== null && longitude !== null) keys.push(tileKey(tileOf(latitude), tileOf(longitude)));
  return [...new Set(keys)];
}

function isFullyLocated({ placeId, listing }: ListingFacts): boolean {
  const isPlaced = placeId !== null && findPlace(placeId)?.level === "barrio";
  return isPlaced && listing.latitude !== null && listing.longitude !== null;
}

/** Whether a listing without a known place or coordinates must also visit this key. */
function mayHold(key: string, { placeId, listing }: ListingFacts): boolean {
  if (key.startsWith("tile")) return listing.latitude === null || listing.longitude === null;
  if (key.startsWith("unlisted")) return placeId === null;
  if (key === ANYWHERE || key === WIDE) return false;
  return placeId === null || key.startsWith(`${placeId}-`);
}

function tileOf(degrees: number): number {
  return Math.floor(degrees / TILE_DEGREES);
}

function tileKey(row: number, column: number): string {
  return `tile ${row} ${column}`;
}

function unlistedKey(provinceId: string | null): string {
  return `unlisted ${provinceId ?? ""}`;
}
