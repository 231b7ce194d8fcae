/**
 * The questions of a search and the answers so far, as callback data: a button holds all that was answered before it, so it
 * works however old it is. Anyone can forge it, so every part is a known value or refused.
 */
import { findPlaceByKey, type KnownWhere, placeKeyOf } from "#core/places/place-key.ts";
import { BEDROOMS, type Bedrooms, type Operation } from "#core/search/search.ts";
import { parsePrice } from "#core/search/search-answers.ts";
import { row } from "./kit.ts";

/** What the bot does next: asks for the place, for a part of it, for the price or the bedrooms, or shows the search. */
export type QuestionStep =
  | { readonly ask: "place"; readonly operation: Operation }
  | { readonly ask: "part"; readonly operation: Operation; readonly where: KnownWhere }
  | { readonly ask: "price"; readonly operation: Operation; readonly where: KnownWhere }
  | {
      readonly ask: "bedrooms";
      readonly operation: Operation;
      readonly where: KnownWhere;
      readonly maxPriceEur: number | null;
    }
  | {
      readonly ask: "nothing";
      readonly operation: Operation;
      readonly where: KnownWhere;
      readonly maxPriceEur: number | null;
      /** This number or more; 0 means studios only, null any number. */
      readonly bedroomsFrom: Bedrooms | null;
    };

const OPERATION_LETTERS: Readonly<Record<Operation, string>> = { rent: "r", sale: "s" };
const ANY = "a";
/** Base 36 is two characters shorter than decimal: the longest name of a town needs them. */
const PRICE_BASE = 36;

/** "r", then ":28-07-001-079", then ":" and the price, then ":" and the bedrooms. */
export function formatQuestion(step: QuestionStep): string | undefined {
  const operation = OPERATION_LETTERS[step.operation];
  if (step.ask === "place") return operation;
  const key = placeKeyOf(step.where);
  if (key === undefined) return undefined;
  if (step.ask === "part") return `${operation}:${key}`;
  if (step.ask === "price") return `${operation}:${key}:`;
  const price = (step.maxPriceEur ?? 0).toString(PRICE_BASE);
  if (step.ask === "bedrooms") return `${operation}:${key}:${price}`;
  return `${operation}:${key}:${price}:${step.bedroomsFrom ?? ANY}`;
}

/** Returns undefined for anything that `formatQuestion` does not write. */
export function parseQuestion(text: string): QuestionStep | undefined {
  const [letter, key, price, bedrooms] = text.split(":");
  const operation = (["rent", "sale"] as const).find((one) => OPERATION_LETTERS[one] === letter);
  if (operation === undefined) return undefined;
  const step = stepOf(operation, { key, price, bedrooms });
  return step && formatQuestion(step) === text ? step : undefined;
}

function stepOf(
  operation: Operation,
  { key, price, bedrooms }: Readonly<Record<"key" | "price" | "bedrooms", string | undefined>>,
): QuestionStep | undefined {
  if (key === undefined) return { ask: "place", operation };
  const where = findPlaceByKey(key);
  if (where === undefined) return undefined;
  if (price === undefined) return { ask: "part", operation, where };
  if (price === "") return { ask: "price", operation, where };
  const maxPriceEur = parsePrice(String(Number.parseInt(price, PRICE_BASE)));
  if (maxPriceEur === undefined) return undefined;
  const answered = { operation, where, maxPriceEur };
  if (bedrooms === undefined) return { ask: "bedrooms", ...answered };
  if (bedrooms === ANY) return { ask: "nothing", ...answered, bedroomsFrom: null };
  const bedroomsFrom = BEDROOMS.find((count) => String(count) === bedrooms);
  return bedroomsFrom === undefined ? undefined : { ask: "nothing", ...answered, bedroomsFrom };
}

/** "questions" asks for a search; "question" is an answer. */
export const QUESTION_BUTTONS = {
  questions: row("N", {}),
  question: row("Q", { step: { write: formatQuestion, read: parseQuestion } }),
};
