import type { Advert, Operation, PropertyType } from "./advert.ts";
import { ancestorsOf } from "./geography.ts";

/** Everywhere: the shelf for searches by a centre and a distance alone. */
export const ANYWHERE = "0-EU-ES";

/**
 * Live adverts filed under every place that contains them, oldest first, so that a search reads one array
 * and "since" is a binary search.
 */
export class Shelves {
  #shelves = new Map<string, Advert[]>();
  /** The shelves of one spot, looked up at every coming and going. */
  #homes = new Map<string, Advert[][]>();

  read(operation: Operation, propertyType: PropertyType, placeId: string): readonly Advert[] {
    return this.#shelves.get(`${operation}|${propertyType}|${placeId}`) ?? [];
  }

  put(advert: Advert): void {
    for (const shelf of this.#shelvesOf(advert)) {
      const last = shelf.at(-1);
      if (last === undefined || compareAge(last, advert) <= 0) {
        shelf.push(advert);
      } else {
        shelf.splice(positionOf(shelf, advert), 0, advert);
      }
    }
  }

  take(advert: Advert): void {
    for (const shelf of this.#shelvesOf(advert)) {
      const position = positionOf(shelf, advert);
      if (shelf[position] === advert) {
        shelf.splice(position, 1);
      }
    }
  }

  #shelvesOf(advert: Advert): Advert[][] {
    const home = `${advert.operation}|${advert.propertyType}|${advert.spot.id}`;
    const known = this.#homes.get(home);
    if (known !== undefined) {
      return known;
    }
    const shelves = [ANYWHERE, ...ancestorsOf(advert.spot.id)].map((placeId) => {
      const key = `${advert.operation}|${advert.propertyType}|${placeId}`;
      const shelf = this.#shelves.get(key) ?? [];
      this.#shelves.set(key, shelf);
      return shelf;
    });
    this.#homes.set(home, shelves);
    return shelves;
  }
}

/** How many of the shelf were published before that moment. */
export function countBefore(shelf: readonly Advert[], moment: number): number {
  return lowerBound(shelf, (advert) => advert.publishedAt >= moment);
}

function positionOf(shelf: readonly Advert[], advert: Advert): number {
  return lowerBound(shelf, (other) => compareAge(other, advert) >= 0);
}

function compareAge(a: Advert, b: Advert): number {
  return a.publishedAt - b.publishedAt || a.sequence - b.sequence;
}

function lowerBound(shelf: readonly Advert[], isAtOrAfter: (advert: Advert) => boolean): number {
  let low = 0;
  let high = shelf.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const advert = shelf[middle];
    if (advert !== undefined && !isAtOrAfter(advert)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
