/**
 * Filters that look in the same neighbourhood for about the same, as rows of whole numbers one after the
 * other. A pass over many filters waits for memory more than it computes: 32 bytes a row, read in line, is
 * what makes it fast.
 */
import type { Listing } from "./listing.ts";
import {
  ADMITS_MASK,
  ALTERNATIVE_MASKS,
  FEATURES_MASK,
  type ListingBits,
  type WishBits,
  wishBitsOf,
} from "./listing-bits.ts";
import type { Search } from "./search.ts";

const ROW_WIDTH = 8;
const MAX_PRICE = 1;
const MIN_PRICE = 2;
const MAX_AREA = 3;
const MIN_AREA = 4;
const ALTERNATIVES = 5;
const FEATURES = 6;
const OPEN_LIST = 7;

const FIRST_ROWS = 2;
/** Stands for "no limit"; a listing beyond it is taken to be at it. */
const GREATEST = 2_147_483_647;
/** In the place of an open list: the limits were rounded outwards to fit a row. */
const ROUNDED = -1;

const [HOME_TYPES_MASK = 0, BATHROOMS_MASK = 0, CONDITIONS_MASK = 0, FLOORS_MASK = 0] = ALTERNATIVE_MASKS;

/** What weighing a row comes to besides the features left open, as bits. Numbers, since it is done so often. */
const NO = -1;
/** The row may match, but the search itself must be judged. */
export const ASK = -2;

export class FilterCell<Id> {
  #ids: Id[] = [];
  #rows = new Int32Array(FIRST_ROWS * ROW_WIDTH);

  get count(): number {
    return this.#ids.length;
  }

  add(id: Id, slot: number, search: Search, openList: number): void {
    const at = (this.#ids.push(id) - 1) * ROW_WIDTH;
    if (at === this.#rows.length) {
      const longer = new Int32Array(this.#rows.length * 2);
      longer.set(this.#rows);
      this.#rows = longer;
    }
    const { alternatives, features } = wishBitsOf(search);
    const { minPriceEur, maxPriceEur, minAreaM2, maxAreaM2 } = search;
    const isExact = [minPriceEur, maxPriceEur, minAreaM2, maxAreaM2].every(fitsARow);
    this.#rows.set(
      [
        slot,
        upper(maxPriceEur),
        lower(minPriceEur),
        upper(maxAreaM2),
        lower(minAreaM2),
        alternatives,
        features,
        isExact ? openList : ROUNDED,
      ],
      at,
    );
  }

  /** The last row takes the place of the one that goes. */
  remove(slot: number): void {
    const last = this.count - 1;
    for (let row = 0; row <= last; row++) {
      if (this.slotAt(row) !== slot) continue;
      this.#rows.copyWithin(row * ROW_WIDTH, last * ROW_WIDTH, (last + 1) * ROW_WIDTH);
      this.#ids.copyWithin(row, last);
      this.#ids.length = last;
      return;
    }
  }

  idAt(row: number): Id {
    return this.#ids[row] as Id;
  }

  slotAt(row: number): number {
    return read(this.#rows, row * ROW_WIDTH);
  }

  openListAt(row: number): number {
    return read(this.#rows, row * ROW_WIDTH + OPEN_LIST);
  }

  /** Rows that may match, each followed by its answer. Bedrooms and place are the caller's to compare. */
  hits(weights: Weights): number[] {
    const hits: number[] = [];
    const rows = this.#rows;
    const { priceEur, areaM2 } = weights;
    const end = this.#ids.length * ROW_WIDTH;
    for (let at = 0; at < end; at += ROW_WIDTH) {
      if (priceEur > read(rows, at + MAX_PRICE) || priceEur < read(rows, at + MIN_PRICE)) continue;
      if (areaM2 > read(rows, at + MAX_AREA) || areaM2 < read(rows, at + MIN_AREA)) continue;
      const answer = weigh(read(rows, at + ALTERNATIVES), read(rows, at + FEATURES), weights);
      if (answer === NO) continue;
      hits.push(at / ROW_WIDTH, read(rows, at + OPEN_LIST) === ROUNDED ? ASK : answer);
    }
    return hits;
  }
}

/** What of a listing a row is weighed against. An area nobody stated is none of a number: no limit refuses it. */
export interface Weights {
  readonly priceEur: number;
  readonly areaM2: number;
  /** Area and bedrooms are stated, so that sure bits make a sure answer. */
  readonly isStated: boolean;
  readonly sure: WishBits;
  readonly possible: WishBits;
}

export function weightsOf({ priceEur, areaM2, rooms }: Listing, { sure, possible }: ListingBits): Weights {
  return {
    priceEur: Math.min(priceEur, GREATEST),
    areaM2: areaM2 ?? Number.NaN,
    isStated: areaM2 !== null && rooms !== null,
    sure,
    possible,
  };
}

function weigh(alternatives: number, features: number, { sure, possible, isStated }: Weights): number {
  if ((features & FEATURES_MASK & ~possible.features) !== 0) return NO;
  if (!areMet(alternatives & possible.alternatives, features & possible.features)) return NO;
  const isSure = isStated && areMet(alternatives & sure.alternatives, features & sure.features);
  return isSure ? features & FEATURES_MASK & ~sure.features : ASK;
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

function fitsARow(limit: number | null): boolean {
  return limit === null || (Number.isInteger(limit) && limit >= 0 && limit < GREATEST);
}

function upper(limit: number | null): number {
  return limit === null ? GREATEST : Math.min(GREATEST, Math.ceil(limit));
}

function lower(limit: number | null): number {
  return limit === null ? -GREATEST : Math.max(-GREATEST, Math.min(GREATEST, Math.floor(limit)));
}

function read(rows: Int32Array, at: number): number {
  return rows[at] as number;
}
