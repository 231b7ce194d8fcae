import { once } from "node:events";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import {
  alice,
  apiKey,
  bob,
  connectRaw,
  createNotes,
  notesOf,
  type RawClient,
  type RunningRealtime,
  socketUrl,
  startRealtime,
  statusOfUpgrade,
  tokenFor,
} from "#test/test-realtime.ts";
import type { RealtimeLimits } from "./realtime-context.ts";

let database: TestDatabase;
let server: RunningRealtime;
let sockets: WebSocket[] = [];
/** The sessions that were checked. */
let checked: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  await createNotes(database.sql);
});

afterEach(async () => {
  for (const socket of sockets) socket.terminate();
  sockets = [];
  await server.close();
});

afterAll(() => database.drop());

async function start(limits: Partial<RealtimeLimits> = {}, hasSession = async () => true): Promise<void> {
  checked = [];
  let address = 0;
  server = await startRealtime(database, {
    limits,
    // Limits per user apply to all addresses together.
    addressOf: () => (limits.joinsPerUser || limits.socketsPerUser ? String(++address) : "here"),
    createSessionCheck: () => (bearer) => {
      checked.push(bearer.userId);
      return hasSession();
    },
  });
}

async function connect(): Promise<RawClient> {
  const client = await connectRaw(server.port);
  sockets.push(client.socket);
  return client;
}

const joinOf = (token: string, topic = "own") => ["1", "1", `realtime:${topic}`, "phx_join", notesOf(token)];
const tokenFrame = (token: string, topic = "own") => [
  "1",
  "2",
  `realtime:${topic}`,
  "access_token",
  { access_token: token },
];
const heartbeat = (ref = "beat") => [null, ref, "phoenix", "heartbeat", {}];

/** Takes frames up to the one that contains the text. */
async function takeUntil({ take }: RawClient, text: string): Promise<unknown[]> {
  const taken: unknown[] = [];
  do taken.push(await take());
  while (!JSON.stringify(taken.at(-1)).includes(text));
  return taken;
}

async function subscribeRaw(token: string): Promise<RawClient> {
  const client = await connect();
  client.send(joinOf(token));
  await takeUntil(client, "Subscribed to PostgreSQL");
  return client;
}

const write = (userId: string, body: string, times = 1) => database.sql`
  insert into notes (user_id, body) select ${userId}, ${body} from generate_series(1, ${times})`;

const inAnHour = () => Date.now() + 3_600_000;

test("READ-08 a token that has not changed is answered without the database", async () => {
  await start();
  const [first, second] = [await tokenFor(alice), await tokenFor(alice, { expiresAt: inAnHour() + 5_000 })];
  const client = await connect();
  for (const topic of ["a", "b", "c"]) client.send(joinOf(first, topic));
  for (let sent = 0; sent < 100; sent += 1) client.send(tokenFrame(first, "abc"[sent % 3]));
  client.send(heartbeat());
  await takeUntil(client, "beat");
  expect(checked).toEqual([alice]);
  for (const topic of ["a", "b", "c"]) client.send(tokenFrame(second, topic));
  client.send(heartbeat("later"));
  await takeUntil(client, "later");
  expect(checked).toEqual([alice, alice]);
});

test("READ-08 nothing more is read from a socket while its frame waits for the database", async () => {
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()];
  await start({}, () => {
    asked.resolve();
    return held.promise;
  });
  const [client, bystander] = [await connect(), await connect()];
  client.send(joinOf(await tokenFor(alice)));
  await asked.promise;
  for (let sent = 0; sent < 40; sent += 1)
    client.send([null, `beat ${sent}`, "phoenix", "heartbeat", { x: "x".repeat(60_000) }]);
  for (let sent = 0; sent < 50; sent += 1) {
    bystander.send(heartbeat());
    await bystander.take();
  }
  // What the connection had read before it was paused.
  expect(server.bytesRead()).toBeLessThan(400_000);
  held.resolve(true);
  await takeUntil(client, "beat 39");
});

test("READ-08 a client that does not read its replies is not read either, and loses nothing", async () => {
  await start({ framesPerAddress: { burst: 10_000, perWindow: 1 } });
  const client = await connect();
  client.socket.pause();
  const config = { postgres_changes: [{ table: "notes", extra: "x".repeat(60_000) }] };
  for (let sent = 0; sent < 290; sent += 1)
    client.send([String(sent), String(sent), "realtime:own", "phx_join", { config }]);
  const bystander = await connect();
  for (let sent = 0; sent < 200; sent += 1) {
    bystander.send(heartbeat());
    await bystander.take();
  }
  client.socket.resume();
  const frames = await takeUntil(client, '["289","289"');
  expect(frames.filter((frame) => JSON.stringify(frame).includes("phx_reply"))).toHaveLength(290);
  expect(server.log()).not.toContain("too slow");
});

test("READ-08 a user holds only so many sockets from all addresses, and a closed one makes room", async () => {
  await start({ socketsPerUser: 2 });
  const token = await tokenFor(alice);
  const first = await subscribeRaw(token);
  await subscribeRaw(token);
  const third = await connect();
  third.send(joinOf(token));
  const reason = expect.stringContaining("Too many connected sockets");
  expect(await third.take()).toMatchObject({ 4: { status: "error", response: { reason } } });
  expect(await third.closed).toBe(1008);
  await subscribeRaw(await tokenFor(bob));
  first.socket.close();
  await expect.poll(() => server.realtime.socketCount()).toBe(2);
  await subscribeRaw(token);
});

test("READ-08 a socket counts for its user after the channel has left or signed out", async () => {
  await start({ socketsPerUser: 1 });
  const token = await tokenFor(alice);
  const first = await subscribeRaw(token);
  first.send(tokenFrame(apiKey));
  first.send(["1", "3", "realtime:own", "phx_leave", {}]);
  await takeUntil(first, "phx_close");
  const second = await connect();
  second.send(joinOf(token));
  expect(await second.closed).toBe(1008);
});

test("READ-08 joins and new tokens of a user are limited over all addresses, before the database", async () => {
  await start({ joinsPerUser: { burst: 3, perWindow: 1 } });
  const [first, second] = [await tokenFor(alice), await tokenFor(alice, { expiresAt: inAnHour() + 5_000 })];
  const client = await subscribeRaw(first);
  client.send(tokenFrame(second));
  client.send(tokenFrame(first));
  client.send(tokenFrame(second));
  expect(await client.closed).toBe(1008);
  const other = await connect();
  other.send(joinOf(first));
  const reason = expect.stringContaining("Too many joins");
  expect(await other.take()).toMatchObject({ 4: { status: "error", response: { reason } } });
  expect(await other.closed).toBe(1008);
  expect(checked).toEqual([alice, alice, alice]);
  await subscribeRaw(await tokenFor(bob));
});

test("READ-08 the frames of an address count together: pings, pongs and new sockets too", async () => {
  await start({ framesPerAddress: { burst: 10, perWindow: 1 } });
  const [first, second] = [await connect(), await connect()];
  for (let sent = 0; sent < 4; sent += 1) {
    first.socket.ping();
    await once(first.socket, "pong");
  }
  for (let sent = 0; sent < 4; sent += 1) second.socket.pong();
  second.send(heartbeat());
  expect(await second.closed).toBe(1008);
  expect(await statusOfUpgrade(socketUrl(server.port, `apikey=${apiKey}`))).toBe(429);
});

test("READ-08 a message in too many fragments closes its socket", async () => {
  await start({ partsPerFrame: 10 });
  const { socket, closed } = await connect();
  for (let sent = 0; sent < 11; sent += 1) socket.send("x", { fin: false });
  expect(await closed).toBe(1008);
});

test("READ-08 the channels of a socket together hold only so many bindings", async () => {
  await start({ bindingsPerSocket: 2 });
  const client = await connect();
  for (const topic of ["a", "a", "b", "c"]) client.send(joinOf(apiKey, topic));
  await takeUntil(client, "Subscribed to PostgreSQL");
  await takeUntil(client, "Subscribed to PostgreSQL");
  await takeUntil(client, "Subscribed to PostgreSQL");
  expect(await client.take()).toMatchObject({
    2: "realtime:c",
    4: { status: "error", response: { reason: expect.stringContaining("Too many channels") } },
  });
});

test("READ-08 too many changes of one user make that user reload and nobody else", async () => {
  await start({ pendingChanges: 50 });
  const hers = await subscribeRaw(await tokenFor(alice));
  const his = await subscribeRaw(await tokenFor(bob));
  await write(alice, "one of many", 2_000);
  await takeUntil(hers, "phx_error");
  await write(bob, "his only one");
  expect(await his.take()).toMatchObject({
    3: "postgres_changes",
    4: { data: { record: { user_id: bob } } },
  });
});

test("READ-08 a user who would receive too many messages has to reload", async () => {
  await start({ messagesPerUser: { burst: 3, perWindow: 1 } });
  const client = await subscribeRaw(await tokenFor(alice));
  await write(alice, "one of five", 5);
  const events = (await takeUntil(client, "phx_error")).map((frame) => (frame as unknown[])[3]);
  expect(events).toEqual(["postgres_changes", "postgres_changes", "postgres_changes", "phx_error"]);
});

test("READ-08 a slow read of one user's rows does not delay the changes of another", async () => {
  await database.sql.unsafe(`
    create function public.wait_for_test() returns boolean language sql security definer
      as 'select pg_advisory_xact_lock_shared(42); select true';
    create policy "Slow" on tasks as restrictive for select to authenticated using (wait_for_test());`);
  await start();
  const hers = await connect();
  hers.send(["1", "1", "realtime:own", "phx_join", { ...notesOf(await tokenFor(alice)), config: tasks }]);
  await takeUntil(hers, "Subscribed to PostgreSQL");
  const his = await subscribeRaw(await tokenFor(bob));
  const lock = await database.sql.reserve();
  await lock`select pg_advisory_lock(42)`;
  await database.sql`insert into tasks values (${alice}, 1)`;
  await write(bob, "while her row is being read");
  expect(await his.take()).toMatchObject({ 4: { data: { record: { user_id: bob } } } });
  await lock`select pg_advisory_unlock(42)`;
  lock.release();
  expect(await hers.take()).toMatchObject({ 4: { data: { record: { user_id: alice, id: 1 } } } });
});

const tasks = { postgres_changes: [{ event: "*", schema: "public", table: "tasks" }] };

test("READ-06 closing all sockets ends channels and the joins under way, with the reason", async () => {
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()];
  await start({}, async () => {
    if (checked.length === 1) return true;
    asked.resolve();
    return held.promise;
  });
  const joined = await subscribeRaw(await tokenFor(alice));
  const joining = await connect();
  joining.send(joinOf(await tokenFor(bob)));
  await asked.promise;
  const closed = [joined, joining].map(({ socket }) => once(socket, "close"));
  server.realtime.closeAll("keys were revoked");
  held.resolve(true);
  for (const [code, reason] of await Promise.all(closed))
    expect([code, String(reason)]).toEqual([1008, "keys were revoked"]);
  await expect.poll(() => server.realtime.socketCount()).toBe(0);
});
