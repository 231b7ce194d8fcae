import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { databaseTypes, TYPES_FILE } from "./database-types.ts";
import { SCHEMA_FILE, schemaSql } from "./schema-sql.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

// Servers of other versions write the same schema differently.
test.skipIf(process.env.TEST_POSTGRES_PROGRAMS).each([
  ["the TypeScript types are", TYPES_FILE, databaseTypes],
  ["the schema file is", SCHEMA_FILE, schemaSql],
])("%s up to date with the migrations (run `npm run types`)", async (_, file, generate) => {
  const text = await generate(database.sql);
  if (process.env.UPDATE_TYPES) await writeFile(file, text);
  expect(await readFile(file, "utf8")).toBe(text);
});

test("a column of an unknown type stops the generation with its name", async () => {
  await database.sql`create table public.odd (area polygon)`;
  await expect(databaseTypes(database.sql)).rejects.toThrow("the SQL type polygon");
});
