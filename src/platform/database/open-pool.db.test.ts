import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { openPool, type PoolOptions, useAllConnections } from "./open-pool.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const NAME = { application_name: "pool" };
const open = (options: PoolOptions) => openPool(database.url, { settings: NAME, ...options });
const opened = async () =>
  (await database.sql`select pid from pg_stat_activity where application_name = 'pool'`).length;
const terminate = () =>
  database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pool'`;

test("a pool opens as many connections as it may, opens them again after a loss, and none once it has ended", async () => {
  const pool = open({ max: 3 });
  await useAllConnections(pool);
  await expect.poll(opened).toBe(3);
  await Promise.all(Array.from({ length: 20 }, () => pool`select pg_sleep(0.01)`));
  await expect.poll(opened).toBe(3);
  await terminate();
  await expect.poll(opened).toBe(0);
  // The pool may notice a loss only when it sends a statement, which is then rejected.
  const openAgain = () =>
    useAllConnections(pool).then(
      () => "opened",
      () => "lost",
    );
  await expect.poll(openAgain).toBe("opened");
  await expect.poll(opened).toBe(3);
  await pool.end();
  await expect.poll(opened).toBe(0);
  await expect(pool`select 1`).rejects.toMatchObject({ code: "CONNECTION_ENDED" });
});

test("RUN-01 every connection has the pool's settings and compiles nothing, also one that replaces a lost one", async () => {
  const pool = open({ max: 1, settings: { ...NAME, statement_timeout: 4_321 } });
  const timeout = () => pool`select current_setting('statement_timeout') as value`;
  expect(await timeout()).toEqual([{ value: "4321ms" }]);
  expect(await pool`show jit`).toEqual([{ jit: "off" }]);
  await terminate();
  await expect.poll(() => timeout().catch(() => "lost")).toEqual([{ value: "4321ms" }]);
  await pool.end();
});

test("an unused connection is closed after the idle time", async () => {
  const pool = open({ max: 2, idleSeconds: 0.05 });
  await useAllConnections(pool);
  await expect.poll(opened).toBe(0);
  expect(await pool`select 1 as one`).toEqual([{ one: 1 }]);
  await pool.end();
});

test("the end of a pool waits for statements, but not longer than its limit", async () => {
  const pool = open({ max: 1 });
  const first = pool`select pg_sleep(0.05), 1 as one`.execute();
  const second = pool`select 2 as two`.execute();
  await Promise.all([first, second, pool.end({ timeout: 20 })]);
  expect((await second)[0]).toEqual({ two: 2 });
  const stuck = open({ max: 1 });
  const answers = [stuck`select pg_sleep(60)`, stuck`select 1`].map((one) =>
    one.catch((error) => error.code),
  );
  await stuck.end({ timeout: 0.2 });
  expect(await Promise.all(answers)).toEqual(["CONNECTION_CLOSED", "CONNECTION_DESTROYED"]);
});

test("fragments, names, lists and prepared statements work as with the driver's own pool", async () => {
  const pool = open({ max: 2 });
  const condition = pool`n > ${1}`;
  const rows = await pool`
    select ${pool("n")} from jsonb_to_recordset(${pool.json([{ n: 1 }, { n: 2 }])}) as t (n int) where ${condition}`;
  expect(rows).toEqual([{ n: 2 }]);
  expect(await pool.unsafe("select $1::int + 1 as n", [1], { prepare: true })).toEqual([{ n: 2 }]);
  await pool.end();
});

test("RUN-02 a transaction commits as a whole, or not at all", async () => {
  const pool = open({ max: 2 });
  await pool`create table made (n int)`;
  await pool.begin(async (db) => {
    await db`insert into made values (1)`;
    await Promise.all([db`insert into made values (2)`, db`insert into made values (3)`]);
  });
  // Catching the error of a statement does not make its transaction commit.
  const caught = pool.begin(async (db) => {
    await db`insert into made values (4)`;
    await db`select 1 / 0`.catch(() => {});
    return "done";
  });
  await expect(caught).rejects.toMatchObject({ code: "22012" });
  const mode = await pool.begin(
    "isolation level serializable read only",
    (db) => db`show transaction_isolation`,
  );
  expect(mode).toEqual([{ transaction_isolation: "serializable" }]);
  expect(await pool`select count(*)::int as rows from made`).toEqual([{ rows: 3 }]);
  await pool.end();
});

test("RUN-02 a connection lost while its transaction does something else ends the transaction, and nothing of it runs elsewhere", async () => {
  const pool = open({ max: 1 });
  await pool`create table left_over (n int)`;
  const inserted = Promise.withResolvers<void>();
  const proceed = Promise.withResolvers<void>();
  const late = Promise.withResolvers<unknown>();
  const lost = pool.begin(async (db) => {
    await db`insert into left_over values (1)`;
    inserted.resolve();
    await proceed.promise;
    late.resolve(await db`insert into left_over values (2)`.catch((error: Error) => error.message));
  });
  const failed = expect(lost).rejects.toThrow();
  await inserted.promise;
  await terminate();
  await failed;
  expect(await pool`select n from left_over`).toEqual([]);
  proceed.resolve();
  expect(await late.promise).toBe("The transaction is over");
  expect(await pool`select n from left_over`).toEqual([]);
  await pool.end();
});
