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
} from "./realtime-fixture.ts";
import { installRealtimeTriggers } from "./realtime-schema.ts";

let database: TestDatabase;
let server: RunningRealtime;
let people: Person[];

beforeEach(async () => {
  database = await createTestDatabase();
  await createNotes(database.sql);
  server = await startRealtime(database.url);
  people = [];
});

afterEach(async () => {
  await Promise.all(people.map(({ client }) => client.removeAllChannels()));
  await server.close();
  await database.drop();
});

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

test("an inserted row arrives in Supabase's shape, with its types", async () => {
  const { events } = await subscribe(await arrive(alice), "own", { event: "INSERT", table: "notes" });
  await database.sql`
    insert into notes (user_id, body, tags, details, is_pinned, price)
    values (${alice}, 'a "quoted" ñandú', array['a,b', 'c'], '{"rooms": [1, 2]}', true, 1234.5)`;
  const event = await events.take();
  expect(event).toEqual({
    schema: "public",
    table: "notes",
    eventType: "INSERT",
    commit_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    errors: null,
    new: {
      id: 1,
      user_id: alice,
      body: 'a "quoted" ñandú',
      tags: ["a,b", "c"],
      details: { rooms: [1, 2] },
      is_pinned: true,
      price: 1234.5,
    },
    old: {},
  });
});

test("an update carries the new row and the old key, a delete the old key alone", async () => {
  const { events } = await subscribe(await arrive(alice), "own", { table: "notes" });
  const id = await write(alice, "first");
  await events.take();
  await database.sql`update notes set body = 'second' where id = ${id}`;
  expect(await events.take()).toMatchObject({
    eventType: "UPDATE",
    new: { id: 1, body: "second", user_id: alice },
    old: { id: 1 },
  });
  await database.sql`delete from notes where id = ${id}`;
  const deleted = await events.take();
  expect(deleted).toMatchObject({ eventType: "DELETE", new: {} });
  expect(deleted.old).toEqual({ id: 1 });
});

test("changes arrive in the order they were committed, each once", async () => {
  const { events } = await subscribe(await arrive(alice), "own", { table: "notes" });
  await database.sql`insert into notes (user_id, body) select ${alice}, n::text from generate_series(1, 250) n`;
  const bodies: unknown[] = [];
  while (bodies.length < 250) bodies.push((await events.take()).new.body);
  expect(bodies).toEqual(Array.from({ length: 250 }, (_, index) => String(index + 1)));
});

test("what is rolled back is never told", async () => {
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

test("each binding hears only its own kind of event", async () => {
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

for (const [filter, expected] of [
  ["body=eq.two", ["two"]],
  ["body=neq.two", ["one", "three"]],
  ["price=gt.9", ["two"]],
  ["price=lte.9.0", ["one"]],
  ["body=in.(one,three)", ["one", "three"]],
  ["price=is.null", ["three"]],
  ["price=not.is.null,body=like.t%", ["two"]],
  ["is_pinned=eq.true", ["three"]],
] as const) {
  test(`the filter ${filter} lets through ${expected.join(" and ")}`, async () => {
    const { events } = await subscribe(await arrive(alice), "filtered", {
      event: "INSERT",
      table: "notes",
      filter,
    });
    const end = await subscribe(people[0] ?? (await arrive(alice)), "end", { table: "notices" });
    await database.sql`
      insert into notes (user_id, body, price, is_pinned)
      values (${alice}, 'one', 9, false), (${alice}, 'two', 10, false), (${alice}, 'three', null, true)`;
    await database.sql`insert into notices values (1, 'end')`;
    await end.events.take();
    expect(events.waiting.map((event) => event.new.body)).toEqual(expected);
  });
}

test("DATA-04 Bob never receives Alice's rows, with a filter of hers or without one", async () => {
  const person = await arrive(bob);
  const open = await subscribe(person, "all", { table: "notes" });
  const curious = await subscribe(
    person,
    "hers",
    { table: "notes", filter: `user_id=eq.${alice}` },
    { table: "notices" },
  );
  const seen: unknown[] = [];
  // Each change of hers is told before the next is made, or a row already gone would hide a leak.
  const tell = async (...changing: Promise<unknown>[]) => {
    await Promise.all(changing);
    await write(bob, "mine");
    await database.sql`insert into notices select count(*), 'marker' from notices`;
    seen.push((await open.events.take()).new.body, (await curious.events.take()).table);
  };
  const id = await write(alice, "secret");
  await tell();
  await tell(database.sql`update notes set body = 'still secret' where id = ${id}`);
  await tell(database.sql`delete from notes where id = ${id}`);
  expect(seen).toEqual(["mine", "notices", "mine", "notices", "mine", "notices"]);
  expect([...open.events.waiting, ...curious.events.waiting]).toEqual([]);
});

test("DATA-04 a guest receives no person's rows, though what everyone may read", async () => {
  const guest = await subscribe(await arrive(null), "guest", { table: "notes" }, { table: "notices" });
  const id = await write(alice, "secret");
  await database.sql`insert into notices values (1, 'for all')`;
  expect((await guest.events.take()).new).toEqual({ id: 1, body: "for all" });
  await database.sql`delete from notes where id = ${id}`;
  await database.sql`insert into notices values (2, 'for all')`;
  expect((await guest.events.take()).new).toEqual({ id: 2, body: "for all" });
});

test("DATA-04 the listings of the product reach their owner alone, deleted ones too", async () => {
  await database.sql`insert into auth.users (id, email) values (${alice}, 'a@example.org'), (${bob}, 'b@example.org')`;
  const hers = await subscribe(await arrive(alice), "hers", {
    table: "listings",
    filter: `user_id=eq.${alice}`,
  });
  const his = await subscribe(await arrive(bob), "his", { table: "listings" });
  const find = (userId: string, id: string) => database.sql`
    insert into listings (listing_id, user_id, details) values (${id}, ${userId}, '{"rooms": 2}')`;
  await find(alice, "1");
  await find(bob, "2");
  expect((await hers.events.take()).new).toMatchObject({ listing_id: "1", details: { rooms: 2 } });
  expect((await his.events.take()).new).toMatchObject({ listing_id: "2", user_id: bob });
  await database.sql`delete from auth.users where id = ${alice}`;
  await find(bob, "3");
  expect(await hers.events.take()).toMatchObject({
    eventType: "DELETE",
    old: { listing_id: "1", user_id: alice },
  });
  expect((await his.events.take()).new).toMatchObject({ listing_id: "3" });
  expect([...hers.events.waiting, ...his.events.waiting]).toEqual([]);
});

test("a row that changes hands is told to its new owner, without the key its old owner had", async () => {
  await database.sql`create table shares (user_id uuid, id int, primary key (user_id, id))`;
  await database.sql`alter table shares enable row level security`;
  await database.sql`create policy "own" on shares for select using (auth.uid() = user_id)`;
  await database.sql`grant select on shares to authenticated`;
  await database.sql`alter publication supabase_realtime add table shares`;
  await installRealtimeTriggers(database.sql);
  const his = await subscribe(await arrive(bob), "his", { table: "shares" });
  await database.sql`insert into shares values (${alice}, 1)`;
  await database.sql`update shares set user_id = ${bob}`;
  expect(await his.events.take()).toMatchObject({
    eventType: "UPDATE",
    new: { user_id: bob, id: 1 },
    old: {},
  });
  await database.sql`update shares set id = 2`;
  expect(await his.events.take()).toMatchObject({ new: { id: 2 }, old: { user_id: bob, id: 1 } });
});

test("a column the role may not read stays out of the record and cannot be filtered by", async () => {
  await database.sql`revoke select on notes from authenticated`;
  await database.sql`grant select (id, user_id, body) on notes to authenticated`;
  const person = await arrive(alice);
  const { events } = await subscribe(person, "own", { table: "notes" });
  const probing = listenTo(person, "probing", [{ table: "notes", filter: "price=eq.7" }]);
  expect(await probing.system.take()).toMatchObject({
    status: "error",
    message: expect.stringContaining("price"),
  });
  await database.sql`insert into notes (user_id, body, price) values (${alice}, 'priced', 7)`;
  expect((await events.take()).new).toEqual({ id: 1, user_id: alice, body: "priced" });
});

test("a deleted row is shown by the policies' own rules: subqueries, whole rows, restrictions, hidden functions", async () => {
  await database.sql.unsafe(`
    create schema hidden;
    create function hidden.is_open(p public.notes) returns boolean language sql as $$ select p.body not like 'closed%' $$;
    create table members (note_id bigint, user_id uuid);
    grant select on members to authenticated;
    drop policy "People read their own notes" on notes;
    create policy "Members read" on notes for select to authenticated using (
      exists (select from members m where m.note_id = notes.id and m.user_id = auth.uid())
    );
    create policy "Open alone" on notes as restrictive for select to authenticated using (hidden.is_open(notes));
    create policy "Guests read pinned" on notes for select to anon using (is_pinned);
  `);
  await installRealtimeTriggers(database.sql);
  const hers = await subscribe(await arrive(alice), "hers", { event: "DELETE", table: "notes" });
  const his = await subscribe(
    await arrive(bob),
    "his",
    { event: "DELETE", table: "notes" },
    { table: "notices" },
  );
  await database.sql`insert into members values (1, ${alice}), (2, ${alice}), (3, ${bob})`;
  await database.sql`
    insert into notes (id, user_id, body) values
      (1, ${bob}, 'closed'), (2, ${bob}, 'open'), (3, ${alice}, 'closed too'), (4, ${alice}, 'open to no one')`;
  await database.sql`delete from notes`;
  await database.sql`insert into notices values (1, 'marker')`;
  expect((await hers.events.take()).old).toEqual({ id: 2 });
  expect((await his.events.take()).table).toBe("notices");
  expect(hers.events.waiting).toEqual([]);
  expect(server.log()).not.toContain("could not check");
});

test("a deleted row whose policies look at more than was told of it is not shown", async () => {
  await database.sql`create policy "more" on notes as restrictive for select using (body <> 'secret')`;
  const { events } = await subscribe(await arrive(alice), "own", { table: "notes" }, { table: "notices" });
  const id = await write(alice, "secretive");
  await events.take();
  await database.sql`delete from notes where id = ${id}`;
  await database.sql`insert into notices values (1, 'marker')`;
  expect((await events.take()).table).toBe("notices");
});

test("a table without row-level security is told to whoever may read it", async () => {
  const { events } = await subscribe(await arrive(bob), "notices", { table: "notices" });
  await database.sql`insert into notices values (7, 'hello')`;
  await events.take();
  await database.sql`delete from notices`;
  expect(await events.take()).toMatchObject({ eventType: "DELETE", old: { id: 7 } });
});

test("one channel may listen to every table of a schema", async () => {
  const { events } = await subscribe(await arrive(alice), "everything", { event: "*" });
  await write(alice, "mine");
  await database.sql`insert into notices values (1, 'ours')`;
  expect((await events.take()).table).toBe("notes");
  expect((await events.take()).table).toBe("notices");
});

for (const [what, filter, complaint] of [
  ["a table that is not published", { table: "profiles" }, "Unable to subscribe"],
  ["a table that does not exist", { table: "nonsense" }, "Unable to subscribe"],
  ["an unknown column", { table: "notes", filter: "nothing=eq.1" }, "invalid column for filter nothing"],
  [
    "a value of the wrong type",
    { table: "notes", filter: "user_id=eq.7" },
    "invalid input syntax for type uuid",
  ],
  ["an unknown operator", { table: "notes", filter: "body=near.x" }, "unknown operator near"],
  ["a filter without an operator", { table: "notes", filter: "body" }, "expected column=operator.value"],
] as const) {
  test(`subscribing to ${what} is answered with what is wrong`, async () => {
    const { statuses, system } = listenTo(await arrive(alice), "wrong", [filter]);
    expect(await statuses.take()).toBe("SUBSCRIBED");
    expect(await system.take()).toMatchObject({
      extension: "postgres_changes",
      status: "error",
      message: expect.stringContaining(complaint),
      channel: "wrong",
    });
  });
}

test("a filter cannot carry SQL", async () => {
  const { events } = await subscribe(await arrive(bob), "sly", {
    table: "notes",
    filter: "body=eq.x' or '1'='1",
  });
  const end = await subscribe(people[0] ?? (await arrive(bob)), "end", { table: "notices" });
  await write(bob, "x");
  await database.sql`insert into notices values (1, 'end')`;
  await end.events.take();
  expect(events.waiting).toEqual([]);
});

test("a key too long to be told makes subscribers join again and reload", async () => {
  await database.sql`create table long_keys (id text primary key)`;
  await database.sql`grant select on long_keys to authenticated`;
  await database.sql`alter publication supabase_realtime add table long_keys`;
  await installRealtimeTriggers(database.sql);
  const { statuses } = await subscribe(await arrive(alice), "long", { table: "long_keys" });
  await database.sql`insert into long_keys values (repeat('long', 2500))`;
  expect(await statuses.take()).toContain("CHANNEL_ERROR");
  expect(await statuses.take()).toBe("SUBSCRIBED");
});

test("a record too large for a message comes without its long values, and says so", async () => {
  const { events } = await subscribe(await arrive(alice), "own", { table: "notes" });
  await database.sql`insert into notes (user_id, body) values (${alice}, repeat('x', 600000))`;
  const event = await events.take();
  expect(event.errors).toEqual(["Error 413: Payload Too Large"]);
  expect(event.new).toMatchObject({ id: 1, user_id: alice });
  expect(event.new.body).toBeUndefined();
});

test("the older frame format carries the same events", async () => {
  const { events } = await subscribe(await arrive(alice, { vsn: "1.0.0" }), "own", { table: "notes" });
  await write(alice, "in objects");
  expect(await events.take()).toMatchObject({ eventType: "INSERT", new: { body: "in objects" } });
});
