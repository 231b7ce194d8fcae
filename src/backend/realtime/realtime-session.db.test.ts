import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import {
  alice,
  bob,
  createMailbox,
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
let aheadMs: number;

beforeEach(async () => {
  database = await createTestDatabase();
  await createNotes(database.sql);
  aheadMs = 0;
  server = await startRealtime(database, { now: () => Date.now() + aheadMs });
  people = [];
});

afterEach(async () => {
  await Promise.all(people.map(({ client }) => client.removeAllChannels()));
  await server.close();
  await database.drop();
});

function arrive(token: string | null, realtime = {}): Person {
  const person = createPerson(server.port, token, realtime);
  people.push(person);
  return person;
}

async function write(userId: string, body: string): Promise<void> {
  await database.sql`insert into notes (user_id, body) values (${userId}, ${body})`;
}

function cutListener() {
  return database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen "%'`;
}

test("DATA-04 after signing in as Bob a channel receives Bob's rows and no longer Alice's", async () => {
  const person = arrive(await tokenFor(alice));
  const { events, system } = await subscribe(person, "own", { table: "notes" });
  await write(alice, "Alice's first");
  expect((await events.take()).new.body).toBe("Alice's first");
  await person.signInAs(await tokenFor(bob));
  expect(await system.take()).toMatchObject({ status: "ok", message: "Subscribed to PostgreSQL" });
  await write(alice, "Alice's second");
  await write(bob, "Bob's");
  expect((await events.take()).new.body).toBe("Bob's");
});

test("a refreshed token of the same person keeps the channel open", async () => {
  const person = arrive(await tokenFor(alice, { expiresAt: Date.now() + 60_000 }));
  const { events, system } = await subscribe(person, "own", { table: "notes" });
  await person.signInAs(await tokenFor(alice));
  await system.take();
  aheadMs = 120_000;
  await write(alice, "after the first token's end");
  expect((await events.take()).new.body).toBe("after the first token's end");
});

test("after signing out the channel belongs to a guest", async () => {
  const person = arrive(await tokenFor(alice));
  const { events, system } = await subscribe(person, "own", { table: "notes" });
  const other = await subscribe(arrive(await tokenFor(alice)), "other", { table: "notes" });
  await person.signInAs(null);
  await system.take();
  await write(alice, "no longer for this screen");
  await other.events.take();
  expect(events.waiting).toEqual([]);
});

test("a channel is closed with a reason when its token expires", async () => {
  const person = arrive(await tokenFor(alice, { expiresAt: Date.now() + 4000 }), {
    heartbeatIntervalMs: 500,
  });
  const { system, statuses, events } = await subscribe(person, "own", { table: "notes" });
  expect(await system.take()).toMatchObject({
    extension: "system",
    status: "error",
    message: "Token has expired",
  });
  expect(await statuses.take()).toBe("CLOSED");
  const other = await subscribe(arrive(await tokenFor(alice)), "later", { table: "notes" });
  await write(alice, "too late");
  await other.events.take();
  expect(events.waiting).toEqual([]);
});

test("an expired token receives no more changes, even before its channel is closed", async () => {
  const short = await subscribe(arrive(await tokenFor(alice)), "short", { table: "notes" });
  const nextWeek = Date.now() + 7 * 86_400_000;
  const long = await subscribe(arrive(await tokenFor(alice, { expiresAt: nextWeek })), "long", {
    table: "notes",
  });
  aheadMs = 2 * 3_600_000;
  await write(alice, "two hours later");
  expect((await long.events.take()).new.body).toBe("two hours later");
  expect(short.events.waiting).toEqual([]);
});

for (const [what, token, reason] of [
  ["an expired token", tokenFor(alice, { expiresAt: Date.now() - 60_000 }), /Token has expired/],
  ["a token signed by someone else", tokenFor(alice, { secret: "x".repeat(40) }), /not a valid JWT/],
  ["nonsense for a token", Promise.resolve("nonsense"), /not a valid JWT/],
  ["a token for a database role", tokenFor(alice, { role: "postgres" }), /not a valid JWT/],
] as const) {
  test(`${what} cannot join, and a valid token then joins by itself`, async () => {
    const person = arrive(await token);
    await person.client.realtime.setAuth();
    const { statuses, events, system } = listenTo(person, "own", [{ table: "notes" }]);
    expect(await statuses.take()).toMatch(reason);
    await person.signInAs(await tokenFor(alice));
    while ((await statuses.take()) !== "SUBSCRIBED");
    await system.take();
    await write(alice, "at last");
    expect((await events.take()).new.body).toBe("at last");
  });

  test(`refreshing with ${what} closes the channel`, async () => {
    const person = arrive(await tokenFor(alice));
    const { statuses, system } = await subscribe(person, "own", { table: "notes" });
    await person.signInAs(await token);
    expect(await system.take()).toMatchObject({ status: "error", message: expect.stringMatching(reason) });
    expect(await statuses.take()).toBe("CLOSED");
  });
}

test("heartbeats are answered", async () => {
  const heartbeats = createMailbox<string>();
  const person = arrive(null, { heartbeatIntervalMs: 50, heartbeatCallback: heartbeats.put });
  await subscribe(person, "any", { table: "notes" });
  expect(await heartbeats.take()).toBe("sent");
  expect(await heartbeats.take()).toBe("ok");
});

test("when the listening connection is lost, channels fail, join again by themselves and receive changes", async () => {
  const { statuses, events, system } = await subscribe(arrive(await tokenFor(alice)), "own", {
    table: "notes",
  });
  expect(await cutListener()).toHaveLength(1);
  expect(await statuses.take()).toContain("CHANNEL_ERROR");
  while ((await statuses.take()) !== "SUBSCRIBED");
  await system.take();
  await write(alice, "after the cut");
  expect((await events.take()).new.body).toBe("after the cut");
  expect(server.log()).toContain("realtime lost the database");
});

test("when every connection to the database is cut, channels recover as well", async () => {
  const { statuses, events, system } = await subscribe(arrive(await tokenFor(alice)), "own", {
    table: "notes",
  });
  await database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  expect(await statuses.take()).toContain("CHANNEL_ERROR");
  while ((await statuses.take()) !== "SUBSCRIBED");
  await system.take();
  await write(alice, "after the cut");
  expect((await events.take()).new.body).toBe("after the cut");
});

test("a channel that was left receives nothing more", async () => {
  const person = arrive(await tokenFor(alice));
  const left = await subscribe(person, "left", { table: "notes" });
  const kept = await subscribe(person, "kept", { table: "notes" });
  expect(await person.client.removeChannel(left.channel)).toBe("ok");
  expect(await left.statuses.take()).toBe("CLOSED");
  await write(alice, "who hears");
  await kept.events.take();
  expect(left.events.waiting).toEqual([]);
});

test("a broadcast is refused without an effect on the channels of its socket", async () => {
  const person = arrive(await tokenFor(alice));
  const { channel, events, statuses } = await subscribe(person, "room", { table: "notes" });
  const acknowledged = person.client.channel("acked", { config: { broadcast: { ack: true } } });
  acknowledged.on("postgres_changes", { event: "*", schema: "public", table: "notes" }, () => {});
  await new Promise<void>(
    (resolve) => void acknowledged.subscribe((status) => status === "SUBSCRIBED" && resolve()),
  );
  await channel.send({ type: "broadcast", event: "cursor", payload: { x: 1 } });
  const answer = await acknowledged.send({ type: "broadcast", event: "cursor", payload: { x: 1 } });
  expect(answer).toBe("error");
  await write(alice, "still here");
  expect(await events.take()).toMatchObject({ new: { body: "still here" } });
  expect(statuses.waiting).toEqual([]);
});

test("a channel without postgres_changes is refused at the join with a reason", async () => {
  const person = arrive(await tokenFor(alice));
  for (const config of [{}, { presence: { enabled: true, key: "me" } }, { broadcast: { self: true } }]) {
    const channel = person.client.channel(`room ${JSON.stringify(config)}`, { config });
    const said = await new Promise<string>((resolve) => {
      channel.subscribe((status, error) => resolve(`${status}: ${error?.message}`));
    });
    expect(said).toMatch(/^CHANNEL_ERROR: .*only postgres_changes/);
    await person.client.removeChannel(channel);
  }
});

test("presence is refused, and the channel stays open", async () => {
  const person = arrive(await tokenFor(alice));
  const { channel, events } = await subscribe(person, "room", { table: "notes" });
  expect(await channel.track({ here: true })).toBe("error");
  await write(alice, "still here");
  expect(await events.take()).toMatchObject({ new: { body: "still here" } });
});

test("two browsers of one person both receive a change", async () => {
  const token = await tokenFor(alice);
  const first = await subscribe(arrive(token), "own", { table: "notes" });
  const second = await subscribe(arrive(token), "own", { table: "notes", filter: `user_id=eq.${alice}` });
  await write(alice, "twice");
  expect((await first.events.take()).new.body).toBe("twice");
  expect((await second.events.take()).new.body).toBe("twice");
});

test("the log contains no token, key or claim", async () => {
  const token = await tokenFor(alice);
  const person = arrive(token);
  await subscribe(person, "own", { table: "notes" });
  await database.sql`drop table tasks, notes`;
  await person.signInAs(`${token}x`);
  await cutListener();
  await expect.poll(server.log).toContain("realtime lost the database");
  for (const secret of [token, "sb_publishable", alice, "example.org"])
    expect(server.log()).not.toContain(secret);
});
