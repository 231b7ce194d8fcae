import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { type Beginning, deleteOwnAccount, startInChat } from "./start-in-chat.ts";

const NOW = Date.parse("2026-12-01T10:00:00Z");
const DAY_MS = 86_400_000;
const SITE = "https://www.idealista.com/alquiler-viviendas";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql`
    insert into private.server_keys (name, value) values ('hash_secret', ${"a secret of this test".repeat(2)})`;
});

afterAll(() => database.drop());

const begin = (telegramId: number, more: Partial<Beginning> = {}, now = NOW) => {
  const beginning = { name: "Ana", language: "de", url: `${SITE}/getafe-madrid/`, ...more } as const;
  return startInChat(database.sql, { telegramId: String(telegramId), ...beginning }, now);
};
const identities = (telegramId: number) => database.sql<{ userId: string }[]>`
  select user_id as "userId" from watch.telegram_identities where telegram_id = ${telegramId}`;

async function deleteOwn(chatId: string): Promise<boolean> {
  const [own] = await database.sql`
    select user_id from watch.telegram_identities where telegram_id = ${chatId}`;
  return deleteOwnAccount(database.sql, { chatId, userId: own?.user_id ?? randomUUID() });
}

test("START-05 ten presses at the same time make one account, one connected chat and one search", async () => {
  const begun = await Promise.all(Array.from({ length: 10 }, () => begin(501)));
  expect(begun.map(({ outcome }) => outcome).toSorted()).toEqual(["added", ...Array(9).fill("same")]);
  const [own, ...others] = await identities(501);
  expect(others).toEqual([]);
  const { sql } = database;
  expect([...(await sql`select user_id from watch.confirmed_chats where chat_id = 501`)]).toEqual([
    { user_id: own?.userId },
  ]);
  expect([
    ...(await sql`select receiver_ids from public.searches where user_id = ${own?.userId ?? ""}`),
  ]).toEqual([{ receiver_ids: ["501"] }]);
  // Counted once.
  await deleteOwn("501");
  expect((await begin(501)).outcome).toBe("added");
});

test("START-07 a Telegram user gets two accounts at once and then one a week; the count survives the deletion", async () => {
  const cycle = async (at: number) => {
    const { outcome } = await begin(502, {}, at);
    await deleteOwn("502");
    return outcome;
  };
  const days = [0, 0, 0, 3, 6.99, 7, 7.01, 13.9, 14];
  const outcomes = [];
  for (const day of days) outcomes.push(await cycle(NOW + day * DAY_MS));
  expect(outcomes).toEqual([
    "added",
    "added",
    "slowed",
    "slowed",
    "slowed",
    "added",
    "slowed",
    "slowed",
    "added",
  ]);
  expect(await begin(502, {}, NOW + 14 * DAY_MS)).toMatchObject({ freeAt: new Date(NOW + 21 * DAY_MS) });
});

test("START-07 all chats together make at most 42 accounts in an hour and 318 in a day; existing accounts are not affected", async () => {
  await database.sql`delete from private.guard_allowances`;
  const from = NOW + 200 * DAY_MS;
  const count = async (attempts: number, { at, ms, first }: { at: number; ms: number; first: number }) => {
    let made = 0;
    for (let n = 0; n < attempts; n += 1) {
      if ((await begin(first + n, {}, at + (n * ms) / attempts)).outcome === "added") made += 1;
    }
    return made;
  };
  expect(await count(400, { at: NOW + 100 * DAY_MS, ms: DAY_MS, first: 20_000 })).toBe(317);
  expect(await count(200, { at: from, ms: DAY_MS / 24, first: 10_000 })).toBe(41);
  expect(await begin(99_999, {}, from)).toMatchObject({ outcome: "busy", freeAt: expect.any(Date) });
  expect((await begin(10_000, { url: `${SITE}/leganes-madrid/` }, from)).outcome).toBe("added");
});

test("START-07 a suspended account neither starts again in its chat nor is deleted there", async () => {
  const { sql } = database;
  await begin(505, {}, NOW + 300 * DAY_MS);
  await sql`
    update auth.users set banned_until = now() + interval '1 year'
    where id = (select user_id from watch.telegram_identities where telegram_id = 505)`;
  expect((await begin(505, { url: `${SITE}/leganes-madrid/` })).outcome).toBe("not-connected");
  expect(await deleteOwn("505")).toBe(false);
  expect(await identities(505)).toHaveLength(1);
});

test("START-02 without a key for hashes nobody can begin", async () => {
  await database.sql`delete from private.server_keys`;
  await expect(begin(504)).rejects.toThrow(/no key for hashes/);
  expect(await identities(504)).toHaveLength(0);
});
