import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { alice, createNotes } from "#test/test-realtime.ts";
import { CHANGES_CHANNEL, installRealtime } from "./realtime-schema.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
  await database.sql`alter publication supabase_realtime set table public.listings`;
});

afterEach(() => database.drop());

async function watchedTables(): Promise<unknown[]> {
  return [...(await installRealtime(database.sql))].map(([key, { ownerColumn }]) => [
    ...JSON.parse(key),
    ownerColumn,
  ]);
}

const triggers = () => database.sql<{ name: string; oid: number; xmin: string }[]>`
  select tgrelid::regclass::text as name, oid, xmin from pg_trigger where tgname ~ '^realtime_notify_' order by tgname`;

test("published tables are watched, installing again changes none, and a removed one is no longer watched", async () => {
  expect(await watchedTables()).toEqual([["public", "listings", "user_id"]]);
  const before = await triggers();
  expect(before.map(({ name }) => name)).toEqual(["listings", "listings", "listings"]);
  expect(await watchedTables()).toEqual([["public", "listings", "user_id"]]);
  expect(await triggers()).toEqual(before);
  await database.sql`alter publication supabase_realtime drop table listings`;
  expect(await watchedTables()).toEqual([]);
  expect(await triggers()).toEqual([]);
});

test("a quoted name is watched like any other, and its trigger follows a change of the key", async () => {
  await database.sql.unsafe(`
    create table "odd'\\""name" ("own'\\er" uuid references auth.users, id int primary key);
    grant select on "odd'\\""name" to authenticated;
    alter publication supabase_realtime set table "odd'\\""name"`);
  expect(await watchedTables()).toEqual([["public", "odd'\\\"name", "own'\\er"]]);
  const before = await triggers();
  await watchedTables();
  expect(await triggers()).toEqual(before);
  await database.sql.unsafe(
    `alter table "odd'\\""name" drop constraint "odd'\\""name_pkey", add primary key (id, "own'\\er")`,
  );
  await watchedTables();
  expect(await triggers()).not.toEqual(before);
});

test("a table without a key, without exactly one owner or with unreadable columns is not watched and can be written", async () => {
  await database.sql.unsafe(`
    create table keyless (user_id uuid references auth.users);
    create table nobodys (id int primary key);
    create table twos (id int primary key, one uuid references auth.users, two uuid references auth.users);
    create table hidden (id int primary key, user_id uuid references auth.users, secret text);
    grant select on keyless, nobodys, twos to authenticated;
    grant select (id, user_id) on hidden to authenticated;
    alter publication supabase_realtime set table keyless, nobodys, twos, hidden`);
  expect(await watchedTables()).toEqual([]);
  await database.sql`insert into nobodys values (1)`;
  expect(await triggers()).toEqual([]);
});

test("two concurrent starts install the triggers without conflict", async () => {
  const installed = await Promise.all([watchedTables(), watchedTables()]);
  expect(installed[0]).toEqual(installed[1]);
});

test("people can neither see the schema nor call its functions", async () => {
  const found = await database.sql<{ calls: boolean; looks: boolean }[]>`
    select has_function_privilege(role, p.oid, 'execute') as calls,
      has_schema_privilege(role, p.pronamespace, 'usage') as looks
    from pg_proc p cross join unnest(array['anon', 'authenticated']) as role
    where p.pronamespace = 'realtime'::regnamespace`;
  expect(found).toHaveLength(4);
  expect(found.filter(({ calls, looks }) => calls || looks)).toEqual([]);
});

test("a notification contains the key and the owner, and no other column of the row", async () => {
  await createNotes(database.sql);
  await installRealtime(database.sql);
  const told = Promise.withResolvers<string>();
  const listening = await database.sql.listen(CHANGES_CHANNEL, told.resolve);
  await database.sql`insert into notes (id, user_id, body) values (9007199254740993, ${alice}, 'private words')`;
  const text = await told.promise;
  expect(text).not.toContain("private words");
  expect(JSON.parse(text).rows).toEqual([{ owner: alice, key: '{"id": 9007199254740993}' }]);
  await listening.unlisten();
});

test("RUN-07 a statement notifies once for all its rows, split by size and in their order", async () => {
  await createNotes(database.sql);
  await installRealtime(database.sql);
  const notifications: { data: { type: string }; rows: { key: string }[] }[] = [];
  const ended = Promise.withResolvers<void>();
  const listening = await database.sql.listen(CHANGES_CHANNEL, (text) => {
    if (text === "end") ended.resolve();
    else notifications.push(JSON.parse(text));
  });
  const insert = (from: number, to: number) => database.sql`
    insert into notes (id, user_id, body) select id, ${alice}, 'a note' from generate_series(${from}::int, ${to}::int) as id`;
  await insert(1, 20);
  await insert(21, 320);
  await database.sql`update notes set body = 'another' where id < 0`;
  await database.sql`delete from notes where id = 7`;
  await database.sql`select pg_notify(${CHANGES_CHANNEL}, 'end')`;
  await ended.promise;
  expect(notifications.map(({ data, rows }) => [data.type, rows.length])).toEqual([
    ["INSERT", 20],
    ...notifications.slice(1, -1).map(({ rows }) => ["INSERT", rows.length]),
    ["DELETE", 1],
  ]);
  expect(notifications.length).toBeLessThan(15);
  const inserted = notifications
    .slice(0, -1)
    .flatMap(({ rows }) => rows.map(({ key }) => JSON.parse(key).id));
  expect(inserted).toEqual(Array.from({ length: 320 }, (_, index) => index + 1));
  await listening.unlisten();
});
