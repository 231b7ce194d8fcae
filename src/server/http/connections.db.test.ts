import { once } from "node:events";
import type { Socket } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { openSocket, rawRequest } from "#test/raw-http.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

// By default Node looks for slow connections every 30 s, which would be too late.
const CUT_IN_TIME = { timeout: 28_000 };

// Additional connections, for health checks.
const EXTRA = 32;
const SLOW = { timeout: 60_000 };

let product: TestProduct;
let sockets: Socket[] = [];

beforeAll(async () => {
  product = await startTestProduct({
    TRUSTED_PROXIES: "0",
    MAX_CONNECTIONS: "40",
    MAX_CONNECTIONS_PER_ADDRESS: "20",
  });
});

afterAll(() => product.stop());

afterEach(async () => {
  await Promise.all(
    sockets.map(async (socket) => {
      socket.destroy();
      await closed(socket);
    }),
  );
  sockets = [];
});

async function open(bytes = ""): Promise<Socket> {
  const socket = openSocket(product.url);
  sockets.push(socket);
  // A refused connection may be cut while it is still being written to.
  socket.on("error", () => {});
  socket.resume();
  await once(socket, "connect");
  if (bytes) socket.write(bytes);
  return socket;
}

/** Resolves on any end of the connection; `once` would reject on a reset. */
const closed = (socket: Socket) =>
  new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once("close", () => resolve())));
const livez = async () => (await rawRequest(product.url, { target: "/livez" })).status;
const configStatus = async () => (await rawRequest(product.url, { target: "/config.json" })).status;
const GENEROUS = { timeout: 20_000 };

/** A connection with a request whose body has not arrived yet. */
const openBusy = () =>
  open(
    `POST /rest/v1/rpc/describe_address_link HTTP/1.1\r\nHost: localhost\r\napikey: ${product.publishableKey}\r\nContent-Length: 1000\r\n\r\n{`,
  );

const openCount = () => sockets.filter((socket) => !socket.destroyed).length;

test(
  "DOOR-12 connections that send no request, no further request, or headers or body too slowly are cut",
  CUT_IN_TIME,
  async () => {
    const silent = await open();
    const answered = await open("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const slowHeaders = await open("GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    const head = `POST /auth/v1/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\napikey: ${product.publishableKey}`;
    const slowBody = await open(`${head}\r\nContent-Length: 100000\r\n\r\n{`);
    const trickle = setInterval(() => {
      for (const socket of [slowHeaders, slowBody]) socket.write(" ");
    }, 200);
    await Promise.all([silent, answered, slowHeaders, slowBody].map(closed));
    clearInterval(trickle);
    expect(await livez()).toBe(200);
  },
);

test("DOOR-12 idle connections over the limit make room for new ones, the oldest first", SLOW, async () => {
  for (let count = 0; count < 80; count += 1) await open();
  await expect.poll(openCount, GENEROUS).toBeLessThanOrEqual(20 + EXTRA);
  expect(sockets[0]?.destroyed).toBe(true);
  expect(sockets.at(-1)?.destroyed).toBe(false);
  expect(await livez()).toBe(200);
  await expect.poll(configStatus, GENEROUS).toBe(200);
});

test(
  "DOOR-12 new requests are refused at the connection limit, and health checks are still answered",
  SLOW,
  async () => {
    await expect
      .poll(async () => {
        await openBusy();
        return configStatus();
      }, GENEROUS)
      .toBe(503);
    expect(await livez()).toBe(200);
    const upgrade = await rawRequest(product.url, {
      target: `/realtime/v1/websocket?apikey=${product.publishableKey}&vsn=1.0.0`,
      headers: [
        ["Connection", "Upgrade"],
        ["Upgrade", "websocket"],
      ],
    });
    expect(upgrade.status).toBe(503);
    for (const socket of sockets) socket.destroy();
    await expect.poll(configStatus, GENEROUS).toBe(200);
  },
);

test("DOOR-12 the number of connections over the limit is bounded", SLOW, async () => {
  for (let count = 0; count < 120; count += 1) await openBusy();
  await expect.poll(openCount, GENEROUS).toBeLessThanOrEqual(20 + EXTRA);
});

test("DOOR-12 upgraded connections count, and leave room for ordinary ones", SLOW, async () => {
  const url = `${product.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${product.publishableKey}&vsn=1.0.0`;
  const live: WebSocket[] = [];
  const statuses: number[] = [];
  for (let count = 0; count < 25; count += 1) {
    const socket = new WebSocket(url);
    live.push(socket);
    statuses.push(
      await new Promise<number>((resolve) => {
        socket.on("open", () => resolve(101));
        socket.on("unexpected-response", (_, response) => resolve(response.statusCode ?? 0));
        socket.on("error", () => resolve(0));
      }),
    );
  }
  expect(statuses.filter((status) => status === 101)).toHaveLength(20);
  expect(await livez()).toBe(200);
  await Promise.all(
    live.map(async (socket) => {
      if (socket.readyState === WebSocket.CLOSED) return;
      const ended = new Promise((resolve) => socket.on("close", resolve));
      socket.terminate();
      await ended;
    }),
  );
  await expect.poll(configStatus, GENEROUS).toBe(200);
});
