import type { Kind, Search } from "../search.ts";
import { KINDS } from "../search.ts";
import { LIMIT_WORDS, OLD_WORDS, WORD_GROUPS } from "./portal-words.ts";

export type FilterRepair = "old-word" | "zero-limit" | "repeated-word";

export interface ReadFilters {
  readonly wishes: Partial<Search>;
  readonly unknownTokens: readonly string[];
  readonly repairs: readonly FilterRepair[];
}

interface Meaning {
  readonly field: keyof Search;
  readonly takesSeveral: boolean;
  readonly value: string | number;
}

const GREATEST_LIMIT_DIGITS = 9;

const meanings = new Map<Kind, ReadonlyMap<string, Meaning>>(KINDS.map((kind) => [kind, meaningsFor(kind)]));
const limitFields = new Map<string, keyof Search>(LIMIT_WORDS);

/**
 * Parses the words of the filter segment. Unknown words, invalid numbers, and a second value where the portal takes one
 * are all kept as unknown, because only the portal knows what they do.
 */
export function readFilters(words: readonly string[], kind: Kind): ReadFilters {
  const wishes = new Map<keyof Search, (string | number)[] | string | number>();
  const unknown: string[] = [];
  const repairs = new Set<FilterRepair>();
  const distinct = new Set(words);
  if (distinct.size < words.length) repairs.add("repeated-word");
  for (const written of distinct) {
    const word = OLD_WORDS.get(written) ?? written;
    if (word !== written) repairs.add("old-word");
    const meaning = meanings.get(kind)?.get(word) ?? limitIn(word);
    if (meaning === "no-limit") repairs.add("zero-limit");
    else if (!meaning || !take(wishes, meaning)) unknown.push(word);
  }
  return { wishes: ordered(wishes), unknownTokens: unknown.sort(), repairs: [...repairs] };
}

function take(wishes: Map<keyof Search, (string | number)[] | string | number>, meaning: Meaning): boolean {
  const { field, value, takesSeveral } = meaning;
  const held = wishes.get(field);
  if (takesSeveral) {
    wishes.set(field, Array.isArray(held) ? [...held, value] : [value]);
    return true;
  }
  if (held !== undefined && held !== value) return false;
  wishes.set(field, value);
  return true;
}

function limitIn(word: string): Meaning | "no-limit" | undefined {
  const at = word.lastIndexOf("_");
  const field = limitFields.get(word.slice(0, at));
  const digits = word.slice(at + 1);
  if (!field || digits.length > GREATEST_LIMIT_DIGITS || !/^\d+$/.test(digits)) return undefined;
  const value = Number(digits);
  if (value > 0) return { field, takesSeveral: false, value };
  return field === "minPriceEur" || field === "minAreaM2" ? "no-limit" : undefined;
}

function ordered(wishes: Map<keyof Search, (string | number)[] | string | number>): Partial<Search> {
  const entries = [...wishes].map(([field, value]) => {
    if (!Array.isArray(value)) return [field, value];
    const vocabulary = WORD_GROUPS.filter((group) => group.field === field).flatMap((group) => group.values);
    return [
      field,
      vocabulary.filter((known, index) => value.includes(known) && vocabulary.indexOf(known) === index),
    ];
  });
  return Object.fromEntries(entries) as Partial<Search>;
}

function meaningsFor(kind: Kind): Map<string, Meaning> {
  const found = new Map<string, Meaning>();
  for (const { field, takesSeveral, values, words, kinds } of WORD_GROUPS) {
    if (!kinds.includes(kind)) continue;
    words.forEach((word, index) => {
      found.set(word, { field, takesSeveral, value: values[index] ?? "" });
    });
  }
  return found;
}
