// The basics of parsing the query grammar: a cursor in a text, sticky patterns, and names.
import { badQuery } from "./rest-error.ts";

export type Cursor = { readonly text: string; at: number };

export const cursorOn = (text: string): Cursor => ({ text, at: 0 });

/** Consumes what the sticky pattern matches here; returns undefined and consumes nothing if it does not match. */
export function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text);
  if (found === null) return undefined;
  cursor.at = pattern.lastIndex;
  return found;
}

export const isAtEnd = ({ text, at }: Cursor) => at === text.length;

const NAME = /"((?:[^"\\]|\\.)*)"|([\p{L}\p{N}_$]+(?:-[\p{L}\p{N}_$]+)*)/suy;

export function takeName(cursor: Cursor): string | undefined {
  const found = take(cursor, NAME);
  return found && (found[2] ?? unescaped(found[1]));
}

/** Inside quotes a backslash escapes any character. */
export const unescaped = (text = "") => text.replaceAll(/\\(.)/gs, "$1");

const BLANKS = /[ \t]*/y;
const COMMA = /[ \t]*,[ \t]*/y;

/** Parses comma-separated items to the end of the text. */
export function takeList<Item>(
  text: string,
  { takeItem, most, what }: { takeItem: (cursor: Cursor) => Item; most: number; what: string },
): Item[] {
  const cursor = cursorOn(text);
  const items: Item[] = [];
  take(cursor, BLANKS);
  do {
    if (items.length === most) throw badQuery(`${what} may have ${most} items`);
    items.push(takeItem(cursor));
  } while (take(cursor, COMMA));
  take(cursor, BLANKS);
  if (!isAtEnd(cursor)) throw badQuery(`${what} cannot be read`);
  return items;
}
