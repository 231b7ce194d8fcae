// Parses filters: `column=operator.value`, and `and`/`or` of them.
import type { Relation } from "./catalogue.ts";
import { type FieldName, fieldOf, takeFieldName } from "./parse-fields.ts";
import { type Cursor, cursorOn, isAtEnd, take, unescaped } from "./parse-text.ts";
import type { Comparison, IsValue, QueryCondition, QueryOperation } from "./query.ts";
import { badQuery } from "./rest-error.ts";
import { MAX_CONDITIONS, MAX_DEPTH, MAX_LIST, MAX_PATTERN_COST, PATTERN_COST } from "./rest-limits.ts";

const COMPARISONS = new Map<string, Comparison>(
  (["eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike", "cs"] as const).map((name) => [name, name]),
);
const IS_VALUES = new Map<string, IsValue>(
  (["null", "not_null", "true", "false", "unknown"] as const).map((name) => [name, name]),
);

/** `or`, `not.and`, and also `related.or`, which is refused. */
const COMBINED = /^(?:(.*)\.)??((?:not\.)?(?:and|or))$/s;
const LOGIC = /[ \t]*(not\.)?(and|or)[ \t]*\([ \t]*/y;
const DOT = /\./y;
const COMMA = /[ \t]*,[ \t]*/y;
const CLOSE = /[ \t]*\)[ \t]*/y;

/** Reads the filters of one request, limiting their total number. */
export function createFilterReader(relation: Relation): (name: string, value: string) => QueryCondition {
  let count = 0;
  let wildcards = 0;

  const takeFilter = (cursor: Cursor, value: RegExp): QueryOperation => {
    count += 1;
    if (count > MAX_CONDITIONS) throw badQuery(`A request may have ${MAX_CONDITIONS} filters`);
    const operation = takeOperation(cursor, value);
    wildcards += costOf(operation);
    if (wildcards > MAX_PATTERN_COST) throw badQuery(TOO_MANY_PATTERNS);
    return operation;
  };
  const takeTree = (cursor: Cursor, depth: number): QueryCondition => {
    const [, not, kind] = take(cursor, LOGIC) ?? [];
    if (kind === undefined) {
      const name = takeFieldName(cursor);
      if (!name || !take(cursor, DOT)) throw badQuery(NO_LOGIC);
      return { ...takeFilter(cursor, LISTED_VALUE), field: fieldOf(relation, name) };
    }
    if (depth === MAX_DEPTH) throw badQuery(`\`and\` and \`or\` may be ${MAX_DEPTH} deep`);
    const conditions: QueryCondition[] = [];
    do conditions.push(takeTree(cursor, depth + 1));
    while (take(cursor, COMMA));
    if (!take(cursor, CLOSE)) throw badQuery("The parentheses of `and` and `or` do not match");
    return { kind: kind as "and" | "or", conditions, isNegated: not !== undefined };
  };

  return (name, value) => {
    const [, related, logic] = COMBINED.exec(name) ?? [];
    if (logic === undefined) {
      const field = readWhole(name, takeFilteredName);
      const operation = readWhole(value, (cursor) => takeFilter(cursor, WHOLE_VALUE));
      return { ...operation, field: fieldOf(relation, field) };
    }
    if (!value.trimStart().startsWith("(")) throw badQuery(NO_LOGIC);
    const condition = readWhole(logic + value, (cursor) => takeTree(cursor, 0));
    if (related !== undefined) throw badQuery(NO_FILTER_NAME);
    return condition;
  };
}

const NO_LOGIC = "`and` and `or` take filters in parentheses: (column.operator.value, …)";
const NO_FILTER_NAME = "A filter names a column or a JSON path; related tables are not supported";

function takeFilteredName(cursor: Cursor): FieldName {
  const name = takeFieldName(cursor);
  if (!name || !isAtEnd(cursor)) throw badQuery(NO_FILTER_NAME);
  return name;
}

function readWhole<Read>(text: string, takeIt: (cursor: Cursor) => Read): Read {
  const cursor = cursorOn(text);
  const read = takeIt(cursor);
  if (!isAtEnd(cursor)) throw badQuery("A filter goes on after its value");
  return read;
}

const OPERATOR = /(not\.)?([a-z]+)\./y;
const WHOLE_VALUE = /()(.*)/sy;
const LISTED_VALUE = /"((?:[^"\\]|\\.)*)"(?=[,)])|(\{[^{}]*\}|[^,)]*)/sy;

function takeOperation(cursor: Cursor, pattern: RegExp): QueryOperation {
  const begin = cursor.at;
  const [, not, name = ""] = take(cursor, OPERATOR) ?? [];
  const isNegated = not !== undefined;
  if (name === "in") return { kind: "in", values: takeValues(cursor), isNegated };
  const operator = COMPARISONS.get(name);
  if (!operator && name !== "is") throw badQuery(refusalOf(cursor.text.slice(begin)));
  const found = take(cursor, pattern);
  const value = found?.[2] ?? unescaped(found?.[1]);
  if (operator) {
    const isPattern = operator === "like" || operator === "ilike";
    // `*` means `%`, which would have to be escaped in a URL.
    return { kind: "compare", operator, value: isPattern ? value.replaceAll("*", "%") : value, isNegated };
  }
  const isValue = IS_VALUES.get(value.trim().toLowerCase());
  if (!isValue) throw badQuery("`is` takes null, not_null, true, false or unknown");
  return { kind: "is", value: isValue, isNegated };
}

/** PostgREST's others, with or without `(any)`, `(all)` or a language in parentheses. */
const NOT_OFFERED =
  /^\s*(?:not\.)*(?:(?:cd|ov|sl|sr|nxl|nxr|adj|isdistinct|fts|plfts|phfts|wfts)(?:\([\w-]*\))?|[a-z]+\((?:any|all)\))\./i;

function refusalOf(operation: string): string {
  if (/^\s*(?:not\.)*i?match/i.test(operation)) return NO_REGULAR_EXPRESSIONS;
  return NOT_OFFERED.test(operation) ? `This operator is not offered. ${OPERATORS}` : OPERATORS;
}

const OPERATORS =
  "A filter is one of eq, neq, gt, gte, lt, lte, like, ilike, cs, in and is, a dot and a value";

/** A regular expression can keep a core busy for minutes on a single row. */
export const NO_REGULAR_EXPRESSIONS = "Regular expressions are not offered; `like` and `ilike` are";

const TOO_MANY_PATTERNS = `The patterns of a request may have ${MAX_PATTERN_COST} wildcards, and each \`like\` counts as ${PATTERN_COST}`;

/** Every row is compared with every pattern, and the cost of one grows with its wildcards. */
function costOf(operation: QueryOperation): number {
  if (operation.kind !== "compare") return 0;
  const { operator, value } = operation;
  if (operator !== "like" && operator !== "ilike") return 0;
  return PATTERN_COST + (value.match(/[%_]/g)?.length ?? 0);
}

const OPEN = /[ \t]*\([ \t]*/y;
const ELEMENT = /"((?:[^"\\]|\\.)*)"(?=[,)])|([^,)]*)/sy;
const NEXT = /,/y;

function takeValues(cursor: Cursor): string[] {
  if (!take(cursor, OPEN)) throw badQuery("`in` takes a list in parentheses");
  const values: string[] = [];
  do {
    if (values.length === MAX_LIST) throw badQuery(`\`in\` may list ${MAX_LIST} values`);
    const found = take(cursor, ELEMENT);
    values.push(found?.[2] ?? unescaped(found?.[1]));
  } while (take(cursor, NEXT));
  if (!take(cursor, CLOSE)) throw badQuery("The list of `in` does not end");
  // PostgREST reads a list of one empty value as an empty list.
  return values.length === 1 && values[0] === "" ? [] : values;
}
