import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { type HeldLock, takeSessionLock } from "./session-lock.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

function take(name: string, signal = new AbortController().signal): Promise<HeldLock | undefined> {
  return takeSessionLock({ databaseUrl: database.url, name, signal });
}

const lossOf = (lock: HeldLock | undefined) =>
  new Promise((resolve) => lock?.lost.addEventListener("abort", resolve));

test("one process holds a name, other names are free, and the next one gets it after its release", async () => {
  const first = await take("a");
  const other = await take("b");
  expect(other).toBeDefined();
  let isTaken = false;
  const next = take("a").then((lock) => {
    isTaken = true;
    return lock;
  });
  await other?.release();
  expect(isTaken).toBe(false);
  await first?.release();
  expect(first?.lost.aborted).toBe(true);
  await (await next)?.release();
  expect(isTaken).toBe(true);
});

test("G32 a lock is lost with its connection: its holder is notified, and the next process gets it", async () => {
  const lock = await take("c");
  const lost = lossOf(lock);
  const next = take("c");
  await database.sql`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`;
  await lost;
  const replacement = await next;
  expect(replacement?.lost.aborted).toBe(false);
  await Promise.all([lock?.release(), replacement?.release()]);
});

test("waiting for a lock can be aborted", async () => {
  const lock = await take("d");
  const ended = new AbortController();
  const waiting = take("d", ended.signal);
  ended.abort();
  expect(await waiting).toBeUndefined();
  await lock?.release();
});
