import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { guardedByLock, LockLostError } from "./guarded-by-lock.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test("SERV-02 a process that lost its lock cannot write any more", async () => {
  const lock = { isHeld: true };
  const sql = guardedByLock(database.sql, () => lock.isHeld);
  const add = async (name: string) =>
    sql`insert into watch.request_budgets (name, month) values (${name}, '2026-01-01')`;
  await add("one");
  await sql.begin((db) => db`insert into watch.request_budgets (name, month) values ('two', '2026-01-01')`);
  lock.isHeld = false;
  await expect(add("three")).rejects.toThrow(LockLostError);
  expect(() => sql.begin(async () => {})).toThrow(LockLostError);
  expect(() => sql.unsafe("delete from watch.request_budgets")).toThrow(LockLostError);
  const rows = await database.sql`select name from watch.request_budgets order by name`;
  expect(rows.map(({ name }) => name)).toEqual(["one", "two"]);
});
