/** The fields of a rule: what may be stored in each. */
import { wordsIn } from "./words-in.ts";

/** One of a few values. The form has a line for each. */
interface Choice<Value extends string = string> {
  readonly is: "choice";
  readonly values: readonly Value[];
}

/** A whole number from 1, which is typed. `usual` is suggested. */
interface Count {
  readonly is: "count";
  readonly most: number;
  readonly usual: number;
  readonly unit: "percent" | "minutes";
}

/** One of the person's places. The form has a line for each. */
interface PlaceField {
  readonly is: "place";
}

/** Words, which are typed. */
interface TypedWords {
  readonly is: "words";
}

export type RuleField = Choice | Count | PlaceField | TypedWords;

export type FieldValue<Field extends RuleField> =
  Field extends Choice<infer Value>
    ? Value
    : Field extends Count
      ? number
      : Field extends TypedWords
        ? readonly string[]
        : string;

export const choice = <const Value extends string>(...values: readonly Value[]): Choice<Value> => ({
  is: "choice",
  values,
});

export const MOST_WORDS = 20;
export const LONGEST_WORD = 40;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

export function mayBe(field: RuleField, value: unknown): boolean {
  switch (field.is) {
    case "choice":
      return typeof value === "string" && field.values.includes(value);
    case "count":
      return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= field.most;
    case "place":
      return typeof value === "string" && UUID.test(value);
    case "words":
      return (
        Array.isArray(value) && value.length >= 1 && value.length <= MOST_WORDS && value.every(isReadableWord)
      );
  }
}

/** Something of it is left after folding. */
function isReadableWord(word: unknown): boolean {
  return typeof word === "string" && word.length <= LONGEST_WORD && wordsIn(word).trim() !== "";
}

/** Typed words: separated by commas or line breaks, each once, as many and as long as a rule may have. */
export function typedWords(text: string): string[] {
  const byFolded = new Map<string, string>();
  for (const part of text.split(/[,;\n]/)) {
    const word = part.replace(/\s+/g, " ").trim().slice(0, LONGEST_WORD).trim();
    const folded = wordsIn(word);
    if (folded.trim() !== "" && !byFolded.has(folded)) byFolded.set(folded, word);
  }
  return [...byFolded.values()].slice(0, MOST_WORDS);
}

/** What is typed into the field, as its value; undefined if it is none. */
export function typedValue(field: RuleField, typed: string): string[] | number | undefined {
  const value =
    field.is === "words" ? typedWords(typed) : /^\d{1,3}$/.test(typed) ? Number(typed) : undefined;
  return mayBe(field, value) ? value : undefined;
}
