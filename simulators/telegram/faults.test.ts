import { expect, onTestFinished, test, vi } from "vitest";
import type { Fault } from "./faults.ts";
import { startTestTelegram } from "./test-client.ts";

async function start() {
  const world = await startTestTelegram({ floodControl: false });
  onTestFinished(() => world.telegram.close());
  const chat_id = world.person();
  const address = `${world.telegram.url}/bot${world.telegram.bot.token}/sendMessage`;
  /** The raw answer, or "broken" if there is none. */
  const send = (text: string, signal?: AbortSignal) =>
    fetch(address, {
      method: "POST",
      body: new URLSearchParams({ chat_id: String(chat_id), text }),
      ...(signal === undefined ? {} : { signal }),
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => "broken" as const);
  const fault = (order: Fault) => world.telegram.faults.set(order);
  const texts = () => world.telegram.ledger.accepted.map(({ text }) => text);
  return { ...world, chat_id, send, fault, texts };
}

test.each([
  [{ kind: "error", errorCode: 403, description: "Forbidden: bot was blocked by the user" }, 403],
  [{ kind: "error", errorCode: 500 }, 500],
  [{ kind: "error", errorCode: 401 }, 401],
  [{ kind: "error", errorCode: 429, retryAfter: 35 }, 429],
] as const)("a set error %o is answered once and nothing is sent", async (order, status) => {
  const { send, fault, texts } = await start();
  fault(order);
  expect(await send("1")).toMatchObject({ status });
  expect(await send("2")).toMatchObject({ status: 200 });
  expect(texts()).toEqual(["2"]);
});

test("a 429 has the delay in body and header, or in neither", async () => {
  const { call, fault, chat_id } = await start();
  fault({ kind: "error", errorCode: 429, retryAfter: 35, method: "getMe" });
  fault({ kind: "error", errorCode: 429, description: "Too Many Requests", method: "sendMessage" });
  const body = { ok: false, error_code: 429, description: "Too Many Requests" };
  expect((await call("sendMessage", { chat_id, text: "x" })).body).toEqual(body);
  const told = await call("getMe");
  expect(told.headers.get("retry-after")).toBe("35");
  expect(told.body.parameters).toEqual({ retry_after: 35 });
});

test("a storm refuses every call until it ends, and returns the remaining time", async () => {
  const { send, fault, clock, texts, call } = await start();
  fault({ kind: "storm", forMs: 14_000 });
  expect(await send("1")).toMatchObject({ status: 429, text: expect.stringContaining('"retry_after":14') });
  clock.advance(10_500);
  expect(await send("2")).toMatchObject({ text: expect.stringContaining('"retry_after":4') });
  expect((await call("getUpdates")).status).toBe(200);
  clock.advance(3500);
  expect(await send("3")).toMatchObject({ status: 200 });
  expect(texts()).toEqual(["3"]);
});

test("a reset closes the connection without sending the message", async () => {
  const { send, fault, texts, telegram } = await start();
  fault({ kind: "reset" });
  expect(await send("1")).toBe("broken");
  expect(texts()).toEqual([]);
  expect(telegram.ledger.refused).toMatchObject([{ method: "sendMessage", fault: "reset" }]);
});

test.each(["drop", "half"] as const)(
  "a %s breaks the connection after the message was accepted, and the ledger records it",
  async (kind) => {
    const { send, fault, telegram } = await start();
    fault({ kind });
    expect(await send("1")).toBe("broken");
    await vi.waitFor(
      () => expect(telegram.ledger.accepted).toMatchObject([{ text: "1", isAnswered: false }]),
      60_000,
    );
    expect(telegram.ledger.refused).toEqual([]);
  },
);

test.each([502, 503, 504])("a proxy's HTML page has status %i", async (status) => {
  const { send, fault, texts } = await start();
  fault({ kind: "html", errorCode: status });
  expect(await send("1")).toMatchObject({ status, text: expect.stringMatching(/^<html>/) });
  expect(texts()).toEqual([]);
});

test("a 200 can be empty or contain just not-ok", async () => {
  const { send, fault, texts } = await start();
  fault({ kind: "empty" });
  fault({ kind: "not-ok" });
  expect(await send("1")).toEqual({ status: 200, text: "" });
  expect(await send("2")).toEqual({ status: 200, text: '{"ok":false}' });
  expect(texts()).toEqual([]);
});

test("a slow answer arrives late, a hanging one never", async () => {
  const { send, fault, clock, texts, telegram } = await start();
  fault({ kind: "slow", ms: 5000 });
  const slow = send("1");
  await vi.waitFor(() => expect(telegram.ledger.calls.sendMessage).toBe(1), 60_000);
  expect(texts()).toEqual([]);
  clock.advance(5000);
  expect(await slow).toMatchObject({ status: 200 });
  fault({ kind: "hang" });
  const hangUp = new AbortController();
  const hanging = send("2", hangUp.signal);
  await vi.waitFor(() => expect(telegram.ledger.refused).toHaveLength(1), 60_000);
  hangUp.abort();
  expect(await hanging).toBe("broken");
  expect(texts()).toEqual(["1"]);
});

test("a fault applies to its method and chat, as often as requested", async () => {
  const { call, fault, chat_id, person } = await start();
  const other = person();
  const status = async (chat: number) => (await call("sendMessage", { chat_id: chat, text: "x" })).status;
  fault({ kind: "error", errorCode: 500, method: "sendMessage", chatId: chat_id, times: 2 });
  expect((await call("getMe")).status).toBe(200);
  expect([await status(other), await status(chat_id), await status(chat_id), await status(chat_id)]).toEqual([
    200, 500, 500, 200,
  ]);
});

test("a revoked token gives 401 for every method until it is restored, and faults can be cleared", async () => {
  const { send, fault, telegram } = await start();
  telegram.isTokenRevoked = true;
  expect(await send("1")).toMatchObject({ status: 401 });
  telegram.isTokenRevoked = false;
  fault({ kind: "reset", times: 5 });
  telegram.faults.clear();
  expect(await send("2")).toMatchObject({ status: 200 });
});

test("the ledger does not contain the token", async () => {
  const { send, telegram } = await start();
  await send("1");
  await fetch(`${telegram.url}/bot1:wrong/getMe`);
  const ledger = JSON.stringify(telegram.ledger);
  expect(ledger).toContain("Unauthorized");
  expect(ledger).not.toContain(telegram.bot.token.split(":")[1]);
  expect(ledger).not.toContain("1:wrong");
});
