import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { applyMigrations } from "./migrate.ts";
import { prepareDatabase } from "./prepare-database.ts";

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "migrations-"));
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const add = (file: string, text: string) => writeFile(join(folder, file), text);

test("the project's migrations are recorded where the Supabase CLI looks", async () => {
  const rows = await database.sql`
    select version, name, statements[1] as text from supabase_migrations.schema_migrations order by version`;
  expect(rows[0]).toMatchObject({ version: "0001", name: "people" });
  expect(rows[0]?.text).toContain("create table public.profiles");
});

test("migrations run once, in the order of their versions", async () => {
  await add("20300102000000_second.sql", "insert into steps values ('second');");
  await add(
    "20300101000000_first.sql",
    "create table steps (step text); insert into steps values ('first');",
  );
  expect(await applyMigrations(database.sql, folder)).toEqual([
    "20300101000000_first",
    "20300102000000_second",
  ]);
  expect(await applyMigrations(database.sql, folder)).toEqual([]);
  expect(await database.sql`select step from steps`).toEqual([{ step: "first" }, { step: "second" }]);
});

test("a failing migration changes nothing and is named in the error", async () => {
  await add("20300101000000_broken.sql", "create table half (id int); select nonsense;");
  await expect(applyMigrations(database.sql, folder)).rejects.toThrow(
    'The migration 20300101000000_broken failed and changed nothing: column "nonsense" does not exist',
  );
  expect(await database.sql`select to_regclass('half') as half`).toEqual([{ half: null }]);
  await add("20300101000000_broken.sql", "create table half (id int);");
  expect(await applyMigrations(database.sql, folder)).toEqual(["20300101000000_broken"]);
});

test("two concurrent starts apply each migration once", async () => {
  await add("20300101000000_slow.sql", "select pg_sleep(0.2); create table slow (id int);");
  const applied = await Promise.all([
    applyMigrations(database.sql, folder),
    applyMigrations(database.sql, folder),
  ]);
  expect(applied.flat()).toEqual(["20300101000000_slow"]);
});

test("a file whose name is not a migration's stops the start", async () => {
  await add("fix.sql", "select 1;");
  await expect(applyMigrations(database.sql, folder)).rejects.toThrow("fix.sql");
});

test("a start that waits for another one's preparation gives up with a sentence", async () => {
  const other = await database.sql.reserve();
  await other`select pg_advisory_lock(7370004)`;
  const start = prepareDatabase({ databaseUrl: database.url, migrationsFolder: folder, waitMs: 50 });
  await expect(start).rejects.toThrow("Another Sereno has been preparing this database");
  await other`select pg_advisory_unlock(7370004)`;
  other.release();
});
