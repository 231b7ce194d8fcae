/** The searches of the server in a component test, as PostgREST changes them: a condition that no longer holds finds no row. */
import type { Answerer } from "./answerer.ts";
import { PERSON } from "./person.ts";
import { STORED } from "./stored-rows.ts";

type SearchRow = Record<string, unknown> & { id: string; filter_url: string; receiver_ids: string[] };

function usualRow(): SearchRow {
  const stored = STORED.searches?.() as [SearchRow] | undefined;
  return stored?.[0] as SearchRow;
}

const OPERATORS = ["select", "order", "limit", "columns"];

export class SearchRows {
  rows: SearchRow[];
  /** The links that the page has written, in order. */
  readonly written: string[] = [];

  constructor(rows: readonly Partial<SearchRow>[]) {
    this.rows = rows.map((row) => ({ ...usualRow(), ...row }));
  }

  answer(answerer: Answerer): void {
    answerer.answer("searches", ({ url }) => this.rows.filter((row) => isMeant(row, url)));
    answerer.answer("PATCH searches", ({ url, body }) => {
      const found = this.rows.filter((row) => isMeant(row, url));
      for (const row of found) this.#change(row, body as Partial<SearchRow>);
      return found.map(({ id }) => ({ id }));
    });
    answerer.answer("POST searches", ({ body }) => this.#add(body as Partial<SearchRow>));
    answerer.answer("rpc save_first", ({ body }) => {
      const { filter_url, receiver_ids } = body as SearchRow;
      return this.rows.length > 0 ? null : this.#add({ filter_url, receiver_ids, is_first: true });
    });
  }

  #change(row: SearchRow, change: Partial<SearchRow>): void {
    Object.assign(row, change);
    if (change.filter_url !== undefined) this.written.push(change.filter_url);
  }

  #add(content: Partial<SearchRow>): SearchRow {
    const row = {
      ...usualRow(),
      is_first: this.rows.length === 0,
      ...content,
      id: crypto.randomUUID(),
    } as SearchRow;
    this.rows.push(row);
    this.written.push(row.filter_url);
    return row;
  }
}

function isMeant(row: SearchRow, { searchParams }: URL): boolean {
  return [...searchParams].every(([column, condition]) => {
    if (OPERATORS.includes(column)) return true;
    if (column === "user_id") return condition === `eq.${PERSON.id}`;
    const value = row[column] ?? null;
    if (condition === "is.null") return value === null;
    const text = Array.isArray(value) ? `{${value.map((part) => `"${part}"`).join(",")}}` : String(value);
    return condition === `eq.${text}`;
  });
}
