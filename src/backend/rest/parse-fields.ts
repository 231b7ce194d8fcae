// Parses `select`, `order`, `columns` and `on_conflict`, with their names and JSON keys.
import type { Column, Relation } from "./catalogue.ts";
import { type Cursor, take, takeList, takeName, unescaped } from "./parse-text.ts";
import type { JsonStep, QueryField, QueryOrder, Selected, Selection } from "./query.ts";
import { badQuery, refused } from "./rest-error.ts";
import { MAX_DEPTH, MAX_LIST, MAX_SELECTED } from "./rest-limits.ts";

/** A field whose column has not been looked up yet. */
export type FieldName = Omit<QueryField, "column"> & { name: string };

const ARROW = /->(>?)/y;
const KEY = /"((?:[^"\\]|\\.)*)"|((?:[^"\-:.,>()]|-(?!>))+)/suy;

export function takeFieldName(cursor: Cursor): FieldName | undefined {
  const name = takeName(cursor);
  if (name === undefined) return undefined;
  const path: JsonStep[] = [];
  let isText = false;
  for (let arrow = take(cursor, ARROW); arrow; arrow = take(cursor, ARROW)) {
    if (isText) throw badQuery("`->>` gives a text, and must be the last arrow");
    if (path.length === MAX_DEPTH) throw badQuery(`A JSON path may have ${MAX_DEPTH} keys`);
    isText = arrow[1] === ">";
    path.push(takeStep(cursor));
  }
  return { name, path, isText };
}

function takeStep(cursor: Cursor): JsonStep {
  const found = take(cursor, KEY);
  if (!found) throw badQuery("An arrow is followed by a JSON key");
  const plain = found[2]?.trim();
  if (plain === undefined) return { key: unescaped(found[1]), isIndex: false };
  const isIndex = /^-?\d+$/.test(plain);
  if (isIndex && plain.length > 9) throw badQuery("The index of a JSON list is too large");
  return { key: plain, isIndex };
}

export function fieldOf(relation: Relation, { name, path, isText }: FieldName): QueryField {
  const column = relation.columns.get(name);
  if (!column) throw refused(400, "42703", "There is no column of this name");
  return { column, path, isText };
}

type Item = Selected | { star: true };

export function parseSelect(text: string | undefined, relation: Relation): Selection {
  if (text === undefined || text === "*") return undefined;
  const takeItem = (cursor: Cursor) => takeSelected(cursor, relation);
  const items = takeList<Item>(text, { takeItem, most: MAX_SELECTED, what: "`select`" });
  const selected = items.flatMap((item) => ("star" in item ? allOf(relation) : [item]));
  if (selected.length > MAX_SELECTED) throw badQuery(`\`select\` may have ${MAX_SELECTED} items`);
  return selected;
}

const allOf = ({ columns }: Relation): Selected[] =>
  [...columns.values()].map((column) => ({ field: { column, path: [], isText: false }, alias: column.name }));

const STAR = /\*(?=[ \t]*(?:,|$))/y;
const ALIAS = /:(?!:)/y;
const CAST = /::/y;
const FUNCTION = /!|\(|\.[a-z]+\(/y;
const SPREAD = /\.\.\./y;

function takeSelected(cursor: Cursor, relation: Relation): Item {
  if (take(cursor, STAR)) return { star: true };
  if (take(cursor, SPREAD)) throw NO_EMBEDDING();
  let name = takeFieldName(cursor);
  const alias = name && name.path.length === 0 && take(cursor, ALIAS) ? name.name : undefined;
  if (alias !== undefined) name = takeFieldName(cursor);
  if (take(cursor, CAST)) throw badQuery("Casts are not supported in `select`");
  if (take(cursor, FUNCTION)) throw NO_EMBEDDING();
  if (!name) throw badQuery("`select` is a list of columns, `alias:column` and JSON paths");
  return { field: fieldOf(relation, name), alias: alias ?? keyOf(name) };
}

const NO_EMBEDDING = () => badQuery("Related tables and aggregate functions are not supported in `select`");

/** PostgREST names a JSON path by its last key that is not an array index. */
const keyOf = ({ name, path }: FieldName) => path.findLast(({ isIndex }) => !isIndex)?.key ?? name;

const DIRECTION = /(?:\.(asc|desc))?(?:\.nulls(first|last))?(?=[ \t]*(?:,|$))/y;

export function parseOrder(text: string | undefined, relation: Relation): QueryOrder[] {
  if (text === undefined) return [];
  const takeItem = (cursor: Cursor): QueryOrder => {
    const name = takeFieldName(cursor);
    const found = name && take(cursor, DIRECTION);
    if (!found)
      throw badQuery(
        "`order` is a list of columns, each with `.asc` or `.desc` and `.nullsfirst` or `.nullslast`",
      );
    const nulls = found[2] as QueryOrder["nulls"];
    return { field: fieldOf(relation, name), isDescending: found[1] === "desc", nulls };
  };
  return takeList(text, { takeItem, most: MAX_LIST, what: "`order`" });
}

/** Parses `columns` and `on_conflict`. */
export function parseColumns(
  text: string,
  relation: Relation,
  what: "`columns`" | "`on_conflict`",
): Column[] {
  const takeItem = (cursor: Cursor) => {
    const name = takeName(cursor);
    if (name === undefined) throw badQuery(`${what} is a list of columns`);
    return requireColumn(relation, name);
  };
  return [...new Set(takeList(text, { takeItem, most: MAX_LIST, what }))];
}

/** PostgREST has a separate code for columns named by a change. */
export function requireColumn({ columns }: Relation, name: string): Column {
  const column = columns.get(name);
  if (column) return column;
  throw refused(400, "PGRST204", "Could not find a column of this name in the schema cache");
}
