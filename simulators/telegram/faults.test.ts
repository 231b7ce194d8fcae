import { expect, onTestFinished, test } from "vitest";
import { startTestTelegram } from "./test-client.ts";

async function start() {
  const world = await startTestTelegram({ floodControl: false });
  onTestFinished(() => world.telegram.close());
  const chat_id = await world.person();
  const address = `${world.telegram.url}/bot${world.telegram.bot.token}/sendMessage`;
  /** The bare answer, or "broken" where there is none. */
  const send = (text: string, signal?: AbortSignal) =>
    fetch(address, {
      method: "POST",
      body: new URLSearchParams({ chat_id: String(chat_id), text }),
      ...(signal === undefined ? {} : { signal }),
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => "broken" as const);
  const fault = (order: object) => world.control("POST faults", order);
  const texts = () => world.telegram.ledger.accepted.map(({ text }) => text);
  return { ...world, chat_id, send, fault, texts };
}

test.each([
  [{ kind: "error", errorCode: 403, description: "Forbidden: bot was blocked by the user" }, 403],
  [{ kind: "error", errorCode: 500, description: "Internal Server Error: restart" }, 500],
  [{ kind: "error", errorCode: 401 }, 401],
  [{ kind: "error", errorCode: 429, retryAfter: 35 }, 429],
])("a set error %o is answered once and nothing is sent", async (order, status) => {
  const { send, fault, texts } = await start();
  await fault(order);
  const answer = await send("1");
  expect(answer).toMatchObject({ status });
  expect(await send("2")).toMatchObject({ status: 200 });
  expect(texts()).toEqual(["2"]);
});

test("a 429 says how long in body and header, and can come without", async () => {
  const { call, fault, chat_id } = await start();
  await fault({ kind: "error", errorCode: 429, retryAfter: 35, method: "getMe" });
  await fault({ kind: "error", errorCode: 429, description: "Too Many Requests", method: "sendMessage" });
  expect((await call("sendMessage", { chat_id, text: "x" })).body).toEqual({
    ok: false,
    error_code: 429,
    description: "Too Many Requests",
  });
  const told = await call("getMe");
  expect(told.headers.get("retry-after")).toBe("35");
  expect(told.body.parameters).toEqual({ retry_after: 35 });
});

test("a storm refuses everything until it is over, and says how long it lasts", async () => {
  const { send, fault, clock, texts, call } = await start();
  await fault({ kind: "storm", forMs: 14_000 });
  expect(await send("1")).toMatchObject({ status: 429, text: expect.stringContaining('"retry_after":14') });
  clock.advance(10_500);
  expect(await send("2")).toMatchObject({ text: expect.stringContaining('"retry_after":4') });
  expect((await call("getUpdates")).status).toBe(200);
  clock.advance(3500);
  expect(await send("3")).toMatchObject({ status: 200 });
  expect(texts()).toEqual(["3"]);
});

test("a reset breaks the connection and nothing is sent", async () => {
  const { send, fault, texts, telegram } = await start();
  await fault({ kind: "reset" });
  expect(await send("1")).toBe("broken");
  expect(texts()).toEqual([]);
  expect(telegram.ledger.refused).toMatchObject([{ method: "sendMessage", fault: "reset" }]);
});

test("a drop breaks the connection after the message was taken, and the ledger knows it", async () => {
  const { send, fault, control, chat_id } = await start();
  await fault({ kind: "drop" });
  expect(await send("1")).toBe("broken");
  const ledger = await control("GET ledger");
  expect(ledger.totals).toMatchObject({ accepted: 1, unanswered: 1, refused: 0 });
  expect((await control(`GET chats/${chat_id}`)).messages).toMatchObject([{ text: "1" }]);
});

test("half an answer breaks off after the message was taken", async () => {
  const { send, fault, texts, telegram } = await start();
  await fault({ kind: "half" });
  expect(await send("1")).toBe("broken");
  expect(texts()).toEqual(["1"]);
  expect(telegram.ledger.accepted[0]?.isAnswered).toBe(false);
});

test.each([502, 503, 504])("a proxy's page of HTML comes with %i", async (status) => {
  const { send, fault, texts } = await start();
  await fault({ kind: "html", errorCode: status });
  expect(await send("1")).toMatchObject({ status, text: expect.stringMatching(/^<html>/) });
  expect(texts()).toEqual([]);
});

test("a 200 comes empty, or with nothing but not-ok, after the message was taken if so told", async () => {
  const { send, fault, texts } = await start();
  await fault({ kind: "empty" });
  await fault({ kind: "not-ok" });
  await fault({ kind: "empty", isApplied: true });
  expect(await send("1")).toEqual({ status: 200, text: "" });
  expect(await send("2")).toEqual({ status: 200, text: '{"ok":false}' });
  expect(await send("3")).toEqual({ status: 200, text: "" });
  expect(texts()).toEqual(["3"]);
});

test("a slow answer is a good one later, a hanging one never comes", async () => {
  const { send, fault, clock, texts, telegram } = await start();
  await fault({ kind: "slow", ms: 5000 });
  const slow = send("1");
  while (telegram.faults.list.length > 0) await new Promise(setImmediate);
  expect(texts()).toEqual([]);
  clock.advance(5000);
  expect(await slow).toMatchObject({ status: 200 });
  await fault({ kind: "hang" });
  const hangUp = new AbortController();
  const hanging = send("2", hangUp.signal);
  while (telegram.ledger.refused.length === 0) await new Promise(setImmediate);
  hangUp.abort();
  expect(await hanging).toBe("broken");
  expect(texts()).toEqual(["1"]);
});

test("a fault strikes the method and the chat it is meant for, so many times, after so many", async () => {
  const { call, fault, chat_id, person } = await start();
  const other = await person();
  const status = async (chat: number) => (await call("sendMessage", { chat_id: chat, text: "x" })).status;
  await fault({ kind: "error", errorCode: 500, method: "SendMessage", chatId: chat_id, times: 2, after: 1 });
  expect((await call("getMe")).status).toBe(200);
  expect([
    await status(other),
    await status(chat_id),
    await status(chat_id),
    await status(chat_id),
    await status(chat_id),
  ]).toEqual([200, 200, 500, 500, 200]);
});

test("a revoked token is 401 everywhere until it is given back", async () => {
  const { call, control, chat_id } = await start();
  await control("POST settings", { isTokenRevoked: true });
  expect((await call("sendMessage", { chat_id, text: "x" })).body).toEqual({
    ok: false,
    error_code: 401,
    description: "Unauthorized",
  });
  await control("POST settings", { isTokenRevoked: false });
  expect((await call("sendMessage", { chat_id, text: "x" })).status).toBe(200);
});

test("faults can be listed and cleared, and an unknown one is refused with the known ones named", async () => {
  const { send, fault, control } = await start();
  await fault({ kind: "reset", times: 5 });
  expect(await control("GET faults")).toMatchObject({ faults: [{ kind: "reset", times: 5 }] });
  await control("DELETE faults");
  expect(await send("1")).toMatchObject({ status: 200 });
  expect(await fault({ kind: "earthquake" })).toMatchObject({ error: "unknown-fault" });
  expect(await fault({ kind: "reset", chatid: 1 })).toMatchObject({ error: "bad-order" });
});

test("nothing in the ledger or the state names the token", async () => {
  const { send, control, telegram } = await start();
  await send("1");
  await fetch(`${telegram.url}/bot1:wrong/getMe`);
  const books = JSON.stringify([await control("GET ledger"), await control("GET state")]);
  expect(books).toContain("Unauthorized");
  expect(books).not.toContain(telegram.bot.token.split(":")[1]);
  expect(books).not.toContain("1:wrong");
});
