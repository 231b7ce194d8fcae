import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { inTransaction } from "./in-transaction.ts";
import { createJobs, type Jobs, type Queue } from "./jobs.ts";

const patience = { timeout: 60_000, interval: 50 };
const NOTES: Queue<{ text: string }> = { name: "notes", retryLimit: 2, retryDelay: 1 };
const ONE_A_NAME: Queue<{ name: string }> = { name: "names", retryLimit: 0, keyOf: ({ name }) => name };

let database: TestDatabase;
let running: Jobs[];
let logged: string[];

beforeEach(async () => {
  database = await createTestDatabase();
  running = [];
  logged = [];
});
afterEach(async () => {
  await Promise.all(running.map((jobs) => jobs.stop()));
  await database.drop();
});

/** Starts another process's jobs. */
async function start(): Promise<Jobs> {
  const say = (fields: object, message: string) => logged.push(`${message} ${JSON.stringify(fields)}`);
  const jobs = createJobs({
    databaseUrl: database.url,
    logger: { info: say, warn: say, error: say },
  });
  await jobs.start();
  running.push(jobs);
  return jobs;
}

const left = async () =>
  (await database.sql`select state from pgboss.job where name in ('notes', 'names')`).length;

test("a job runs once, in one of several processes, and is then deleted", async () => {
  const processes = [await start(), await start()];
  const done: string[] = [];
  for (const jobs of processes) await jobs.work(NOTES, async ({ text }) => done.push(text));
  const texts = Array.from({ length: 20 }, (_, n) => `note ${n}`);
  await processes[0]?.send(
    NOTES,
    texts.map((text) => ({ text })),
  );
  await expect.poll(left, patience).toBe(0);
  expect(done.toSorted()).toEqual(texts.toSorted());
});

test("a failed job is retried, and deleted with its payload after its last retry", async () => {
  const jobs = await start();
  const tries: string[] = [];
  await jobs.work(NOTES, async ({ text }) => {
    tries.push(text);
    if (text === "never" || tries.length === 1) throw new Error("not now");
  });
  await jobs.send(NOTES, [{ text: "second time" }]);
  await expect.poll(left, patience).toBe(0);
  expect(tries).toEqual(["second time", "second time"]);
  await jobs.send(NOTES, [{ text: "never" }]);
  await expect.poll(left, patience).toBe(0);
  expect(tries.filter((text) => text === "never")).toHaveLength(3);
  expect(logged.filter((line) => line.includes("giving up"))).toHaveLength(1);
  expect(logged.join()).not.toContain("never");
});

test("a job sent in a transaction exists only if the transaction commits", async () => {
  const jobs = await start();
  const done: string[] = [];
  await expect(
    inTransaction(database.sql, async (db) => {
      await jobs.send(NOTES, [{ text: "rolled back" }], { db });
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  await inTransaction(database.sql, (db) => jobs.send(NOTES, [{ text: 'committed "so"' }], { db }));
  await jobs.work(NOTES, async ({ text }) => done.push(text));
  await expect.poll(left, patience).toBe(0);
  expect(done).toEqual(['committed "so"']);
});

test("a queue with keys accepts one job per key at a time", async () => {
  const [jobs, other] = [await start(), await start()];
  await Promise.all(
    [jobs, other, jobs].map((one) => one.send(ONE_A_NAME, [{ name: "a" }, { name: "b" }, { name: "a" }])),
  );
  expect(await left()).toBe(2);
});

test("a job interrupted by a stop is run by another process", async () => {
  const [first, second] = [await start(), await start()];
  const begun = Promise.withResolvers<void>();
  await first.work(NOTES, async (_, signal) => {
    begun.resolve();
    await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  await first.send(NOTES, [{ text: "unfinished" }]);
  await begun.promise;
  const done: string[] = [];
  await first.stop();
  running.shift();
  await second.work(NOTES, async ({ text }) => done.push(text));
  await expect.poll(() => done, patience).toEqual(["unfinished"]);
  expect(logged).toEqual([]);
});

test("workers resume after a database outage", async () => {
  const jobs = await start();
  const done: string[] = [];
  await jobs.work(NOTES, async ({ text }) => done.push(text));
  await database.shut();
  await expect(jobs.send(NOTES, [{ text: "lost" }])).rejects.toThrow();
  await database.reopen();
  await expect
    .poll(
      () =>
        jobs.send(NOTES, [{ text: "after" }]).then(
          () => true,
          () => false,
        ),
      patience,
    )
    .toBe(true);
  await expect.poll(() => done, patience).toEqual(["after"]);
});
