import type { Advert, Operation, PropertyType } from "./advert.ts";
import { drawAdvert, roundTo } from "./draw-advert.ts";
import { placesAround, type Spot, stockedSpots } from "./places.ts";
import { createRandom, type Random } from "./random.ts";

interface MarketOptions {
  readonly seed: number;
  /** The initial number of adverts, spread over the last thirty days. */
  readonly size: number;
  /** For each new advert another one is withdrawn. */
  readonly newPerDay: number;
  readonly startsAt: number;
}

export interface MarketEvent {
  readonly at: number;
  readonly type: "published" | "renewed" | "readvertised" | "price-changed" | "withdrawn" | "restored";
  readonly code: string;
}

interface MarketState {
  readonly adverts: readonly Advert[];
  readonly withdrawn: ReadonlyMap<string, Advert>;
  readonly journal: readonly MarketEvent[];
  readonly now: number;
  readonly nextArrivalAt: number;
  readonly lastCode: number;
}

const DAY_MS = 86_400_000;
const SHARE_OF_RENEWALS = 0.04;
const PRICE_CUTS_FOR_EACH_NEW = 0.25;
const MIX: readonly (readonly [readonly [Operation, PropertyType], number])[] = [
  [["sale", "homes"], 54],
  [["rent", "homes"], 22],
  [["rent", "bedrooms"], 7],
  [["sale", "garages"], 4],
  [["rent", "garages"], 2],
  [["sale", "offices"], 1.5],
  [["rent", "offices"], 3],
  [["sale", "premises"], 3],
  [["rent", "premises"], 3.5],
];

/** The adverts and their changes, on request and by themselves at a steady rate. */
export class Market {
  readonly random: Random;
  readonly newPerDay: number;
  /** All that happened since the start. */
  readonly journal: MarketEvent[] = [];
  /** Oldest first. */
  #adverts: Advert[] = [];
  /** The same adverts by kind and containing place, so that a search reads one list instead of the whole market. */
  #lists = new Map<string, Advert[]>();
  #withdrawn = new Map<string, Advert>();
  #now: number;
  #nextArrivalAt: number;
  #lastCode = 100_000_000;

  constructor({ seed, size, newPerDay, startsAt }: MarketOptions) {
    this.random = createRandom(seed);
    this.newPerDay = newPerDay;
    for (let index = 0; index < size; index += 1) {
      this.#now = startsAt - (30 * DAY_MS * (size - index)) / size;
      this.#add(this.#drawAny());
    }
    this.#now = startsAt;
    this.#nextArrivalAt = startsAt + DAY_MS / newPerDay;
  }

  state(): MarketState {
    return {
      adverts: this.#adverts,
      withdrawn: this.#withdrawn,
      journal: this.journal,
      now: this.#now,
      nextArrivalAt: this.#nextArrivalAt,
      lastCode: this.#lastCode,
    };
  }

  takeUp(state: unknown): void {
    // Written by `state` of the same version.
    const { adverts, withdrawn, journal, now, nextArrivalAt, lastCode } = state as MarketState;
    this.#adverts = [];
    this.#lists = new Map();
    for (const advert of adverts) this.#add(advert);
    this.#withdrawn = new Map(withdrawn);
    this.journal.splice(0, this.journal.length, ...journal);
    this.#now = now;
    this.#nextArrivalAt = nextArrivalAt;
    this.#lastCode = lastCode;
  }

  get now(): number {
    return this.#now;
  }

  get size(): number {
    return this.#adverts.length;
  }

  advanceTo(now: number): void {
    while (this.#nextArrivalAt <= now) {
      this.#now = this.#nextArrivalAt;
      this.#arrive();
      this.#nextArrivalAt += DAY_MS / this.newPerDay;
    }
    this.#now = Math.max(this.#now, now);
  }

  /** The adverts of a place and kind, oldest first. */
  select(operation: Operation, propertyType: PropertyType, placeId: string): readonly Advert[] {
    return this.#lists.get(`${operation} ${propertyType} ${placeId}`) ?? [];
  }

  find(code: string): Advert | undefined {
    return this.#adverts.find((advert) => advert.code === code);
  }

  /** Newest first. */
  latest(limit: number): Advert[] {
    return this.#adverts.slice(-limit).reverse();
  }

  /** Draws an advert without publishing it. */
  draw(operation: Operation, propertyType: PropertyType, spot: Spot): Advert {
    return drawAdvert(this.random, { code: this.#newCode(), operation, propertyType, spot, at: this.#now });
  }

  publish(advert: Advert): void {
    this.#enter(advert, "published");
  }

  changePrice(advert: Advert, priceEur: number): void {
    advert.formerPriceEur = priceEur < advert.priceEur ? advert.priceEur : null;
    advert.priceEur = priceEur;
    advert.modifiedAt = this.#now;
    this.#note("price-changed", advert.code);
  }

  withdraw(advert: Advert): void {
    this.#remove(advert);
    this.#withdrawn.set(advert.code, advert);
    this.#note("withdrawn", advert.code);
  }

  /** Restores a withdrawn advert under its own code, as the newest. */
  restore(code: string): Advert | undefined {
    const advert = this.#withdrawn.get(code);
    if (advert !== undefined) {
      this.#withdrawn.delete(code);
      this.#enter(advert, "restored");
    }
    return advert;
  }

  /** Moves an old advert to the head of the list under its own code. */
  renew(advert: Advert): void {
    this.#remove(advert);
    this.#enter(advert, "renewed");
  }

  /** Two adverts of one minute change places in every list that has both. */
  swap(one: Advert, other: Advert): void {
    const others = new Set(this.#listsOf(other));
    for (const list of this.#listsOf(one).filter((list) => others.has(list))) {
      const [first, second] = [list.lastIndexOf(one), list.lastIndexOf(other)];
      if (first >= 0 && second >= 0) [list[first], list[second]] = [other, one];
    }
  }

  /** Advertises the same home under a new code. */
  readvertise(advert: Advert): Advert {
    const again = { ...advert, code: this.#newCode(), formerPriceEur: null };
    this.#enter(again, "readvertised");
    return again;
  }

  #arrive(): void {
    if (this.random.chance(SHARE_OF_RENEWALS)) {
      this.#withAny((advert) => this.renew(advert));
      return;
    }
    this.publish(this.#drawAny());
    this.#withAny((advert) => this.withdraw(advert));
    if (this.random.chance(PRICE_CUTS_FOR_EACH_NEW)) {
      this.#withAny((advert) => {
        const step = advert.operation === "sale" ? 1000 : 10;
        this.changePrice(advert, roundTo(advert.priceEur * this.random.between(0.9, 0.97), step));
      });
    }
  }

  #withAny(change: (advert: Advert) => void): void {
    const advert = this.#adverts[this.random.integer(0, this.#adverts.length - 1)];
    if (advert !== undefined) {
      change(advert);
    }
  }

  #drawAny(): Advert {
    const [operation, propertyType] = this.random.weighted(MIX);
    return this.draw(operation, propertyType, this.random.weighted(stockedSpots));
  }

  #newCode(): string {
    this.#lastCode += this.random.integer(1, 9);
    return String(this.#lastCode);
  }

  #enter(advert: Advert, type: MarketEvent["type"]): void {
    advert.publishedAt = this.#now;
    advert.modifiedAt = this.#now;
    this.#add(advert);
    this.#note(type, advert.code);
  }

  #add(advert: Advert): void {
    for (const list of this.#listsOf(advert)) {
      list.push(advert);
    }
  }

  #remove(advert: Advert): void {
    for (const list of this.#listsOf(advert)) {
      const index = list.lastIndexOf(advert);
      if (index >= 0) {
        list.splice(index, 1);
      }
    }
  }

  #listsOf({ operation, propertyType, spot }: Advert): Advert[][] {
    const ofPlaces = placesAround(spot.id).map((placeId) => {
      const key = `${operation} ${propertyType} ${placeId}`;
      const list = this.#lists.get(key) ?? [];
      this.#lists.set(key, list);
      return list;
    });
    return [this.#adverts, ...ofPlaces];
  }

  #note(type: MarketEvent["type"], code: string): void {
    this.journal.push({ at: this.#now, type, code });
  }
}
