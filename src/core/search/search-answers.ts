/** A search by questions instead of a link. The website and the bot ask the same ones and write the same links. */
import { normaliseSearch } from "./normalise-search.ts";
import { BEDROOMS, type Bedrooms, type Operation, type Search, searchFor, type Where } from "./search.ts";

export interface SearchAnswers {
  readonly operation: Operation;
  readonly where: Where;
  /** Null: the price does not matter. */
  readonly maxPriceEur: number | null;
  /** Empty: the number does not matter. */
  readonly bedrooms: readonly Bedrooms[];
}

export interface AnsweredSearch {
  readonly search: Search;
  readonly url: string;
}

export function searchOfAnswers({ operation, where, maxPriceEur, bedrooms }: SearchAnswers): AnsweredSearch {
  const search = {
    ...searchFor(operation, "homes", where),
    maxPriceEur,
    bedrooms: BEDROOMS.filter((count) => bedrooms.includes(count)),
  };
  return { search, url: normaliseSearch(search).canonicalUrl };
}

/** The portal's own limit in its price field. */
const HIGHEST_PRICE = 99_999_999;
const LONGEST_PRICE = 30;
const WHOLE_NUMBER = /^\d+$|^\d{1,3}(?:[.,' ]\d{3})+$/;

/** Whole euros, "1200" or "1.200 €". Null for an empty text or 0: no limit. Undefined for anything else. */
export function parsePrice(typed: string): number | null | undefined {
  if (typed.length > LONGEST_PRICE) return undefined;
  const number = typed
    .replace(/\s+/g, " ")
    .replace(/€|\beur(?:os?)?\b/gi, "")
    .trim();
  if (number === "") return typed.trim() === "" ? null : undefined;
  if (!WHOLE_NUMBER.test(number)) return undefined;
  const price = Number(number.replace(/\D/g, ""));
  return price <= HIGHEST_PRICE ? price || null : undefined;
}
