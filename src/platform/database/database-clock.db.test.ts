import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { signUp } from "#test/cast.ts";
import { type FailedStart, startServerProcess } from "#test/server-process.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { startTestProduct } from "#test/test-product.ts";
import { createDatabaseClock } from "./database-clock.ts";

const TEN_MINUTES_MS = 600_000;
/** Room for a busy machine. */
const CLOSE_MS = 5_000;
let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "sereno-clock-"));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

afterEach(() => vi.restoreAllMocks());

test.each([
  ["ahead", TEN_MINUTES_MS],
  ["behind", -TEN_MINUTES_MS],
])("RUN-03 a machine ten minutes %s writes due times by the database's clock", async (_, skewMs) => {
  const clock = await createDatabaseClock(database.sql, () => Date.now() + skewMs);
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(CLOSE_MS);
  expect(Math.abs((await clock.measure()) - skewMs)).toBeLessThan(CLOSE_MS);
});

test("RUN-03 a clock that is set while the process runs is noticed at once, also if it is set back", async () => {
  let skewMs = 0;
  const clock = await createDatabaseClock(database.sql, () => Date.now() + skewMs);
  for (skewMs of [TEN_MINUTES_MS, 0, -TEN_MINUTES_MS]) {
    await expect.poll(() => Math.abs(clock.now() - Date.now())).toBeLessThan(CLOSE_MS);
  }
});

/** Shifts the clock of a Node process before it loads anything else. */
const shiftedBy = (ms: number) => {
  const code = `const d=Date.now;Date.now=()=>d()+${ms};globalThis.Date=class extends Date{constructor(...a){a.length?super(...a):super(d()+${ms})}};`;
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
};

test.each([
  ["ahead of", TEN_MINUTES_MS],
  ["behind", -TEN_MINUTES_MS],
])("RUN-03 a machine ten minutes %s the database is a start fault", async (words, skewMs) => {
  const settings = { DATABASE_URL: database.url, DATA_DIR: folder, NODE_OPTIONS: shiftedBy(skewMs) };
  const failed: FailedStart = await startServerProcess(settings).then(
    ({ child }) => {
      child.kill("SIGKILL");
      throw new Error("it started");
    },
    (error) => error,
  );
  expect(failed.message).toMatch(
    new RegExp(
      `^This machine's clock is (?:59\\d|60\\d) s ${words} the database's: set both from the network`,
    ),
  );
  expect(failed.code).toBe(1);
});

test.each([
  ["ahead", TEN_MINUTES_MS],
  ["behind", -TEN_MINUTES_MS],
])("RUN-03 a session is dated by the database's clock on a machine ten minutes %s", async (_, skewMs) => {
  const realNow = Date.now;
  vi.spyOn(Date, "now").mockImplementation(() => realNow() + skewMs);
  const product = await startTestProduct();
  try {
    const { client } = await signUp(product, "alice");
    const { data } = await client.auth.getSession();
    const [, claims = ""] = data.session?.access_token.split(".") ?? [];
    const { iat } = JSON.parse(Buffer.from(claims, "base64url").toString());
    expect(Math.abs(iat * 1000 - realNow())).toBeLessThan(CLOSE_MS);
  } finally {
    await product.stop();
  }
});
