import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import {
  alice,
  apiKey,
  connectRaw,
  createNotes,
  notesOf,
  type RunningRealtime,
  socketUrl,
  startRealtime,
  statusOfUpgrade,
  tokenFor,
} from "#test/test-realtime.ts";
import type { RealtimeContext } from "./realtime-context.ts";

let database: TestDatabase;
let server: RunningRealtime;

beforeEach(async () => {
  database = await createTestDatabase();
  await createNotes(database.sql);
});

afterEach(async () => {
  await server.close();
  await database.drop();
});

async function start(limits: Partial<RealtimeContext["limits"]> = {}): Promise<void> {
  server = await startRealtime(database, { limits });
}

const urlWith = (query: string) => socketUrl(server.port, query);

const connect = () => connectRaw(server.port);

/** A guest's join. */
const NOTES = { config: { postgres_changes: [{ event: "*", schema: "public", table: "notes" }] } };

test("a join, a change and a leave in frames of version 2", async () => {
  await start();
  const { send, take } = await connect();
  send(["1", "1", "realtime:own", "phx_join", notesOf(await tokenFor(alice))]);
  const id = expect.any(Number);
  expect(await take()).toEqual([
    "1",
    "1",
    "realtime:own",
    "phx_reply",
    { status: "ok", response: { postgres_changes: [{ id, event: "*", schema: "public", table: "notes" }] } },
  ]);
  expect(await take()).toEqual([
    "1",
    null,
    "realtime:own",
    "system",
    { status: "ok", message: "Subscribed to PostgreSQL", extension: "postgres_changes", channel: "own" },
  ]);
  await database.sql`insert into notes (user_id, body) values (${alice}, 'hello')`;
  expect(await take()).toEqual([
    "1",
    null,
    "realtime:own",
    "postgres_changes",
    {
      ids: [id],
      data: {
        schema: "public",
        table: "notes",
        commit_timestamp: expect.any(String),
        type: "INSERT",
        columns: [
          { name: "id", type: "int8" },
          { name: "user_id", type: "uuid" },
          { name: "body", type: "text" },
          { name: "tags", type: "_text" },
          { name: "price", type: "numeric" },
        ],
        record: { id: 1, user_id: alice, body: "hello", tags: [], price: null },
        errors: null,
      },
    },
  ]);
  send(["1", "2", "realtime:own", "phx_leave", {}]);
  expect(await take()).toEqual(["1", "2", "realtime:own", "phx_reply", { status: "ok", response: {} }]);
  expect(await take()).toEqual(["1", "1", "realtime:own", "phx_close", {}]);
});

test("a second join of a topic replaces the first", async () => {
  await start();
  const { send, take } = await connect();
  send(["1", "1", "realtime:any", "phx_join", NOTES]);
  await take();
  await take();
  send(["2", "2", "realtime:any", "phx_join", NOTES]);
  expect(await take()).toEqual(["1", "1", "realtime:any", "phx_close", {}]);
  expect(await take()).toMatchObject({ 0: "2", 3: "phx_reply" });
  expect(await take()).toMatchObject({ 3: "system" });
  send(["1", "3", "realtime:any", "phx_leave", {}]);
  expect(await take()).toMatchObject({ 1: "3", 4: { status: "ok" } });
  send(["2", "4", "realtime:any", "dance", {}]);
  expect(await take()).toMatchObject({
    4: { status: "error", response: { reason: expect.stringContaining("not supported") } },
  });
});

const refused = [
  ["a topic that is not Realtime's", ["1", "1", "elsewhere", "phx_join", NOTES], "unmatched topic"],
  ["a join without a topic name", ["1", "1", "realtime:", "phx_join", NOTES], "unmatched topic"],
  ["an event in a channel never joined", ["1", "1", "realtime:x", "access_token", {}], "unmatched topic"],
  ["an unknown event of the socket", [null, "1", "phoenix", "dance", {}], "unmatched topic"],
  [
    "a token that is a number",
    ["1", "1", "realtime:x", "phx_join", { ...NOTES, access_token: 7 }],
    "not a valid JWT",
  ],
  [
    "a private channel",
    ["1", "1", "realtime:x", "phx_join", { config: { private: true } }],
    "private channels are not supported",
  ],
  [
    "a channel for broadcasts alone",
    ["1", "1", "realtime:x", "phx_join", { config: { broadcast: { self: true } } }],
    "a channel without postgres_changes is not supported",
  ],
  [
    "presence",
    ["1", "1", "realtime:x", "phx_join", { config: { ...NOTES.config, presence: { enabled: true } } }],
    "presence is not supported",
  ],
] as const;

test("unsupported requests are refused with a reason", async () => {
  await start();
  const { send, take } = await connect();
  for (const [what, frame, reason] of refused) {
    send(frame);
    const response = { reason: expect.stringContaining(reason) };
    expect([what, await take()]).toMatchObject([what, { 3: "phx_reply", 4: { status: "error", response } }]);
  }
});

test("joins with an invalid payload are harmless", async () => {
  await start();
  const { send, take } = await connect();
  for (const payload of [null, 7, "x", [], { config: 7 }, { config: { postgres_changes: [null, 7, "x"] } }]) {
    send(["1", "1", "realtime:x", "phx_join", payload]);
    const reason = expect.stringContaining("without postgres_changes");
    expect(await take()).toMatchObject({ 4: { status: "error", response: { reason } } });
  }
});

test("an invalid frame closes only its own socket", async () => {
  await start();
  const bystander = await connect();
  for (const hostile of [
    "",
    "not json",
    "null",
    "7",
    "{}",
    "[]",
    '["1","1","realtime:x","phx_join"]',
    '["1","1",7,"phx_join",{}]',
    '["1",{},"realtime:x","phx_join",{}]',
    `["1","1","realtime:${"x".repeat(300)}","phx_join",{}]`,
    "[".repeat(50_000),
    Buffer.from([3, 255, 255, 255, 255, 255, 1]),
    Buffer.from([9]),
    Buffer.alloc(0),
  ]) {
    const { socket, closed } = await connect();
    socket.send(hostile);
    expect([hostile, await closed]).toEqual([hostile, 1007]);
  }
  bystander.send([null, "1", "phoenix", "heartbeat", {}]);
  expect(await bystander.take()).toMatchObject({ 4: { status: "ok" } });
});

test("a frame that is too large closes its socket", async () => {
  await start();
  const { socket, closed } = await connect();
  socket.send("x".repeat(100_001));
  expect(await closed).toBe(1009);
});

test("a wrong key, an unknown version and a foreign path are refused before the upgrade", async () => {
  await start();
  expect(await statusOfUpgrade(urlWith("apikey=wrong&vsn=2.0.0"))).toBe(401);
  expect(await statusOfUpgrade(urlWith("vsn=2.0.0"))).toBe(401);
  expect(await statusOfUpgrade(urlWith(`apikey=${apiKey}&vsn=9.0.0`))).toBe(403);
  const foreign = new WebSocket(`ws://127.0.0.1:${server.port}/other?apikey=${apiKey}`);
  await expect(once(foreign, "open")).rejects.toThrow("socket hang up");
});

test("the number of channels of a socket is limited", async () => {
  await start({ channelsPerSocket: 2 });
  const { send, take } = await connect();
  for (const topic of ["a", "b", "c"]) send(["1", topic, `realtime:${topic}`, "phx_join", NOTES]);
  for (const event of ["phx_reply", "system", "phx_reply", "system"])
    expect(await take()).toMatchObject({ 3: event, 4: { status: "ok" } });
  expect(await take()).toMatchObject({
    1: "c",
    4: { status: "error", response: { reason: /Too many channels/ } },
  });
});

test("DOOR-02 the join limit of an address applies to all of its sockets", async () => {
  await start({ joinsPerAddress: { burst: 2, perWindow: 1 } });
  for (const isLetIn of [true, true, false]) {
    const { send, take } = await connect();
    send(["1", "1", "realtime:a", "phx_join", NOTES]);
    expect(await take()).toMatchObject({ 4: { status: isLetIn ? "ok" : "error" } });
  }
});

test("a socket that sends too fast is closed", async () => {
  await start({ framesPerAddress: { burst: 20, perWindow: 20 } });
  const { send, closed } = await connect();
  for (let sent = 0; sent < 50; sent += 1) send([null, "1", "phoenix", "heartbeat", {}]);
  expect(await closed).toBe(1008);
});

test("sockets per address and channels per person are limited; closing one makes room", async () => {
  await start({ socketsPerAddress: 2, channelsPerUser: 1 });
  const first = await connect();
  const second = await connect();
  expect(await statusOfUpgrade(urlWith(`apikey=${apiKey}`))).toBe(429);
  const join = ["1", "1", "realtime:x", "phx_join", notesOf(await tokenFor(alice))];
  first.send(join);
  expect(await first.take()).toMatchObject({ 4: { status: "ok" } });
  second.send(join);
  const reason = expect.stringContaining("Too many channels");
  expect(await second.take()).toMatchObject({ 4: { status: "error", response: { reason } } });
  first.socket.close();
  await expect.poll(() => server.realtime.socketCount()).toBe(1);
  const third = await connect();
  third.send(join);
  expect(await third.take()).toMatchObject({ 4: { status: "ok" } });
});

test("a silent socket is dropped, one with heartbeats is not", async () => {
  await start({ idleMs: 1000 });
  const silent = await connect();
  const alive = await connect();
  const beating = setInterval(() => alive.send([null, "1", "phoenix", "heartbeat", {}]), 50);
  expect(await silent.closed).toBe(1006);
  clearInterval(beating);
  expect(alive.socket.readyState).toBe(WebSocket.OPEN);
});

test("a client that reads too slowly is dropped", async () => {
  await start({ unreadBytes: 100_000 });
  const { send, take, socket } = await connect();
  send(["1", "1", "realtime:own", "phx_join", notesOf(await tokenFor(alice))]);
  while (!JSON.stringify(await take()).includes("Subscribed to PostgreSQL"));
  socket.pause();
  await database.sql`
    insert into notes (user_id, body) select ${alice}, repeat('x', 300000) from generate_series(1, 100)`;
  await expect.poll(() => server.realtime.socketCount()).toBe(0);
  expect(server.log()).toContain("too slow");
  socket.terminate();
});

test("more changes than can be sent make subscribers join again", async () => {
  await start({ pendingChanges: 50 });
  const { send, take } = await connect();
  send(["1", "1", "realtime:own", "phx_join", notesOf(await tokenFor(alice))]);
  // Changes made before it listens are not missed.
  while (!JSON.stringify(await take()).includes("Subscribed to PostgreSQL"));
  await database.sql`insert into notes (user_id, body) select ${alice}, 'x' from generate_series(1, 2000)`;
  let frame = JSON.stringify(await take());
  while (!frame.includes("phx_error")) frame = JSON.stringify(await take());
  expect(frame).toBe(JSON.stringify(["1", "1", "realtime:own", "phx_error", {}]));
});

test("a client that does not answer the close frame cannot delay shutdown", async () => {
  await start();
  const { socket } = await connect();
  socket.pause();
  await server.realtime.close();
  expect(server.realtime.socketCount()).toBe(0);
  socket.terminate();
});

test("a stopping server sends close frames and leaves no connection to the database", async () => {
  await start();
  const { closed } = await connect();
  await server.realtime.close();
  expect(await closed).toBe(1001);
  const left = () => database.sql`
    select query from pg_stat_activity where datname = current_database() and query like 'listen "%'`;
  await expect.poll(left).toEqual([]);
});
