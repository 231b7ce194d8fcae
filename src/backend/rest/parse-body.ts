// Parses the body of a request as rows or arguments, which are serialised again from the parsed value.
import { JsonFault, parseJson } from "../read-body.ts";
import type { Column, Relation } from "./catalogue.ts";
import { requireColumn } from "./parse-fields.ts";
import { badBody, refused } from "./rest-error.ts";
import { MAX_DEPTH, MAX_ROWS } from "./rest-limits.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

export function requireJsonType(type: string | null): void {
  if (type !== null && !/^application\/json\s*(?:;|$)/i.test(type))
    throw refused(415, "PGRST102", "Content-Type must be application/json");
}

export function parseBody(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes, { maxDepth: MAX_DEPTH });
  } catch (error) {
    throw error instanceof JsonFault ? badBody(WORDS[error.fault]) : error;
  }
}

const WORDS: Record<JsonFault["fault"], string> = {
  syntax: "The body is not JSON in UTF-8",
  depth: `The body may be ${MAX_DEPTH} levels deep`,
  elements: "The body has too many elements",
  text: "The body holds a null character or half of a surrogate pair",
  number: "A number is too large to be read exactly; send it as a text",
};

/** A row or the arguments of a function. Names that every JavaScript object has are refused. */
export function requireObject(value: unknown): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw badBody("The body must be a JSON object");
  if (Object.hasOwn(value, "__proto__") || Object.hasOwn(value, "constructor"))
    throw badBody("A column or argument cannot have this name");
  return value as JsonObject;
}

/** The rows to insert and their columns: those the request lists, otherwise those the rows name. */
export function bodyRows(
  value: unknown,
  relation: Relation,
  named: readonly Column[] | undefined,
): { rows: JsonObject[]; columns: readonly Column[]; missing: readonly Column[] } {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > MAX_ROWS) throw badBody(`The body may hold ${MAX_ROWS} rows`);
  const rows = list.map(requireObject);
  const columns = named ?? columnsOf(rows[0] ?? {}, relation);
  if (!named && !rows.every((row) => hasExactly(row, columns))) throw badBody("All object keys must match");
  const missing = columns.filter(({ name }) => !rows.every((row) => Object.hasOwn(row, name)));
  return { rows, columns, missing };
}

export const columnsOf = (row: JsonObject, relation: Relation) =>
  Object.keys(row).map((name) => requireColumn(relation, name));

function hasExactly(row: JsonObject, columns: readonly Column[]): boolean {
  return Object.keys(row).length === columns.length && columns.every(({ name }) => Object.hasOwn(row, name));
}
