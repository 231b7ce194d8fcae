import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { createMailbox } from "#test/test-realtime.ts";
import { listenFor } from "./listen-for.ts";

let database: TestDatabase;
let gate: Gate;
let listener: ReturnType<typeof listenFor>;
let received: ReturnType<typeof createMailbox<string>>;

beforeEach(async () => {
  database = await createTestDatabase();
  gate = await openGate(new URL(database.url));
  received = createMailbox();
});

afterEach(async () => {
  await listener.stop();
  await gate.remove();
  await database.drop();
});

function listen(checkIntervalMs = 20_000): void {
  listener = listenFor({
    url: gate.url,
    channel: ["one", "two"],
    onNotification: (payload, channel) => received.put(`${channel}: ${payload}`),
    onListening: () => received.put("listening"),
    onLost: () => received.put("lost"),
    checkIntervalMs,
  });
}

async function expectToReceive(text: string): Promise<void> {
  expect(await received.take()).toBe("listening");
  for (const channel of ["one", "two"]) {
    await database.sql.notify(channel, text);
    expect(await received.take()).toBe(`${channel}: ${text}`);
  }
}

test("listening resumes after several failed reconnects", async () => {
  listen();
  await expectToReceive("before");
  gate.shut();
  expect(await received.take()).toBe("lost");
  await gate.refusals(3);
  gate.reopen();
  await expectToReceive("again");
});

test("a database that is down at the start is retried", async () => {
  gate.shut();
  listen();
  await gate.refusals(2);
  gate.reopen();
  await expectToReceive("at last");
});

test("a connection that stops answering without closing is replaced", async () => {
  listen(100);
  await expectToReceive("before");
  gate.silence();
  expect(await received.take()).toBe("lost");
  await expectToReceive("on a new connection");
});

test("stopping while the database is down ends the retries", async () => {
  gate.shut();
  listen();
  await gate.refusals(1);
  await listener.stop();
  gate.reopen();
  expect(gate.accepted()).toBe(0);
});

type Gate = {
  url: string;
  shut: () => void;
  reopen: () => void;
  remove: () => Promise<void>;
  /** Stops the traffic of the open connections without closing them. */
  silence: () => void;
  /** Resolves after this many refused connections since the gate was shut. */
  refusals: (count: number) => Promise<void>;
  accepted: () => number;
};

/** A proxy in front of the database. While it is shut, it resets every connection. */
async function openGate(target: URL): Promise<Gate> {
  const open = new Set<Socket>();
  let isShut = false;
  let refused = 0;
  let accepted = 0;
  const server: Server = createServer((visitor) => {
    visitor.on("error", () => {});
    if (isShut) {
      refused += 1;
      visitor.resetAndDestroy();
      return;
    }
    accepted += 1;
    const upstream = connect(Number(target.port), target.hostname.replace(/[[\]]/g, ""));
    upstream.on("error", () => visitor.destroy());
    visitor.on("close", () => upstream.destroy());
    upstream.on("close", () => visitor.destroy());
    upstream.pipe(visitor);
    visitor.pipe(upstream);
    open.add(visitor);
  });
  const shut = () => {
    isShut = true;
    refused = 0;
    accepted = 0;
    for (const visitor of open) visitor.destroy();
    open.clear();
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    shut,
    reopen: () => {
      isShut = false;
    },
    remove: async () => {
      shut();
      server.close();
      await once(server, "close");
    },
    silence: () => {
      for (const visitor of open) visitor.unpipe().pause();
    },
    refusals: (count) => expect.poll(() => refused).toBeGreaterThanOrEqual(count),
    accepted: () => accepted,
  };
}
