import type { Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { addPeople, silentLogger } from "#test/watching/world.ts";
import { createWatchTasks } from "../../watch-tasks.ts";
import { addFeeds, markIdleFeeds, scheduleNow } from "./feeds.ts";
import { deleteSourceless, lockFeeds } from "./searches.ts";
import { rescheduleFeeds } from "./source-intervals.ts";
import { markSpent } from "./spent-quota.ts";

const now = new Date("2026-03-03T09:00:00Z");
const KEYS = ["a", "m", "z"];
let database: TestDatabase;
/** Other connections: one holds a lock, one observes. */
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase({ url: database.url, max: 4 });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(async () => {
  await sql`truncate watch.feeds cascade`;
  await sql`delete from auth.users`;
});

/** Inserted in reverse order, so that locking in storage order would start from the end. */
async function layFeeds(source = "official"): Promise<void> {
  for (const key of KEYS.toReversed()) {
    await sql`
      insert into watch.feeds (key, source, query, interval_seconds, next_check_at)
      values (${key}, ${source}, '{}', 600, ${new Date(now.getTime() + 60_000)})`;
  }
}

const isFree = async (table: "feeds" | "searches", key: string) => {
  const rows =
    table === "feeds"
      ? await sql`select 1 from watch.feeds where key = ${key} for update skip locked`
      : await sql`select 1 from watch.compiled_searches where filter_id = ${key} for update skip locked`;
  return rows.length > 0;
};

/** Holds a lock, starts the work that waits for it, returns what `look` sees then, and waits for both. */
async function whileWaiting<Seen>(
  hold: (db: TransactionSql) => Promise<unknown>,
  work: () => Promise<unknown>,
  look: () => Promise<Seen>,
): Promise<Seen> {
  const held = Promise.withResolvers<number>();
  const looked = Promise.withResolvers<void>();
  const holding = sql.begin(async (db) => {
    await hold(db);
    const [me] = await db<[{ pid: number }]>`select pg_backend_pid() as pid`;
    held.resolve(me.pid);
    await looked.promise;
  });
  const pid = await held.promise;
  const done = work();
  await expect
    .poll(
      async () =>
        (await sql`select 1 from pg_stat_activity where ${pid} = any (pg_blocking_pids(pid))`).length,
    )
    .toBe(1);
  const seen = await look();
  looked.resolve();
  await holding;
  await done;
  return seen;
}

const keysOnly = () => ({ key: "", source: "official", query: {} });

test.each([
  [
    "a longer interval",
    (db: Sql) =>
      rescheduleFeeds(
        db,
        KEYS.toReversed().map((key) => {
          return { key, plannedAt: now, nextCheckAt: now, intervalSeconds: 700, promisedSeconds: 700 };
        }),
      ),
  ],
  [
    "a month that is spent",
    (db: Sql) =>
      markSpent(
        db,
        KEYS.toReversed().map((key) => ({ key, nextCheckAt: now })),
        { source: "official", until: now, now, roundsDown: 3 },
      ),
  ],
  ["feeds that nobody needs", (db: Sql) => markIdleFeeds(db, now)],
  ["a plan", (db: Sql) => lockFeeds(db, KEYS.toReversed())],
  [
    "feeds that come back",
    (db: Sql) =>
      addFeeds(
        db,
        KEYS.toReversed().map((key) => ({ ...keysOnly(), key })),
        { now, intervalSeconds: 600 },
      ),
  ],
  ["scheduling feeds now", (db: Sql) => scheduleNow(db, KEYS.toReversed(), { now, unlessOkSince: now })],
  ["a start without their source", (db: Sql) => deleteSourceless(db, ["by-url"])],
])("%s locks feeds in the order of their keys, whatever their storage order", async (_, work) => {
  await layFeeds();
  const seen = await whileWaiting(
    (db) => db`select 1 from watch.feeds where key = 'm' for update`,
    async () => {
      await inTransaction<unknown>(database.sql, (db) => work(db as unknown as Sql));
    },
    async () => [await isFree("feeds", "a"), await isFree("feeds", "z")],
  );
  expect(seen).toEqual([false, true]);
});

test("planning that moves searches off a feed waits for the feed's running check before it locks any of them", async () => {
  const rounds = createWatchTasks({
    sql: database.sql,
    sources: {
      official: { monthlyRequests: null, source: { name: "silent", readPage: () => Promise.reject() } },
    },
    checkIntervalSeconds: 600,
    now: Date.now,
    logger: silentLogger,
  });
  const madrid = "https://www.idealista.com/venta-viviendas/madrid-madrid/";
  const people = await addPeople(sql, [{ url: madrid }, { url: madrid }]);
  await rounds.compile();
  await sql`update public.filter_settings set filter_url = ${madrid.replace("venta", "alquiler")}`;
  const [first = "", second = ""] = people.map(({ filterId }) => filterId).toSorted();
  const free = await whileWaiting(
    async (db) => {
      await db`select 1 from watch.feeds for update`;
      await db`update watch.compiled_searches set baseline_at = now() where filter_id = ${second}`;
    },
    () => rounds.compile(),
    () => isFree("searches", first),
  );
  expect(free).toBe(true);
  expect(await sql`select distinct feed_key like '% rent %' as is_rent from watch.compiled_searches`).toEqual(
    [{ is_rent: true }],
  );
});
