import type { Advert, Operation, PropertyType } from "./advert.ts";
import { drawAdvert, roundTo } from "./draw-advert.ts";
import { EventQueue } from "./event-queue.ts";
import { createGeography, type Geography, type Spot } from "./geography.ts";
import { createRandom, type Random } from "./random.ts";
import { Shelves } from "./shelves.ts";

interface MarketOptions {
  readonly seed: number;
  /** Adverts on the market at the start; arrivals and departures keep it near that. */
  readonly size: number;
  readonly newPerDay: number;
  readonly startsAt: number;
  /** "day": busy mornings, quiet nights. "flat": the same at every hour. */
  readonly rhythm: "day" | "flat";
}

export interface JournalEntry {
  readonly at: number;
  readonly deed: "published" | "renewed" | "readvertised" | "price-changed" | "withdrawn" | "restored";
  readonly code: string;
}

type MarketEvent =
  | { readonly at: number; readonly type: "arrival"; readonly schedule: number }
  | { readonly at: number; readonly type: "departure" | "price-cut"; readonly advert: Advert };

const DAY_MS = 86_400_000;
const FIRST_NEW_CODE = 110_000_000;
const JOURNAL_LIMIT = 100_000;
const WITHDRAWN_LIMIT = 20_000;
const SHARE_OF_RENEWALS = 0.04;
const SHARE_OF_READVERTS = 0.08;
const SHARE_WITH_A_PRICE_CUT = 0.25;
/** Arrivals by hour of the day in Madrid, 1 being the daily mean; the peak is below. */
const HOURLY = [
  0.2, 0.1, 0.1, 0.1, 0.1, 0.2, 0.4, 0.7, 1.1, 1.6, 1.9, 1.9, 1.8, 1.6, 1.1, 1.1, 1.4, 1.7, 1.7, 1.5, 1.2,
  1.1, 0.8, 0.6,
];
const PEAK_HOUR = Math.max(...HOURLY);
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

/** A living market: the same seed and the same clock give the same adverts, however it is read. */
export class Market {
  readonly geography: Geography = createGeography();
  readonly journal: JournalEntry[] = [];
  #options: MarketOptions;
  #random: Random;
  #controlRandom: Random;
  #shelves = new Shelves();
  #live = new Map<string, Advert>();
  #order: Advert[] = [];
  #places = new Map<Advert, number>();
  #withdrawn = new Map<string, Advert>();
  #events = new EventQueue<MarketEvent>();
  #spotBounds: { spot: Spot; upTo: number }[] = [];
  #now: number;
  #newPerDay: number;
  #arrivalSchedule = 0;
  #nextCode = FIRST_NEW_CODE;
  #nextDwelling = 1;
  #sequence = 0;

  constructor(options: MarketOptions) {
    this.#options = options;
    this.#now = options.startsAt;
    this.#newPerDay = options.newPerDay;
    this.#random = createRandom(options.seed);
    this.#controlRandom = createRandom(options.seed ^ 0x5e4e);
    let upTo = 0;
    for (const spot of this.geography.spots) {
      upTo += spot.weight;
      this.#spotBounds.push({ spot, upTo });
    }
    this.#stock();
    this.#scheduleArrival();
  }

  get now(): number {
    return this.#now;
  }

  get size(): number {
    return this.#live.size;
  }

  get newPerDay(): number {
    return this.#newPerDay;
  }

  setNewPerDay(newPerDay: number): void {
    this.#newPerDay = newPerDay;
    this.#scheduleArrival();
  }

  advanceTo(now: number): void {
    for (let event = this.#events.popDue(now); event !== undefined; event = this.#events.popDue(now)) {
      this.#now = Math.max(this.#now, event.at);
      this.#happen(event);
    }
    this.#now = Math.max(this.#now, now);
  }

  shelf(operation: Operation, propertyType: PropertyType, placeId: string): readonly Advert[] {
    return this.#shelves.read(operation, propertyType, placeId);
  }

  find(code: string): Advert | undefined {
    return this.#live.get(code);
  }

  isWithdrawn(code: string): boolean {
    return this.#withdrawn.has(code);
  }

  latest(limit: number): Advert[] {
    return [...this.#live.values()]
      .sort((a, b) => b.publishedAt - a.publishedAt || b.sequence - a.sequence)
      .slice(0, limit);
  }

  /** Draws an advert that is not on the market yet; `publish` puts it there. */
  draw(operation: Operation, propertyType: PropertyType, spot: Spot): Advert {
    return this.#draw(this.#controlRandom, { operation, propertyType, spot });
  }

  get controlRandom(): Random {
    return this.#controlRandom;
  }

  publish(advert: Advert): void {
    this.#enter(advert, this.#now, "published");
  }

  changePrice(advert: Advert, priceEur: number): void {
    advert.formerPriceEur = priceEur < advert.priceEur ? advert.priceEur : null;
    advert.priceEur = priceEur;
    advert.modifiedAt = this.#now;
    this.#note("price-changed", advert.code);
  }

  withdraw(advert: Advert): void {
    if (!this.#live.delete(advert.code)) {
      return;
    }
    this.#shelves.take(advert);
    this.#forgetOrder(advert);
    this.#withdrawn.set(advert.code, advert);
    if (this.#withdrawn.size > WITHDRAWN_LIMIT) {
      this.#withdrawn.delete(this.#withdrawn.keys().next().value ?? "");
    }
    this.#note("withdrawn", advert.code);
  }

  /** Brings a withdrawn advert back under its old code, as the portal does with reactivated ones. */
  restore(code: string): Advert | undefined {
    const advert = this.#withdrawn.get(code);
    if (advert !== undefined) {
      this.#withdrawn.delete(code);
      this.#enter(advert, this.#now, "restored");
    }
    return advert;
  }

  /** The same dwelling under a new code. */
  readvertise(advert: Advert, random: Random = this.#controlRandom): Advert {
    const again: Advert = {
      ...advert,
      code: this.#newCode(random),
      priceEur: random.chance(0.5)
        ? advert.priceEur
        : roundTo(advert.priceEur * random.between(0.97, 1.02), 10),
      formerPriceEur: null,
      reference: `R${random.integer(100, 99_999)}`,
      photoCount: random.integer(3, 55),
      traits: { ...advert.traits },
    };
    this.#enter(again, this.#now, "readvertised");
    return again;
  }

  #happen(event: MarketEvent): void {
    if (event.type === "arrival") {
      if (event.schedule === this.#arrivalSchedule) {
        this.#arrive();
        this.#scheduleArrival();
      }
    } else if (this.#live.get(event.advert.code) === event.advert) {
      if (event.type === "departure") {
        this.withdraw(event.advert);
      } else {
        const step = event.advert.operation === "sale" ? 1000 : 10;
        this.changePrice(
          event.advert,
          roundTo(event.advert.priceEur * this.#random.between(0.9, 0.97), step),
        );
      }
    }
  }

  #arrive(): void {
    const random = this.#random;
    if (this.#options.rhythm === "day" && !random.chance(hourlyWeight(this.#now) / PEAK_HOUR)) {
      return;
    }
    const roll = random.next();
    const standing = this.#order[random.integer(0, this.#order.length - 1)];
    if (standing !== undefined && roll < SHARE_OF_RENEWALS) {
      this.#shelves.take(standing);
      this.#forget(standing);
      this.#enter(standing, this.#now, "renewed");
    } else if (standing !== undefined && roll < SHARE_OF_RENEWALS + SHARE_OF_READVERTS) {
      this.readvertise(standing, random);
      if (random.chance(0.5)) {
        this.withdraw(standing);
      }
    } else {
      const [operation, propertyType] = random.weighted(MIX);
      this.#enter(
        this.#draw(random, { operation, propertyType, spot: this.#drawSpot() }),
        this.#now,
        "published",
      );
    }
  }

  #stock(): void {
    const { size, newPerDay, startsAt } = this.#options;
    const random = this.#random;
    const meanLife = meanLifeMs(size, newPerDay);
    const ages = Float64Array.from({ length: size }, () => random.exponential(meanLife))
      .sort()
      .reverse();
    this.#nextCode = FIRST_NEW_CODE - size * 6;
    const adverts = Array.from(ages, (age) => {
      const [operation, propertyType] = random.weighted(MIX);
      const advert = this.#draw(random, { operation, propertyType, spot: this.#drawSpot() });
      advert.publishedAt = startsAt - age;
      if (random.chance(0.004)) {
        advert.publishedAt = startsAt - random.between(0, 2 * DAY_MS);
      }
      return advert;
    });
    adverts.sort((a, b) => a.publishedAt - b.publishedAt);
    for (const advert of adverts) {
      this.#enter(advert, advert.publishedAt);
    }
  }

  #enter(advert: Advert, at: number, deed?: JournalEntry["deed"]): void {
    advert.publishedAt = at;
    advert.modifiedAt = at;
    advert.sequence = ++this.#sequence;
    this.#live.set(advert.code, advert);
    this.#places.set(advert, this.#order.push(advert) - 1);
    this.#shelves.put(advert);
    const life = this.#random.exponential(meanLifeMs(this.#options.size, this.#options.newPerDay));
    if (this.#options.newPerDay > 0) {
      this.#events.push({ at: this.#now + life, type: "departure", advert });
      if (this.#random.chance(SHARE_WITH_A_PRICE_CUT)) {
        this.#events.push({
          at: this.#now + life * this.#random.between(0.1, 0.9),
          type: "price-cut",
          advert,
        });
      }
    }
    if (deed !== undefined) {
      this.#note(deed, advert.code);
    }
  }

  #draw(random: Random, drawn: { operation: Operation; propertyType: PropertyType; spot: Spot }): Advert {
    return drawAdvert(random, {
      ...drawn,
      code: this.#newCode(random),
      dwelling: this.#nextDwelling++,
      at: this.#now,
    });
  }

  #drawSpot(): Spot {
    const last = this.#spotBounds.at(-1);
    if (last === undefined) {
      throw new Error("a market needs places");
    }
    const roll = this.#random.next() * last.upTo;
    return (this.#spotBounds.find((bound) => roll < bound.upTo) ?? last).spot;
  }

  #newCode(random: Random): string {
    this.#nextCode += random.integer(1, 9);
    return String(this.#nextCode);
  }

  #forget(advert: Advert): void {
    this.#live.delete(advert.code);
    this.#forgetOrder(advert);
  }

  #forgetOrder(advert: Advert): void {
    const place = this.#places.get(advert);
    const last = this.#order.pop();
    if (place !== undefined && last !== undefined && last !== advert) {
      this.#order[place] = last;
      this.#places.set(last, place);
    }
    this.#places.delete(advert);
  }

  #scheduleArrival(): void {
    this.#arrivalSchedule += 1;
    if (this.#newPerDay > 0) {
      const perDay = this.#newPerDay * (this.#options.rhythm === "day" ? PEAK_HOUR : 1);
      const at = this.#now + this.#random.exponential(DAY_MS / perDay);
      this.#events.push({ at, type: "arrival", schedule: this.#arrivalSchedule });
    }
  }

  #note(deed: JournalEntry["deed"], code: string): void {
    this.journal.push({ at: this.#now, deed, code });
    if (this.journal.length > JOURNAL_LIMIT) {
      this.journal.splice(0, JOURNAL_LIMIT / 10);
    }
  }
}

function meanLifeMs(size: number, newPerDay: number): number {
  return newPerDay > 0 ? (Math.max(size, 1) / newPerDay) * DAY_MS : 30 * DAY_MS;
}

function hourlyWeight(at: number): number {
  return HOURLY[(Math.floor(at / 3_600_000) + 1) % 24] ?? 1;
}
