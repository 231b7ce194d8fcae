// A row trigger runs before row-level security checks the row: a trigger that reads the rows of `user_id` could reveal
// them to anyone who writes that id.
import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { type Relation, type Row, readRelations } from "./access-probe.ts";
import { rowFor } from "./access-rows.ts";
import { insertable } from "./access-table.ts";

const [alice, bob, nobody] = [randomUUID(), randomUUID(), randomUUID()];

let database: TestDatabase;
let written: (Relation & { owner: string })[];

beforeAll(async () => {
  database = await createTestDatabase();
  for (const id of [alice, bob, nobody])
    await database.sql`insert into auth.users (id, email) values (${id}, ${`${id}@example.com`})`;
  const tables = await database.sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
      and has_any_column_privilege('authenticated', oid, 'insert, update')`;
  const names = new Set(tables.map(({ name }) => name));
  written = (await readRelations({ database }))
    .filter(({ name }) => names.has(name))
    .map((relation) => ({ ...relation, owner: relation.owner ?? "" }));
});

afterAll(() => database.drop());

/** The result of a person's statement, which is rolled back unless it is kept. */
async function answer(person: string, statement: string, isKept = false): Promise<string> {
  const outcome = { text: "" };
  await database.sql
    .begin(async (db) => {
      await become(db, person);
      const { count } = await db.unsafe(statement);
      outcome.text = `${count} rows`;
      if (!isKept) throw new Error("undone");
    })
    .catch((error: { code?: string; message: string; detail?: string }) => {
      if (error.message !== "undone") outcome.text = [error.code, error.message, error.detail].join(" ");
    });
  return outcome.text;
}

const become = (db: TransactionSql, person: string) => db`
  select set_config('role', 'authenticated', true), set_config('request.jwt.claim.sub', ${person}, true),
    set_config('request.jwt.claims', ${JSON.stringify({ sub: person, role: "authenticated" })}, true)`;

const literal = (value: unknown) => {
  const isJson = Array.isArray(value) && value.some((one) => typeof one === "object");
  const text = isJson ? JSON.stringify(value) : Array.isArray(value) ? `{${value.join(",")}}` : String(value);
  return value === null || value === undefined ? "null" : `'${text.replaceAll("'", "''")}'`;
};

function insertOf(relation: Relation, userId: string, number = 1): string {
  // The database chooses the id: one that is taken would be refused for that.
  const {
    first_of: _,
    id: __,
    ...row
  }: Row = insertable(relation, rowFor(relation.name, { id: userId, number: 1, mark: `row-${number}` }));
  const names = Object.keys(row);
  return `insert into public.${relation.name} (${names}) values (${names.map((name) => literal(row[name]))})`;
}

/** Every statement with which a person can write another person's id into a row. */
function attemptsOn({ name, owner, keys, columns }: Relation & { owner: string }, userId: string): string[] {
  const insert = insertOf({ name, base: name, owner, keys, columns, isTable: true }, userId);
  return [
    insert,
    `${insert} on conflict do nothing`,
    ...keys.map((key) => `${insert} on conflict (${key}) do update set ${owner} = excluded.${owner}`),
    `update public.${name} set ${owner} = '${userId}'`,
    `update public.${name} set ${owner} = '${userId}' where ${owner} = '${bob}'`,
  ];
}

test("no limit reveals anything about another person's rows", async () => {
  const insertions = written.filter(
    (relation) =>
      insertable(relation, rowFor(relation.name, { id: alice, number: 1, mark: "" }))[relation.owner],
  );
  expect(insertions.length).toBeGreaterThan(2);
  const limits: string[] = [];
  for (const relation of insertions) {
    // Alice adds rows until one is refused.
    let refusal = "1 rows";
    for (let number = 1; refusal === "1 rows"; number += 1) {
      expect(number).toBeLessThan(100);
      refusal = await answer(alice, insertOf(relation, alice, number), true);
    }
    limits.push(refusal);
    expect(await answer(bob, insertOf(relation, bob), true)).toBe("1 rows");
  }
  expect(limits.join(" ")).toMatch(/too-many-places.*too-many-searches/);
  for (const relation of written) {
    const told = async (userId: string) =>
      Promise.all(attemptsOn(relation, userId).map((statement) => answer(bob, statement)));
    const ofNobody = await told(nobody);
    expect([relation.name, await told(alice)]).toEqual([relation.name, ofNobody]);
  }
});

test("triggers that run before row-level security ignore rows of other people", async () => {
  const triggers = await database.sql<{ table: string; function: string; definition: string }[]>`
    select tgrelid::regclass::text as table, tgfoid::regproc::text as function, pg_get_triggerdef(pg_trigger.oid) as definition
    from pg_trigger where not tgisinternal and (tgtype & 1) = 1 and (tgtype & 2) = 2 and (tgtype & 20) > 0`;
  const names = new Set(written.map(({ name }) => name));
  // These read no table.
  const harmless = [
    "private.touch_updated_at",
    "private.set_search_owner",
    "private.refuse_change_of_first_search",
  ];
  const ours = triggers.filter((one) => names.has(one.table) && !harmless.includes(one.function));
  expect(ours.length).toBeGreaterThan(2);
  const unguarded = ours.filter(
    ({ definition }) => !definition.includes("WHEN ((COALESCE(auth.uid(), new.user_id) = new.user_id))"),
  );
  expect(unguarded).toEqual([]);
});
