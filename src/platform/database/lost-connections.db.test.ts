import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { inTransaction } from "./in-transaction.ts";
import { listenFor } from "./listen-for.ts";
import { openDatabase } from "./open-database.ts";

const patience = { timeout: 60_000, interval: 50 };
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const endOthers = () => database.sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and query ~ '(listen|pg_sleep)'`;

test("a transaction whose connection is lost fails, leaves nothing, and a later one succeeds", async () => {
  const sql = openDatabase({ url: database.url, max: 1 });
  const lost = inTransaction(sql, async (db) => {
    await db`insert into watch.request_budgets (name, month) values ('lost', '2026-01-01')`;
    await db`select pg_sleep(30)`;
  }).then(
    () => "committed",
    () => "failed",
  );
  await expect.poll(async () => (await endOthers()).length, patience).toBeGreaterThan(0);
  expect(await lost).toBe("failed");
  const next = () =>
    inTransaction(sql, (db) => db`select name from watch.request_budgets`).catch(() => "not yet");
  await expect.poll(next, patience).toEqual([]);
  await sql.end();
});

test("a failed statement rolls back, and its error is passed on", async () => {
  const sql = openDatabase({ url: database.url, max: 1 });
  const refused = inTransaction(sql, async (db) => {
    await db`insert into watch.request_budgets (name, month) values ('refused', '2026-01-01')`;
    await db`select 1 / 0`;
  });
  await expect(refused).rejects.toMatchObject({ code: "22012" });
  expect(await sql`select name from watch.request_budgets`).toEqual([]);
  await sql.end();
});

test("a listener reconnects after losing its connection, and reports it", async () => {
  const received: string[] = [];
  let connected = 0;
  const listener = listenFor({
    url: database.url,
    channel: "filters",
    onNotification: (payload) => received.push(payload),
    onListening: () => {
      connected += 1;
    },
  });
  await expect.poll(() => connected, patience).toBe(1);
  await expect.poll(async () => (await endOthers()).length, patience).toBeGreaterThan(0);
  await expect.poll(() => connected, patience).toBe(2);
  await database.sql`select pg_notify('filters', 'again')`;
  await expect.poll(() => received, patience).toEqual(["again"]);
  await listener.stop();
});
