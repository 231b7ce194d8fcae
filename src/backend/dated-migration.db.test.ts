import { randomUUID } from "node:crypto";
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { beforeEach, expect, inject, onTestFinished, test } from "vitest";
import { run } from "#test/postgres/migrated-postgres.ts";
import { createTestDatabase } from "#test/test-database.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { findSchemaFaults } from "./schema-faults.ts";

const MIGRATIONS = "supabase/migrations";
/** What `supabase migration new` would call a file today. */
const TODAY = `${new Date().toISOString().replace(/\D/g, "").slice(0, 14)}_pets`;
/** The versions of the first 26 before they had plain numbers. */
const DECEMBER = [
  ...Array.from({ length: 16 }, (_, index) => 100 * (index + 1)),
  ...[2800, 2900, 3000, 3100, 3200, 3300, 3310, 3320, 3330, 3400],
].map((time) => `20261201${String(time).padStart(6, "0")}`);

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sereno-dated-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(MIGRATIONS, folder, { recursive: true });
  await writeFile(
    join(folder, `${TODAY}.sql`),
    "create table public.pets (owner_id uuid references public.profiles (id), name text);",
  );
});

const prepare = (databaseUrl: string, migrationsFolder = folder) =>
  prepareDatabase({ databaseUrl, migrationsFolder });

async function bareDatabase(): Promise<{ url: string; sql: postgres.Sql }> {
  const name = `dated_${randomUUID().replaceAll("-", "")}`;
  await run(inject("serverUrl"), `create database ${name}`);
  const url = new URL(inject("serverUrl"));
  url.pathname = `/${name}`;
  const sql = postgres(url.href, { max: 1, onnotice: () => {} });
  onTestFinished(async () => {
    await sql.end({ timeout: 1 });
    await run(inject("serverUrl"), `drop database ${name} with (force)`);
  });
  return { url: url.href, sql };
}

async function expectSecondStart({ url, sql }: { url: string; sql: postgres.Sql }): Promise<void> {
  expect(await findSchemaFaults(sql, folder)).toEqual([]);
  expect((await prepare(url)).applied).toEqual([]);
  expect(await sql`select to_regclass('public.pets') is not null as found`).toEqual([{ found: true }]);
}

test("ONE-01 an empty database starts twice with a migration dated today", async () => {
  const database = await bareDatabase();
  const { applied } = await prepare(database.url);
  expect(applied[0]).toBe("0001_people");
  expect(applied.indexOf(TODAY)).toBeGreaterThanOrEqual(DECEMBER.length);
  await expectSecondStart(database);
});

test("ONE-01 an existing database starts twice with a migration dated today", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  expect((await prepare(database.url)).applied).toEqual([TODAY]);
  await expectSecondStart(database);
});

test("ONE-01 a database whose migrations were dated December is renamed, and starts twice with one dated today", async () => {
  const database = await bareDatabase();
  const before = await mkdtemp(join(tmpdir(), "sereno-december-"));
  onTestFinished(() => rm(before, { recursive: true }));
  const numbered = (await readdir(MIGRATIONS)).filter((file) => /^\d{4}_/.test(file)).sort();
  for (const file of numbered) await cp(join(MIGRATIONS, file), join(before, file));
  await prepare(database.url, before);
  const { sql } = database;
  await sql.begin(async (db) => {
    for (const [index, version] of DECEMBER.entries()) {
      const [number = ""] = numbered[index]?.split("_") ?? [];
      await db`update supabase_migrations.schema_migrations set version = ${version} where version = ${number}`;
    }
    await db`update supabase_migrations.sereno_parts
      set written_by = replace(written_by, ' 0026', ${` ${DECEMBER.at(-1)}`})`;
  });
  const dated = (await readdir(folder)).filter((file) => /^\d{14}_/.test(file)).sort();
  expect((await prepare(database.url)).applied).toEqual(dated.map((file) => file.replace(".sql", "")));
  const versions = await sql`select version from supabase_migrations.schema_migrations order by version`;
  expect(versions.map(({ version }) => version)).not.toContain(DECEMBER[0]);
  await expectSecondStart(database);
});
