import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { databaseTypes, TYPES_FILE } from "./database-types.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

test("the TypeScript types are those of the migrations (`npm run types` brings them up to date)", async () => {
  const types = await databaseTypes(database.sql);
  if (process.env.UPDATE_TYPES) await writeFile(TYPES_FILE, types);
  expect(await readFile(TYPES_FILE, "utf8")).toBe(types);
});

test("a column of an unknown type stops the generation by name", async () => {
  await database.sql`create table public.odd (area polygon)`;
  await expect(databaseTypes(database.sql)).rejects.toThrow("the SQL type polygon");
});
