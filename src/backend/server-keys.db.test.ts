import postgres from "postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { openServerKeys, rotateServerKeys, type ServerKeys, type ServerKeysOptions } from "./server-keys.ts";

const CONFIGURED = "a-secret-of-the-settings-of-32-bytes-or-more";

let database: TestDatabase;
let opened: { keys: ServerKeys; sql: postgres.Sql }[];

beforeEach(async () => {
  database = await createTestDatabase();
  opened = [];
});

afterEach(async () => {
  for (const { keys, sql } of opened) {
    await keys.stop();
    await sql.end({ timeout: 1 });
  }
  await database.drop();
});

/** One process on the database, with its own clock. */
async function openProcess(options: Partial<ServerKeysOptions> = {}) {
  const counts = { reads: 0, revocations: 0, offsetMs: 0 };
  const debug = (_connection: number, query: string) => {
    if (query.includes("from private.server_keys")) counts.reads += 1;
  };
  const sql = postgres(database.url, { max: 2, onnotice: () => {}, debug });
  const keys = await openServerKeys({
    sql,
    databaseUrl: database.url,
    now: () => Date.now() + counts.offsetMs,
    onRevoked: () => {
      counts.revocations += 1;
    },
    onSecret: () => {},
    ...options,
  });
  opened.push({ keys, sql });
  // Once it listens it reads the keys again.
  await expect.poll(async () => (await listeners()) === opened.length).toBe(true);
  return { keys, counts };
}

const listeners = async () =>
  (
    await database.sql`
    select from pg_stat_activity where datname = current_database() and query like 'listen "server_keys"%'`
  ).length;

const rotate = (isRevoking = false) => rotateServerKeys(database.sql, { isRevoking, endSessions: false });

/** The keys a process signs with and gives to pages. */
const inUse = async ({ keys }: { keys: ServerKeys }) => ({
  kid: (await keys.signing()).kid,
  publishable: await keys.publishableKey(),
});

/** Which of these keys a process accepts. */
const accepts = async ({ keys }: { keys: ServerKeys }, old: { kid: string; publishable: string }) => [
  (await keys.find(old.kid)) !== undefined,
  await keys.isPublishableKey(old.publishable),
];

test("SERV-02 processes on one database share a signing key, created by the first, and a permanent hash secret", async () => {
  const [one, other] = await Promise.all([openProcess(), openProcess()]);
  expect(await inUse(one)).toEqual(await inUse(other));
  expect(one.keys.hashSecret).toBe(other.keys.hashSecret);
  await rotate(true);
  expect((await openProcess()).keys.hashSecret).toBe(one.keys.hashSecret);
});

test("SERV-06 every process uses rotated keys at once, and accepts the old ones for a day", async () => {
  const [one, other] = [await openProcess(), await openProcess()];
  const old = await inUse(one);
  await rotate();
  await expect.poll(() => inUse(one)).not.toEqual(old);
  await expect.poll(() => inUse(other)).toEqual(await inUse(one));
  expect(await accepts(other, old)).toEqual([true, true]);
  expect([one.counts.revocations, other.counts.revocations]).toEqual([0, 0]);
  // The day has passed, by the clocks of the database and of the process.
  await database.sql`update private.server_keys set honoured_until = now() where honoured_until is not null`;
  other.counts.offsetMs = 86_400_000;
  expect(await accepts(other, old)).toEqual([false, false]);
  expect(await accepts(other, await inUse(one))).toEqual([true, true]);
});

test("READ-06 revoked keys are invalid in every process at once, and each process reports the revocation", async () => {
  const [one, other] = [await openProcess(), await openProcess()];
  const old = await inUse(one);
  await rotate();
  await expect.poll(() => inUse(one)).not.toEqual(old);
  const second = await inUse(one);
  await rotate(true);
  for (const process of [one, other]) {
    await expect.poll(() => process.counts.revocations).toBe(1);
    expect(await accepts(process, old)).toEqual([false, false]);
    expect(await accepts(process, second)).toEqual([false, false]);
  }
});

test("READ-06 a process that missed a notification because its connection was lost does not accept revoked keys", async () => {
  const one = await openProcess();
  const old = await inUse(one);
  await database.shut();
  one.counts.offsetMs = 2_000;
  await expect.poll(() => one.keys.find(old.kid).catch(() => "away")).toBe("away");
  expect(await one.keys.publishableKey()).toBe(old.publishable);
  await database.reopen();
  const sql = postgres(database.url, { max: 1 });
  await rotateServerKeys(sql, { isRevoking: true, endSessions: false });
  await sql.end();
  await expect.poll(() => accepts(one, old)).toEqual([false, false]);
  await expect.poll(() => one.counts.revocations).toBe(1);
});

test("SERV-06 known keys cost no read, and a caller who invents keys costs one read per second", async () => {
  const one = await openProcess();
  const known = await inUse(one);
  await expect.poll(async () => one.counts.reads).toBeGreaterThan(1);
  const before = one.counts.reads;
  for (let turn = 0; turn < 50; turn += 1) await accepts(one, known);
  expect(one.counts.reads).toBe(before);
  one.counts.offsetMs = 2_000;
  for (let turn = 0; turn < 50; turn += 1) {
    expect(await accepts(one, { kid: `kid-${turn}`, publishable: `sb_publishable_${turn}` })).toEqual([
      false,
      false,
    ]);
  }
  expect(one.counts.reads).toBe(before + 1);
});

test("READ-06 an invented key id is refused: a path, an object property, the start of another key id", async () => {
  const one = await openProcess();
  const { kid } = await inUse(one);
  for (const text of [
    "",
    "configured",
    "__proto__",
    "constructor",
    "../../dev/null",
    kid.slice(0, 8),
    `${kid} `,
  ]) {
    expect(await one.keys.find(text), text).toBeUndefined();
  }
});

test("JWT_SECRET, if set, is the only key that signs and verifies, and has its own key id", async () => {
  const [one, configured] = [await openProcess(), await openProcess({ jwtSecret: CONFIGURED })];
  const { kid } = await inUse(one);
  expect((await configured.keys.signing()).kid).toBe("configured");
  expect(await configured.keys.find("configured")).toBeDefined();
  expect(await configured.keys.find(kid)).toBeUndefined();
  expect(await configured.keys.publishableKey()).toBe(await one.keys.publishableKey());
});
