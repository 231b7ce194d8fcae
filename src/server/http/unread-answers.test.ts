// What happens to an answer whose reader does not read it.
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { Backend } from "#backend/backend.ts";
import { openSocket } from "#test/raw-http.ts";
import type { HttpOptions } from "./http-app.ts";
import { createHttpServer, listen } from "./http-server.ts";

const UNREAD_MS = 400;
// More than the buffers of the operating system hold.
const LARGE = "x".repeat(48 * 1024 * 1024);

/** What a slow client reads at a time: it empties the buffers, so that the server sees that it reads. */
const STEADY_BYTES = 8 * 1024 * 1024;

let stop = async () => {};

afterEach(() => stop());

/** Serves one large answer. `written` are the ends that the backend was told. */
async function serve() {
  const written: Promise<unknown>[] = [];
  const backend = {
    fetch: async (_request: Request, _address: string, end: Promise<unknown>) => {
      written.push(end);
      return new Response(LARGE);
    },
  } as unknown as Backend;
  const options = {
    siteUrl: "http://localhost:3000",
    trustedProxies: 0,
    freeRefusals: 100,
    unreadMs: UNREAD_MS,
    backend,
    logger: { info: () => {}, debug: () => {}, warn: () => {}, error: () => {} },
    connectionLimits: { connections: 10, perAddress: undefined },
  } as unknown as HttpOptions & { connectionLimits: { connections: number; perAddress: undefined } };
  const server = createHttpServer(options);
  const port = await listen(server, { port: 0, host: "127.0.0.1" });
  stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const socket = openSocket(`http://127.0.0.1:${port}`);
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write("GET /rest/v1/things HTTP/1.1\r\nHost: localhost\r\n\r\n");
  return { socket, written };
}

test("BYTE-02 a client that does not read its answer is cut off, and what it held is released", async () => {
  const { socket, written } = await serve();
  socket.pause();
  await expect.poll(() => written.length).toBe(1);
  await written[0];
  socket.resume();
  await once(socket, "close");
  expect(socket.bytesRead).toBeLessThan(LARGE.length);
});

test("BYTE-02 a client that reads slowly but steadily gets its whole answer", async () => {
  const { socket, written } = await serve();
  let bytes = 0;
  socket.on("data", (chunk) => {
    bytes += chunk.length;
  });
  // Longer than the limit in total.
  for (let turn = 1; turn <= 5; turn += 1) {
    socket.pause();
    await wait(UNREAD_MS / 3);
    socket.resume();
    while (bytes < turn * STEADY_BYTES) await once(socket, "data");
  }
  await expect.poll(() => bytes).toBeGreaterThan(LARGE.length);
  await written[0];
  socket.destroy();
});
