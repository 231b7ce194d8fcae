import type { Sql, TransactionSql } from "postgres";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";

const [GROUP, SUPERGROUP] = ["-501", "-1001234567890"];
const FILTER_URL = "https://www.idealista.com/alquiler-viviendas/madrid-madrid/";

let database: TestDatabase;
let pool: Sql;
let people = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = postgres(database.url, { max: 4, onnotice: () => {} });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

beforeEach(async () => {
  await pool`truncate auth.users, watch.chats, watch.chat_paces cascade`;
});

async function person(...ids: string[]): Promise<string> {
  people += 1;
  const id = crypto.randomUUID();
  await pool`insert into auth.users (id, email) values (${id}, ${`p${people}@example.com`})`;
  if (ids.length > 0) await save(pool, id, ids);
  return id;
}

const save = (sql: Sql | TransactionSql, userId: string, ids: string[]) => sql`
  insert into public.filter_settings (user_id, filter_url, receiver_ids)
  values (${userId}, ${FILTER_URL}, ${sql.array(ids)})
  on conflict (user_id) do update set receiver_ids = excluded.receiver_ids`;
const move = (sql: Sql | TransactionSql) => sql`select watch.move_chat(${GROUP}, ${SUPERGROUP})`;
const idsOf = async (userId: string) =>
  (await pool`select receiver_ids from public.filter_settings where user_id = ${userId}`)[0]?.receiver_ids;
const rowsOf = async (userId: string) =>
  (
    await pool`select chat_id::text as id, state from public.chats where user_id = ${userId} order by chat_id`
  ).map(({ id, state }) => `${id} ${state}`);
/** Waits until a query is blocked by a lock. */
const untilBlocked = () =>
  expect
    .poll(
      async () =>
        (
          await pool`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        ).length,
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0);

test("G17 ids keep their order when one of them moves, and a former id next to its new one is merged", async () => {
  const alice = await person("77", GROUP, "5", "-9", "12");
  const bob = await person("9", SUPERGROUP, "3", GROUP);
  await move(pool);
  expect(await idsOf(alice)).toEqual(["77", SUPERGROUP, "5", "-9", "12"]);
  expect(await idsOf(bob)).toEqual(["9", SUPERGROUP, "3"]);
});

test("G17 a group that consented stays connected if its new id was also added", async () => {
  const alice = await person(GROUP, SUPERGROUP);
  await pool`update public.chats set state = 'connected' where chat_id = ${GROUP}`;
  await move(pool);
  expect(await rowsOf(alice)).toEqual([`${SUPERGROUP} connected`]);
});

test("G17 a former id saved later, from an open page, is replaced by the supergroup's", async () => {
  const alice = await person("77", GROUP);
  await pool`update public.chats set state = 'connected' where chat_id = ${GROUP}`;
  await move(pool);
  await save(pool, alice, ["77", GROUP, "5"]);
  expect(await idsOf(alice)).toEqual(["77", SUPERGROUP, "5"]);
  expect(await rowsOf(alice)).toContain(`${SUPERGROUP} connected`);
  const bob = await person(GROUP);
  expect([await idsOf(bob), await rowsOf(bob)]).toEqual([[SUPERGROUP], [`${SUPERGROUP} waiting`]]);
  expect(await pool`select from watch.chats where chat_id = ${GROUP}`).toEqual([]);
});

test("G17 a filter saved with the former id during the move gets the new id", async () => {
  const alice = await person(GROUP);
  const bob = await person();
  const { promise: saved, resolve: isSaved } = Promise.withResolvers<unknown>();
  await pool.begin(async (tx) => {
    await move(tx);
    isSaved(save(pool, bob, ["3", GROUP]).then(() => undefined));
    await untilBlocked();
  });
  await saved;
  expect([await idsOf(alice), await idsOf(bob)]).toEqual([[SUPERGROUP], ["3", SUPERGROUP]]);
  expect(await rowsOf(bob)).toEqual([`${SUPERGROUP} waiting`, "3 waiting"]);
});

test("G17 a group that moves during a save is also moved in the saved filter", async () => {
  await person(GROUP);
  const bob = await person();
  const { promise: moved, resolve: isMoved } = Promise.withResolvers<unknown>();
  await pool.begin(async (tx) => {
    await save(tx, bob, ["3", GROUP]);
    isMoved(move(pool).then(() => undefined));
    await untilBlocked();
  });
  await moved;
  expect([await idsOf(bob), await rowsOf(bob)]).toEqual([
    ["3", SUPERGROUP],
    [`${SUPERGROUP} waiting`, "3 waiting"],
  ]);
});

test("G17 a move and a change of the same filter lock in the same order and never deadlock", async () => {
  const alice = await person("3", GROUP);
  const { promise: moved, resolve: isMoved } = Promise.withResolvers<unknown>();
  await pool.begin(async (tx) => {
    // Every save locks the filter's row first.
    await tx`select from public.filter_settings where user_id = ${alice} for update`;
    isMoved(move(pool).then(() => undefined));
    await untilBlocked();
    await save(tx, alice, [GROUP, "4"]);
  });
  await moved;
  expect([await idsOf(alice), await rowsOf(alice)]).toEqual([
    [SUPERGROUP, "4"],
    [`${SUPERGROUP} waiting`, "4 waiting"],
  ]);
});

test("G17 many concurrent saves and moves all finish, and no former id is left", async () => {
  const everyone = await Promise.all(Array.from({ length: 6 }, () => person("3", GROUP)));
  const rounds = everyone.flatMap((id, n) => [
    save(pool, id, n % 2 === 0 ? [GROUP, "4", "5", SUPERGROUP] : ["5", "4", GROUP]),
    move(pool),
  ]);
  await Promise.all(rounds);
  await move(pool);
  for (const id of everyone) expect(await idsOf(id)).not.toContain(GROUP);
});

test("G17 an alert written for the former id during the move goes to the supergroup", async () => {
  const alice = await person(GROUP);
  await move(pool);
  await pool`
    insert into watch.alerts (user_id, chat_id, kind, listing_id, payload) values (${alice}, ${GROUP}, 'new', '1', '{}')`;
  await move(pool);
  expect(await pool`select chat_id::text as id from watch.alerts where kind = 'new'`).toEqual([
    { id: SUPERGROUP },
  ]);
});
