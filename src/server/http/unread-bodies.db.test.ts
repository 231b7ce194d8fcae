// A request that is refused before its body was read must not cost the next request on the same connection.
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSocket } from "#test/raw-http.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;

beforeAll(async () => {
  product = await startTestProduct();
});

afterAll(() => product.stop());

const TOO_LARGE = 200_000;
// The HTTP adapter closes a connection whose body is still unread half a second after the answer.
const AFTER_CLEANUP_MS = 800;

/** Sends a body on a new connection, then asks again there if the server did not announce that it closes. */
async function sendThenAskAgain({ path, body }: { path: string; body: string }) {
  const socket = openSocket(product.url);
  await once(socket, "connect");
  let text = "";
  let isClosed = false;
  socket.on("data", (chunk) => (text += chunk.toString("latin1")));
  socket.on("error", () => {});
  socket.on("close", () => (isClosed = true));
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\napikey: ${product.publishableKey}\r\nContent-Type: application/json\r\n${body}`,
  );
  await expect.poll(() => text).toMatch(/^HTTP\/1\.1 4\d\d /);
  const announcesClose = /^connection: close\r$/im.test(text);
  await wait(AFTER_CLEANUP_MS);
  text = "";
  if (!isClosed) socket.write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
  if (!isClosed && !announcesClose) await expect.poll(() => text).toMatch(/^HTTP\/1\.1 200 /);
  socket.destroy();
  return { announcesClose, isClosed };
}

const announced = `Content-Length: ${TOO_LARGE}\r\n\r\n${"x".repeat(TOO_LARGE)}`;
const inChunks = `Transfer-Encoding: chunked\r\n\r\n${TOO_LARGE.toString(16)}\r\n${"x".repeat(TOO_LARGE)}\r\n0\r\n\r\n`;

test.each([
  ["a table, announced as too large", "/rest/v1/searches", announced],
  ["a function that takes none", "/rest/v1/rpc/measured_figures", announced],
  ["a function that takes one", "/rest/v1/rpc/describe_address_link", announced],
  ["a sign-in", "/auth/v1/token?grant_type=password", announced],
  ["a page", "/config.json", announced],
  ["a table, in chunks", "/rest/v1/searches", inChunks],
  ["a function that takes none, in chunks", "/rest/v1/rpc/measured_figures", inChunks],
  ["a function that takes one, in chunks", "/rest/v1/rpc/describe_address_link", inChunks],
  ["a sign-in, in chunks", "/auth/v1/token?grant_type=password", inChunks],
])(
  "BYTE-01 after a body of 200 kB for %s the connection ends only if the answer said so",
  async (_, path, body) => {
    const { announcesClose, isClosed } = await sendThenAskAgain({ path, body });
    expect(isClosed).toBe(announcesClose);
  },
);
