import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { inRepeatableTransaction, inTransaction } from "./in-transaction.ts";
import { inSavepoint, runIsolated } from "./isolate.ts";

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = postgres(database.url, { max: 4, onnotice: () => {} });
});

afterAll(async () => {
  await sql.end({ timeout: 1 });
  await database.drop();
});

/** Two transactions that take two locks in opposite order, each after the other has taken its first. */
function collide(begin: typeof inTransaction) {
  const first = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const take = (own: 0 | 1) => {
    let runs = 0;
    return begin(sql, async (db) => {
      runs += 1;
      await db`select pg_advisory_xact_lock(${own + 1})`;
      first[own].resolve();
      await first[own === 0 ? 1 : 0].promise;
      await db`select pg_advisory_xact_lock(${own === 0 ? 2 : 1})`;
      return runs;
    });
  };
  return Promise.allSettled([take(0), take(1)]);
}

test("TIME-02 a transaction that PostgreSQL ended because of a deadlock is run once more", async () => {
  const plain = await collide(inTransaction);
  expect(plain.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const repeated = await collide(inRepeatableTransaction);
  const runs = repeated.map((one) => (one.status === "fulfilled" ? one.value : one.reason));
  expect(runs.sort()).toEqual([1, 2]);
});

test("COVER-05 what fails in a savepoint is undone, and the rest of the transaction is committed", async () => {
  await sql`create table parts (number int primary key)`;
  const culprits = await inTransaction(sql, async (db) => {
    await db`insert into parts values (0)`;
    const found = await runIsolated([1, 2, 0, 3, 4], (some) =>
      inSavepoint(db, async (part) => {
        for (const number of some) await part`insert into parts values (${number})`;
      }),
    );
    await db`insert into parts values (5)`;
    return found;
  });
  expect(culprits).toMatchObject([{ one: 0, error: { code: "23505" } }]);
  expect((await sql`select number from parts order by 1`).map(({ number }) => number)).toEqual([
    0, 1, 2, 3, 4, 5,
  ]);
  // If everything throws, the cause is elsewhere.
  const all = inTransaction(sql, (db) =>
    runIsolated([0, 1, 2, 3], (some) =>
      inSavepoint(
        db,
        async (part) => void (await part`select 1 / 0 from (select ${some[0] ?? 0}::int) as one`),
      ),
    ),
  );
  await expect(all).rejects.toMatchObject({ code: "22012" });
});
