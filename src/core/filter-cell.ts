/**
 * Filters that look in the same neighbourhood for about the same, as rows of numbers one after the other.
 * A plain array of numbers keeps them unboxed and in line, which is what makes a pass over them fast: reading
 * a search itself costs more than deciding by its row.
 */

import type { Listing } from "./listing.ts";
import {
  ADMITS_MASK,
  ALTERNATIVE_MASKS,
  FEATURES_MASK,
  type ListingBits,
  wishBitsOf,
} from "./listing-bits.ts";
import type { Search } from "./search.ts";

export type FilterCell = number[];

export const ROW_WIDTH = 8;
const MAX_PRICE = 1;
const MIN_PRICE = 2;
const MIN_AREA = 3;
const MAX_AREA = 4;
const ALTERNATIVES = 5;
const FEATURES = 6;
const OPEN_LIST = 7;

const [HOME_TYPES_MASK = 0, BATHROOMS_MASK = 0, CONDITIONS_MASK = 0, FLOORS_MASK = 0] = ALTERNATIVE_MASKS;

/** What weighing a row comes to besides the features left open, as bits. Numbers, since it is done so often. */
export const NO = -1;
/** The row may match, but the search itself must be judged. */
export const ASK = -2;

export function pushRow(cell: FilterCell, slot: number, search: Search, openList: number): void {
  const { alternatives, features } = wishBitsOf(search);
  cell.push(
    slot,
    search.maxPriceEur ?? Number.POSITIVE_INFINITY,
    search.minPriceEur ?? Number.NEGATIVE_INFINITY,
    search.minAreaM2 ?? Number.NEGATIVE_INFINITY,
    search.maxAreaM2 ?? Number.POSITIVE_INFINITY,
    alternatives,
    features,
    openList,
  );
}

/** The last row takes the place of the one that goes. */
export function removeRow(cell: FilterCell, slot: number): void {
  for (let at = 0; at < cell.length; at += ROW_WIDTH) {
    if (cell[at] !== slot) continue;
    cell.copyWithin(at, cell.length - ROW_WIDTH);
    cell.length -= ROW_WIDTH;
    return;
  }
}

export function slotAt(cell: FilterCell, at: number): number {
  return read(cell, at);
}

export function openListAt(cell: FilterCell, at: number): number {
  return read(cell, at + OPEN_LIST);
}

/** Bedrooms and place are the caller's to compare. */
export function weighRow(cell: FilterCell, at: number, listing: Listing, bits: ListingBits): number {
  const { priceEur, areaM2, rooms } = listing;
  if (priceEur > read(cell, at + MAX_PRICE) || priceEur < read(cell, at + MIN_PRICE)) return NO;
  if (areaM2 !== null && (areaM2 < read(cell, at + MIN_AREA) || areaM2 > read(cell, at + MAX_AREA)))
    return NO;
  const alternatives = read(cell, at + ALTERNATIVES);
  const features = read(cell, at + FEATURES);
  if ((features & FEATURES_MASK & ~bits.possible.features) !== 0) return NO;
  if (!areMet(alternatives & bits.possible.alternatives, features & bits.possible.features)) return NO;
  const isSure = areMet(alternatives & bits.sure.alternatives, features & bits.sure.features);
  return isSure && areaM2 !== null && rooms !== null ? features & FEATURES_MASK & ~bits.sure.features : ASK;
}

/** Of every group of alternatives one is met. */
function areMet(alternatives: number, features: number): boolean {
  return (
    (alternatives & HOME_TYPES_MASK) !== 0 &&
    (alternatives & BATHROOMS_MASK) !== 0 &&
    (alternatives & CONDITIONS_MASK) !== 0 &&
    (alternatives & FLOORS_MASK) !== 0 &&
    (features & ADMITS_MASK) !== 0
  );
}

function read(cell: FilterCell, at: number): number {
  return cell[at] as number;
}
