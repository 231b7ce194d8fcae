import { drawnAreaOf, HIDDEN_ADDRESS_TOLERANCE_M, widened } from "./drawn-area.ts";
import type { ListingFacts } from "./listing-facts.ts";
import { isPlain, judge } from "./match.ts";
import type { Search } from "./search.ts";
import type { Undecided } from "./verdict.ts";

export interface FoundFilters<Id> {
  readonly matching: Id[];
  /** Filters the listing may be for; what is open, and who can tell. */
  readonly undecided: { readonly id: Id; readonly undecided: readonly Undecided[] }[];
}

const FIRST_CAPACITY = 4;
const LIMITS = 4;
const BOX = 4;
const BITS = 3;
const ALL_BITS = 0xff;

/**
 * Filters side by side, their limits in columns of numbers: one pass over those leaves few to judge.
 * A filter removed gives its row to the last one, so rows stay dense and keep no order.
 */
export class FilterColumns<Id> {
  #ids: Id[] = [];
  #searches: Search[] = [];
  #rows = new Map<Id, number>();
  /** Four a row: least and greatest price, least and greatest area. */
  #limits = new Float64Array(FIRST_CAPACITY * LIMITS);
  /** Three a row: bedrooms, bathrooms, and whether limits and place are all that is asked. */
  #bits = new Uint8Array(FIRST_CAPACITY * BITS);
  /** Four a row, drawings only: the box outside which no listing can match. */
  #boxes: Float64Array | undefined;

  add(id: Id, search: Search): void {
    const row = this.#ids.push(id) - 1;
    this.#searches.push(search);
    this.#rows.set(id, row);
    this.#makeRoom();
    this.#write(row, search);
  }

  remove(id: Id): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    this.#rows.delete(id);
    const lastId = this.#ids.pop();
    const lastSearch = this.#searches.pop();
    if (row === this.#ids.length || lastId === undefined || !lastSearch) return;
    this.#ids[row] = lastId;
    this.#searches[row] = lastSearch;
    this.#rows.set(lastId, row);
    this.#write(row, lastSearch);
  }

  /** `isInPlace`: every filter here looks in a place the listing is known to lie in. */
  find(facts: ListingFacts, found: FoundFilters<Id>, isInPlace: boolean): void {
    const { areaM2, rooms, bathrooms } = facts.listing;
    const isDecidedByColumns = isInPlace && areaM2 !== null && rooms !== null && bathrooms !== null;
    for (const row of this.#rowsWithinLimits(facts)) {
      const id = this.#ids[row];
      const search = this.#searches[row];
      if (id === undefined || !search) continue;
      if (isDecidedByColumns && this.#bits[row * BITS + 2] === 1) {
        found.matching.push(id);
        continue;
      }
      const verdict = judge(search, facts);
      if (verdict.answer === "yes") found.matching.push(id);
      else if (verdict.answer === "cannot-tell") found.undecided.push({ id, undecided: verdict.undecided });
    }
  }

  #rowsWithinLimits(facts: ListingFacts): number[] {
    const { priceEur, areaM2, rooms, bathrooms } = facts.listing;
    const bedroomBits = rooms === null ? ALL_BITS : facts.bedroomBits;
    const bathroomBits = bathrooms === null ? ALL_BITS : 1 << Math.min(bathrooms, 3);
    const limits = this.#limits;
    const bits = this.#bits;
    const within: number[] = [];
    for (let row = 0; row < this.#ids.length; row++) {
      const at = row * LIMITS;
      if (priceEur < Number(limits[at]) || priceEur > Number(limits[at + 1])) continue;
      if (!(Number(bits[row * BITS]) & bedroomBits)) continue;
      if (!(Number(bits[row * BITS + 1]) & bathroomBits)) continue;
      if (areaM2 !== null && (areaM2 < Number(limits[at + 2]) || areaM2 > Number(limits[at + 3]))) continue;
      within.push(row);
    }
    return this.#boxes ? within.filter((row) => this.#isInBox(row, facts)) : within;
  }

  #isInBox(row: number, { listing: { latitude, longitude } }: ListingFacts): boolean {
    if (latitude === null || longitude === null || !this.#boxes) return true;
    const [south = 0, north = 0, west = 0, east = 0] = this.#boxes.subarray(row * BOX, row * BOX + BOX);
    return latitude >= south && latitude <= north && longitude >= west && longitude <= east;
  }

  #write(row: number, search: Search): void {
    this.#limits.set(
      [
        search.minPriceEur ?? Number.NEGATIVE_INFINITY,
        search.maxPriceEur ?? Number.POSITIVE_INFINITY,
        search.minAreaM2 ?? Number.NEGATIVE_INFINITY,
        search.maxAreaM2 ?? Number.POSITIVE_INFINITY,
      ],
      row * LIMITS,
    );
    this.#bits.set([bitsOf(search.bedrooms), bitsOf(search.bathrooms), isPlain(search) ? 1 : 0], row * BITS);
    if (search.where.type !== "drawn") return;
    this.#boxes ??= new Float64Array((this.#limits.length / LIMITS) * BOX);
    const box = widened(drawnAreaOf(search.where.rings).box, HIDDEN_ADDRESS_TOLERANCE_M);
    this.#boxes.set([box.south, box.north, box.west, box.east], row * BOX);
  }

  #makeRoom(): void {
    const capacity = this.#limits.length / LIMITS;
    if (this.#ids.length <= capacity) return;
    const wanted = Math.ceil(capacity * 1.5);
    this.#limits = copied(this.#limits, new Float64Array(wanted * LIMITS));
    this.#bits = copied(this.#bits, new Uint8Array(wanted * BITS));
    if (this.#boxes) this.#boxes = copied(this.#boxes, new Float64Array(wanted * BOX));
  }
}

function copied<Column extends Float64Array | Uint8Array>(from: Column, into: Column): Column {
  into.set(from);
  return into;
}

/** No wish is every bit: a count outside the boxes, such as no bathroom at all, passes too. */
function bitsOf(counts: readonly number[]): number {
  return counts.length === 0 ? ALL_BITS : counts.reduce((bits, count) => bits | (1 << count), 0);
}
