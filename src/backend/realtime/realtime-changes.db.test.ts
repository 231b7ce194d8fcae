import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import {
  alice,
  bob,
  createNotes,
  createPerson,
  listenTo,
  type Person,
  type RunningRealtime,
  startRealtime,
  subscribe,
  tokenFor,
} from "#test/test-realtime.ts";

let database: TestDatabase;
let server: RunningRealtime;
let people: Person[];

beforeEach(async () => {
  database = await createTestDatabase();
  await createNotes(database.sql);
  server = await startRealtime(database);
  people = [];
});

afterEach(async () => {
  await Promise.all(people.map(({ client }) => client.removeAllChannels()));
  await server.close();
  await database.drop();
});

/** For tests that change the tables. */
async function startAgain(): Promise<void> {
  await server.close();
  server = await startRealtime(database);
}

async function arrive(userId: string | null, realtime = {}): Promise<Person> {
  const person = createPerson(server.port, userId && (await tokenFor(userId)), realtime);
  people.push(person);
  return person;
}

async function write(userId: string, body: string): Promise<string> {
  const [row] = await database.sql<{ id: string }[]>`
    insert into notes (user_id, body) values (${userId}, ${body}) returning id`;
  return row?.id ?? "";
}

test("an inserted row arrives in Supabase's format, with its types", async () => {
  const { events } = await subscribe(await arrive(alice), "own", { event: "INSERT", table: "notes" });
  await database.sql`
    insert into notes (user_id, body, tags, price)
    values (${alice}, 'a "quoted" ñandú', array['a,b', 'c'], 1234.5)`;
  expect(await events.take()).toEqual({
    schema: "public",
    table: "notes",
    eventType: "INSERT",
    commit_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    errors: null,
    new: { id: 1, user_id: alice, body: 'a "quoted" ñandú', tags: ["a,b", "c"], price: 1234.5 },
    old: {},
  });
});

test("an update carries the new row and the old key, a delete the old key", async () => {
  await database.sql`alter table notes replica identity full`;
  await startAgain();
  const own = { table: "notes", filter: `user_id=eq.${alice.toUpperCase()}` };
  const { events } = await subscribe(await arrive(alice), "own", own);
  const id = await write(alice, "first");
  await events.take();
  await database.sql`update notes set body = 'second', id = 7 where id = ${id}`;
  expect(await events.take()).toMatchObject({
    eventType: "UPDATE",
    new: { id: 7, body: "second", user_id: alice },
    old: { id: Number(id) },
  });
  await database.sql`update notes set body = 'third'`;
  expect((await events.take()).old).toEqual({ id: 7 });
  await database.sql`delete from notes`;
  const deleted = await events.take();
  expect(deleted).toMatchObject({ eventType: "DELETE", new: {} });
  expect(deleted.old).toEqual({ id: 7 });
});

test("a deletion passes a filter by owner only if the replica identity has the owner, as on hosted Supabase", async () => {
  const filter = `user_id=eq.${alice}`;
  const filtered = await subscribe(await arrive(alice), "filtered", { table: "notes", filter });
  const open = await subscribe(await arrive(alice), "open", { table: "notes" });
  // Its primary key has the owner.
  const tasks = await subscribe(await arrive(alice), "tasks", { table: "tasks", filter });
  const typesOf = async ({ events }: typeof open, count: number) => {
    const types: string[] = [];
    while (types.length < count) types.push((await events.take()).eventType);
    return types;
  };
  await write(alice, "first");
  await database.sql`insert into tasks values (${alice}, 1)`;
  // A row that is deleted before it was read arrives as its deletion alone.
  for (const channel of [filtered, open, tasks]) expect(await typesOf(channel, 1)).toEqual(["INSERT"]);
  await database.sql`delete from notes`;
  await database.sql`delete from tasks`;
  await write(alice, "last");
  expect(await typesOf(filtered, 1)).toEqual(["INSERT"]);
  expect(await typesOf(open, 2)).toEqual(["DELETE", "INSERT"]);
  expect(await typesOf(tasks, 1)).toEqual(["DELETE"]);
});

test("deletions of every published table pass the page's filter", async () => {
  const rows = await database.sql<{ table: string; hasOwner: boolean }[]>`
    select tablename as table, 'user_id' = any (
      select attname from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
      where indrelid = pg_class.oid and case relreplident when 'i' then indisreplident else indisprimary end
    ) as "hasOwner"
    from pg_publication_tables join pg_class on pg_class.oid = format('%I.%I', schemaname, tablename)::regclass
    where pubname = 'supabase_realtime' and tablename not in ('notes', 'tasks')`;
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter(({ hasOwner }) => !hasOwner)).toEqual([]);
});

test("changes of several tables arrive once each, in the order they were committed", async () => {
  const { events } = await subscribe(await arrive(alice), "own", { table: "notes" }, { table: "tasks" });
  await database.sql`insert into notes (user_id, body) select ${alice}, n::text from generate_series(1, 250) n`;
  await database.sql`insert into tasks values (${alice}, 251)`;
  const seen: unknown[] = [];
  while (seen.length < 251) seen.push((await events.take()).new.id);
  expect(seen).toEqual(Array.from({ length: 251 }, (_, index) => index + 1));
});

test("a rolled-back change is not sent", async () => {
  const { events } = await subscribe(await arrive(alice), "own", { table: "notes" });
  await database.sql
    .begin(async (sql) => {
      await sql`insert into notes (user_id, body) values (${alice}, 'undone')`;
      throw new Error("undo");
    })
    .catch(() => {});
  await write(alice, "done");
  expect((await events.take()).new.body).toBe("done");
});

test("each binding receives only its own kind of event", async () => {
  const person = await arrive(alice);
  const inserts = await subscribe(person, "inserts", { event: "INSERT", table: "notes" });
  const deletes = await subscribe(person, "deletes", { event: "DELETE", table: "notes" });
  const id = await write(alice, "short-lived");
  expect((await inserts.events.take()).new.body).toBe("short-lived");
  await database.sql`delete from notes where id = ${id}`;
  await write(alice, "last");
  expect((await inserts.events.take()).new.body).toBe("last");
  expect((await deletes.events.take()).eventType).toBe("DELETE");
  expect(deletes.events.waiting).toEqual([]);
});

test("DATA-04 neither Bob nor a guest receives Alice's rows, with a filter of hers or without one", async () => {
  const person = await arrive(bob);
  const open = await subscribe(person, "all", { table: "notes" });
  const hers = { table: "notes", filter: `user_id=eq.${alice}` };
  const curious = await subscribe(person, "hers", hers, { table: "tasks" });
  const guest = await subscribe(await arrive(null), "guest", { table: "notes" }, hers);
  let marks = 0;
  // Each change is delivered before the next is made: a row that no longer exists would hide a leak.
  const passBy = async (changing: Promise<unknown>) => {
    await changing;
    await write(bob, "mine");
    await database.sql`insert into tasks values (${bob}, ${++marks})`;
    expect((await open.events.take()).new.body).toBe("mine");
    expect((await curious.events.take()).new).toEqual({ user_id: bob, id: marks });
  };
  await passBy(database.sql`insert into notes (id, user_id, body) values (99, ${alice}, 'secret')`);
  await passBy(database.sql`update notes set body = 'still secret' where id = 99`);
  await passBy(database.sql`delete from notes where id = 99`);
  expect([open, curious, guest].flatMap(({ events }) => events.waiting)).toEqual([]);
});

test("DATA-04 the product's listings reach only their owner, deleted ones too", async () => {
  const filter = `user_id=eq.${alice}`;
  const hers = await subscribe(await arrive(alice), "hers", { table: "listings", filter });
  const his = await subscribe(await arrive(bob), "his", { table: "listings" });
  const find = (userId: string, id: string) => database.sql`
    insert into listings (listing_id, user_id, details) values (${id}, ${userId}, '{"rooms": 2}')`;
  await find(alice, "1");
  await find(bob, "2");
  expect((await hers.events.take()).new).toMatchObject({ listing_id: "1", details: { rooms: 2 } });
  expect((await his.events.take()).new).toMatchObject({ listing_id: "2", user_id: bob });
  await database.sql`delete from auth.users where id = ${alice}`;
  await find(bob, "3");
  const old = { listing_id: "1", user_id: alice };
  expect(await hers.events.take()).toMatchObject({ eventType: "DELETE", old });
  expect((await his.events.take()).new).toMatchObject({ listing_id: "3" });
  expect([...hers.events.waiting, ...his.events.waiting]).toEqual([]);
});

test("row-level security is checked again: an own row that may not be read is not sent", async () => {
  await database.sql`create policy "more" on notes as restrictive for select using (body <> 'secret')`;
  const { events } = await subscribe(await arrive(alice), "own", { table: "notes" });
  await write(alice, "secret");
  await write(alice, "open");
  expect((await events.take()).new.body).toBe("open");
});

test("READ-03 rows are read by a login that owns nothing, in the role of the subscriber", async () => {
  const login = `people_${crypto.randomUUID().replaceAll("-", "")}`;
  await database.sql.unsafe(`
    create role ${login} login noinherit password 'test';
    grant anon, authenticated to ${login};
    create policy "Only for that login" on notes as restrictive for select to authenticated
      using (session_user = '${login}' and current_user = 'authenticated')`);
  const url = new URL(database.url);
  url.username = login;
  url.password = "test";
  await server.close();
  server = await startRealtime(database, { peopleDatabaseUrl: url.href });
  try {
    const { events } = await subscribe(await arrive(alice), "own", { table: "notes" });
    await write(alice, "read as her");
    expect((await events.take()).new.body).toBe("read as her");
    const listeners = await database.sql`
      select usename from pg_stat_activity where datname = current_database() and query like 'listen "%'`;
    expect(listeners).toEqual([{ usename: login }]);
  } finally {
    await server.close();
    await database.sql.unsafe(`drop owned by ${login}; drop role ${login}`);
  }
});

test("a row that changes owners is sent only to its new owner, without the old owner's key", async () => {
  const hers = await subscribe(await arrive(alice), "hers", { event: "UPDATE", table: "tasks" });
  const his = await subscribe(await arrive(bob), "his", { table: "tasks" });
  await database.sql`insert into tasks values (${alice}, 1)`;
  await database.sql`update tasks set user_id = ${bob}`;
  const taken = await his.events.take();
  expect(taken).toMatchObject({ eventType: "UPDATE", new: { user_id: bob, id: 1 } });
  expect(taken.old).toEqual({});
  expect(hers.events.waiting).toEqual([]);
});

test("revoking a right makes subscribers join again and sends them nothing", async () => {
  const { events, statuses } = await subscribe(await arrive(alice), "own", { table: "notes" });
  await database.sql`revoke select on notes from authenticated`;
  await write(alice, "no longer to be read");
  expect(await statuses.take()).toContain("CHANNEL_ERROR");
  expect(events.waiting).toEqual([]);
  expect(server.log()).toContain("permission denied");
});

for (const [what, filter, reason] of [
  ["a table that is not published", { table: "profiles" }, "Unable to subscribe"],
  ["a filter by another column", { table: "notes", filter: "price=gt.9" }, "the only filter supported"],
  ["every table of a schema", {}, "Unable to subscribe"],
] as const) {
  test(`subscribing to ${what} is refused with the reason and sends nothing`, async () => {
    const { statuses, events } = listenTo(await arrive(alice), "wrong", [{ table: "notes" }, filter]);
    expect(await statuses.take()).toMatch(new RegExp(`^CHANNEL_ERROR: .*${reason}`));
    const { events: right } = await subscribe(await arrive(alice), "right", { table: "notes" });
    await write(alice, "told to the other");
    await right.take();
    expect(events.waiting).toEqual([]);
  });
}

test("a key too long for a notification makes only its owner's channels join again and reload", async () => {
  await database.sql.unsafe(`
    create table long_keys (id text primary key, user_id uuid references auth.users);
    grant select on long_keys to authenticated;
    alter publication supabase_realtime add table long_keys`);
  await startAgain();
  const hers = await subscribe(await arrive(alice), "long", { table: "long_keys" });
  const his = await subscribe(await arrive(bob), "long", { table: "long_keys" });
  await database.sql`insert into long_keys values (repeat('long', 2500), ${alice})`;
  expect(await hers.statuses.take()).toContain("CHANNEL_ERROR");
  expect(await hers.statuses.take()).toBe("SUBSCRIBED");
  expect(his.statuses.waiting).toEqual([]);
});

test("a row too large for a message makes its owner's channels join again and reload", async () => {
  const { statuses } = await subscribe(await arrive(alice), "own", { table: "notes" });
  await database.sql`insert into notes (user_id, body) values (${alice}, repeat('x', 600000))`;
  expect(await statuses.take()).toContain("CHANNEL_ERROR");
  expect(await statuses.take()).toBe("SUBSCRIBED");
});

test("the older frame format carries the same events", async () => {
  const { events } = await subscribe(await arrive(alice, { vsn: "1.0.0" }), "own", { table: "notes" });
  await write(alice, "in objects");
  expect(await events.take()).toMatchObject({ eventType: "INSERT", new: { body: "in objects" } });
});
