import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { openPool } from "./open-pool.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test("a pool uses all of its connections again and again, and none once it has ended", async () => {
  const pool = openPool(database.url, { max: 3, connection: { application_name: "pool" } }, 50);
  const opened = async () =>
    (await database.sql`select pid from pg_stat_activity where application_name = 'pool'`).length;
  await expect.poll(opened).toBe(3);
  await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pool'`;
  await expect.poll(opened).toBe(3);
  await pool.end();
  await expect.poll(opened).toBe(0);
});
