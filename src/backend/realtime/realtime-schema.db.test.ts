import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { ensureRealtimeSchema, installRealtimeTriggers, notificationChannel } from "./realtime-schema.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
  await database.sql`alter publication supabase_realtime set table public.listings`;
});

afterEach(async () => {
  await database.drop();
});

async function triggersOf(table: string): Promise<string[]> {
  const rows = await database.sql<{ definition: string }[]>`
    select pg_get_triggerdef(oid) as definition from pg_trigger
    where tgrelid = ${table}::regclass and tgname = 'realtime_notify_change'`;
  return rows.map((row) => row.definition);
}

test("a database without a publication gets an empty one", async () => {
  await database.sql`drop publication supabase_realtime`;
  await ensureRealtimeSchema(database.sql);
  await ensureRealtimeSchema(database.sql);
  expect(await database.sql`select * from pg_publication_tables`).toEqual([]);
});

test("published tables are watched, with their key and what their policies look at", async () => {
  const installed = await installRealtimeTriggers(database.sql);
  expect(installed).toEqual({ watched: ["public.listings"], withoutKey: [] });
  expect(await triggersOf("listings")).toEqual([expect.stringContaining('["listing_id","user_id"]')]);
  expect(await triggersOf("profiles")).toEqual([]);
});

test("installing again touches nothing, so that no table is locked at each start", async () => {
  await installRealtimeTriggers(database.sql);
  const rows = () => database.sql`
    select oid, xmin from pg_trigger where tgname = 'realtime_notify_change'`;
  const before = await rows();
  await installRealtimeTriggers(database.sql);
  expect(await rows()).toEqual(before);
  expect(before).toHaveLength(1);
});

test("a table that leaves the publication is watched no more", async () => {
  await installRealtimeTriggers(database.sql);
  await database.sql`alter publication supabase_realtime drop table listings`;
  expect(await installRealtimeTriggers(database.sql)).toEqual({ watched: [], withoutKey: [] });
  expect(await triggersOf("listings")).toEqual([]);
});

test("a new policy changes what is told, and a policy on the whole row tells all of it", async () => {
  await database.sql.unsafe(`
    create table notes (id int primary key, author text, "odd'\\name" text, body text);
    alter table notes enable row level security;
    create policy own on notes for select using (author = current_user and "odd'\\name" is null);
    alter publication supabase_realtime add table notes`);
  await installRealtimeTriggers(database.sql);
  expect(await triggersOf("notes")).toEqual([expect.stringMatching(/\["author","id","odd''[\\]+name"\]/)]);
  await database.sql`create policy all_of_it on notes for select using (notes is not null)`;
  await installRealtimeTriggers(database.sql);
  expect(await triggersOf("notes")).toEqual([expect.stringContaining('"author","body","id"')]);
});

test("a published table without a key is named and left alone", async () => {
  await database.sql`create table keyless (id int)`;
  await database.sql`alter publication supabase_realtime add table keyless`;
  expect((await installRealtimeTriggers(database.sql)).withoutKey).toEqual(["public.keyless"]);
  await database.sql`insert into keyless values (1)`;
});

test("two starts at once install the triggers without tripping over each other", async () => {
  const installed = await Promise.all([
    installRealtimeTriggers(database.sql),
    installRealtimeTriggers(database.sql),
  ]);
  expect(installed.map(({ watched }) => watched)).toEqual([["public.listings"], ["public.listings"]]);
});

test("people may neither look into the schema nor call what is in it", async () => {
  await ensureRealtimeSchema(database.sql);
  for (const role of ["anon", "authenticated"]) {
    const [row] = await database.sql`
      select has_schema_privilege(${role}, 'realtime', 'usage') as looks,
        has_function_privilege(${role}, 'realtime.policy_columns(oid)', 'execute') as calls`;
    expect(row).toEqual({ looks: false, calls: false });
  }
});

test("a notification holds the key and no other column of the row", async () => {
  await database.sql.unsafe(`
    create table notes (id bigint primary key, body text);
    alter publication supabase_realtime add table notes`);
  await installRealtimeTriggers(database.sql);
  const told = Promise.withResolvers<string>();
  const listening = await database.sql.listen(notificationChannel, told.resolve);
  await database.sql`insert into notes values (9007199254740993, 'private words')`;
  const text = await told.promise;
  expect(text).not.toContain("private words");
  expect(JSON.parse(text)).toMatchObject({ table: "notes", type: "INSERT", row: '{"id": 9007199254740993}' });
  await listening.unlisten();
});
