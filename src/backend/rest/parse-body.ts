// Parses the body of a request as JSON that PostgreSQL can store, and serialises it again from the parsed value.
import type { Column, Relation } from "./catalogue.ts";
import { requireColumn } from "./parse-fields.ts";
import { badBody, refused } from "./rest-error.ts";
import { MAX_DEPTH, MAX_ROWS } from "./rest-limits.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

export function requireJsonType(type: string | null): void {
  if (type !== null && !/^application\/json\s*(?:;|$)/i.test(type))
    throw refused(415, "PGRST102", "Content-Type must be application/json");
}

export function parseJson(bytes: ArrayBuffer): unknown {
  const text = read(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  requireShallow(text);
  const value: unknown = read(() => JSON.parse(text));
  requireStorable(value);
  return value;
}

function read<Value>(act: () => Value): Value {
  try {
    return act();
  } catch {
    throw badBody("The body is not JSON in UTF-8");
  }
}

const LEVELS = new Map([
  ["[", 1],
  ["{", 1],
  ["]", -1],
  ["}", -1],
]);

/** JSON.parse takes a quarter of a second for a megabyte of brackets. */
function requireShallow(text: string): void {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) at += character === "\\" ? 1 : 0;
    else depth += LEVELS.get(character) ?? 0;
    if (depth > MAX_DEPTH) throw badBody(`The body may be ${MAX_DEPTH} levels deep`);
  }
}

function requireStorable(value: unknown): void {
  if (typeof value === "string") requireStorableText(value);
  else if (typeof value === "number") requireExactNumber(value);
  else if (typeof value === "object" && value !== null) {
    for (const key of Object.keys(value)) {
      if (!Array.isArray(value)) requireStorableText(key);
      requireStorable((value as JsonObject)[key]);
    }
  }
}

function requireStorableText(text: string): void {
  if (text.includes("\0") || !text.isWellFormed())
    throw badBody("The body holds a null character or half of a surrogate pair");
}

/** Parsing a larger number as JSON would silently change it or make it null. */
function requireExactNumber(value: number): void {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    throw badBody("A number is too large to be read exactly; send it as a text");
}

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
