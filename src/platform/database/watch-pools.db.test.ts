import type { Sql } from "postgres";
import { expect, test } from "vitest";
import { createTestDatabase } from "#test/test-database.ts";
import { openDatabase } from "./open-database.ts";
import { watchPools } from "./watch-pools.ts";

test("RUN-02 a pool that does not answer although a new connection does is reported; a database that is down is not", async () => {
  const database = await createTestDatabase();
  const sql = openDatabase({ url: database.url, max: 1 });
  const stuck: string[] = [];
  const pools = { "our own": { sql, url: database.url } };
  const onStuck = (name: string) => stuck.push(name);
  const watch = watchPools({ pools, onStuck, stuckMs: 400, probeEveryMs: 20 });
  try {
    await database.shut();
    await expect
      .poll(() =>
        sql`select 1`.then(
          () => "answers",
          () => "down",
        ),
      )
      .toBe("down");
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(stuck).toEqual([]);
    await database.reopen();
    await expect.poll(() => sql`select 1 as one`.catch(() => "down")).toEqual([{ one: 1 }]);
    const busy = sql`select pg_sleep(600)`.catch(() => {});
    await expect.poll(() => stuck[0]).toBe("our own");
    watch.stop();
    await sql.end({ timeout: 0.1 });
    await busy;
  } finally {
    watch.stop();
    await database.drop();
  }
});

test("RUN-02 a pool whose connections the server keeps ending is not taken for stuck", async () => {
  const database = await createTestDatabase();
  let probes = 0;
  const failing = (() => {
    probes += 1;
    return probes % 3 === 0 ? Promise.resolve([]) : Promise.reject(new Error("Connection terminated"));
  }) as unknown as Sql;
  const stuck: string[] = [];
  const pools = { flaky: { sql: failing, url: database.url } };
  const watch = watchPools({ pools, onStuck: (name) => stuck.push(name), stuckMs: 1_500, probeEveryMs: 600 });
  await expect.poll(() => probes).toBeGreaterThan(8);
  watch.stop();
  expect(stuck).toEqual([]);
  await database.drop();
});
