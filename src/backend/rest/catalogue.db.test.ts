import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { StartError } from "../postgres/start-error.ts";
import { readCatalogue } from "./catalogue.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql.unsafe(`
    create table public."odd ""table" (id integer primary key, "select" text default 'it''s', at timestamptz default now());
    create table public.closed (id integer);
    create function public.closed() returns integer language sql as $$ select 1 $$;
    create function public.from_trigger() returns trigger language plpgsql as $$ begin return null; end $$;
    create function public.found(in term text, out size integer, in places text[] default '{}') language sql stable
      as $$ select 1 $$;
    revoke execute on function public.closed() from public, anon, authenticated;
    grant select (id) on public."odd ""table" to anon;`);
});

afterAll(() => database.drop());

test("READ-01 the catalogue contains what people have rights on, with every name quoted by PostgreSQL", async () => {
  const { relations, routines } = await readCatalogue(database.sql);
  const odd = relations.get('odd "table');
  expect(odd).toMatchObject({ sql: 'public."odd ""table"', primaryKey: [{ name: "id" }] });
  expect([...(odd?.columns.values() ?? [])]).toMatchObject([
    { sql: "id", type: "pg_catalog.int4", arrayType: "pg_catalog._int4", default: null },
    { sql: '"select"', literal: "'select'", default: "'it''s'::text" },
    { type: "pg_catalog.timestamptz", default: "now()" },
  ]);
  expect(relations.get("filter_settings")?.columns.get("receiver_ids")).toMatchObject({
    type: "pg_catalog._text",
    arrayType: null,
  });
  expect([relations.has("closed"), routines.has("closed"), routines.has("from_trigger")]).toEqual([
    false,
    false,
    false,
  ]);
  expect(routines.get("found")).toMatchObject({
    sql: "public.found",
    required: [{ name: "term" }],
    returns: "value",
    isVolatile: false,
  });
  expect([...(routines.get("found")?.parameters.keys() ?? [])]).toEqual(["term", "places"]);
});

test.each([
  ["overloaded", ["public.twice(a integer)", "public.twice(a text)"]],
  ["variadic", ["public.twice(variadic a integer[])"]],
  ["a parameter has no name", ["public.twice(integer)"]],
])(
  "READ-01 a function that its name and argument names do not identify (%s) stops the start",
  async (why, functions) => {
    for (const signature of functions)
      await database.sql.unsafe(
        `create function ${signature} returns integer language sql as $$ select 1 $$`,
      );
    const reading = await readCatalogue(database.sql).catch((error: unknown) => error);
    for (const signature of functions) await database.sql.unsafe(`drop function ${signature}`);
    expect(reading).toBeInstanceOf(StartError);
    expect(String(reading)).toMatch(new RegExp(`cannot serve the function public.twice: .*${why}`));
  },
);
