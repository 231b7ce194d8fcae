import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { changeStanding } from "./phone/membership.ts";
import { pressStart, say as sayOn } from "./phone/speak.ts";
import { description, startTestTelegram } from "./test-client.ts";
import type { Update } from "./update-queue.ts";

async function start() {
  const world = await startTestTelegram({ floodControl: false });
  onTestFinished(() => world.telegram.close());
  const personId = world.person();
  const say = (text: string) => sayOn(world.telegram, { personId, text });
  const poll = async (parameters: object = {}) => world.call<Update[]>("getUpdates", parameters);
  const textsOf = (updates: Update[]) => updates.map(({ message }) => (message as { text: string }).text);
  /** Waits until a poller other than the given one is waiting. */
  const untilPolled = (former?: unknown) =>
    vi.waitFor(() => expect([undefined, former]).not.toContain(world.telegram.polling.abort), 60_000);
  return { ...world, personId, say, poll, textsOf, untilPolled };
}

test("updates are returned again until a higher offset confirms them", async () => {
  const { say, poll, textsOf } = await start();
  for (const text of ["1", "2", "3"]) say(text);
  const first = (await poll()).body.result;
  expect(textsOf(first)).toEqual(["1", "2", "3"]);
  expect(textsOf((await poll({ limit: 2 })).body.result)).toEqual(["1", "2"]);
  const second = first[1]?.update_id ?? 0;
  expect(textsOf((await poll({ offset: second + 1 })).body.result)).toEqual(["3"]);
  expect((await poll({ offset: second + 2 })).body.result).toEqual([]);
  expect((await poll()).body.result).toEqual([]);
});

test("a negative offset keeps only the latest updates", async () => {
  const { say, poll, textsOf } = await start();
  for (const text of ["1", "2", "3"]) say(text);
  expect(textsOf((await poll({ offset: -1 })).body.result)).toEqual(["3"]);
  expect(textsOf((await poll()).body.result)).toEqual(["3"]);
});

test("an immediately repeated request gets one update", async () => {
  const { say, poll, clock } = await start();
  for (const text of ["1", "2"]) say(text);
  const offset = (await poll()).body.result[0]?.update_id;
  expect((await poll({ offset })).body.result).toHaveLength(2);
  expect((await poll({ offset })).body.result).toHaveLength(1);
  clock.advance(500);
  expect((await poll({ offset })).body.result).toHaveLength(2);
});

test("a long poll waits for an update or the timeout", async () => {
  const { say, poll, textsOf, untilPolled, clock } = await start();
  const waiting = poll({ timeout: 30 });
  await untilPolled();
  say("hi");
  const { result } = (await waiting).body;
  expect(textsOf(result)).toEqual(["hi"]);
  const empty = poll({ timeout: 900, offset: (result[0]?.update_id ?? 0) + 1 });
  await untilPolled();
  clock.advance(50_000);
  expect((await empty).body.result).toEqual([]);
});

test("a second poller ends the first with 409, and pollers that keep ending each other are delayed", async () => {
  const { poll, untilPolled, telegram, clock, say } = await start();
  const first = poll({ timeout: 30 });
  await untilPolled();
  const second = poll({ timeout: 30 });
  expect(description(await first)).toBe(
    "409 Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
  );
  await untilPolled();
  const waiting = telegram.polling.abort;
  const third = poll({ timeout: 30 });
  let isAnswered = false;
  void second.then(() => {
    isAnswered = true;
  });
  await untilPolled(waiting);
  say("for the third");
  expect((await third).body.result).toHaveLength(1);
  expect(isAnswered).toBe(false);
  clock.advance(3000);
  expect((await second).status).toBe(409);
});

test("a poller that disconnects does not block the next", async () => {
  const { telegram, untilPolled } = await start();
  const hangUp = new AbortController();
  const address = `${telegram.url}/bot${telegram.bot.token}/getUpdates?timeout=30`;
  const gone = fetch(address, { signal: hangUp.signal }).catch(() => "gone");
  await untilPolled();
  hangUp.abort();
  expect(await gone).toBe("gone");
  await vi.waitFor(() => expect(telegram.polling.abort).toBeUndefined(), 60_000);
});

test("updates of kinds that are not allowed are not sent, and the setting is kept", async () => {
  const { say, poll, personId, telegram } = await start();
  const kinds = async (parameters?: object) =>
    (await poll(parameters)).body.result.map((update) => Object.keys(update)[1]);
  await poll({ allowed_updates: ["my_chat_member"] });
  say("unheard");
  changeStanding(telegram, personId, { standing: "blocked" });
  expect(await kinds()).toEqual(["my_chat_member"]);
  await poll({ allowed_updates: [], offset: telegram.updates.nextId() });
  pressStart(telegram, personId);
  expect(await kinds()).toEqual(["my_chat_member", "message"]);
});

test("an update with any shape and any id can be injected", async () => {
  const { telegram, poll } = await start();
  telegram.updates.inject({ update_id: 5, message: null });
  telegram.updates.inject({ update_id: telegram.updates.nextId(), unheard_of: [] });
  const { result } = (await poll()).body;
  expect(result).toMatchObject([{ update_id: 5, message: null }, { unheard_of: [] }]);
});

interface Received {
  readonly secret: string | undefined;
  readonly text: string | undefined;
}

/** A webhook server that answers with the given answers in turn, then with 200. */
async function listen(answers: { status: number; headers?: Record<string, string> }[] = []) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { message } = (await json(request)) as { message?: { text?: string } };
    const secret = request.headers["x-telegram-bot-api-secret-token"];
    received.push({ secret: secret?.toString(), text: message?.text });
    const { status, headers = {} } = answers.shift() ?? { status: 200 };
    response.writeHead(status, headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const until = (count: number) => vi.waitFor(() => expect(received).toHaveLength(count), 60_000);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, until };
}

test("a webhook gets each update once, in order, with the secret", async () => {
  const { say, call, poll } = await start();
  const hook = await listen();
  const set = await call<boolean>("setWebhook", { url: hook.url, secret_token: "s3cret_-" });
  expect(set.body).toEqual({ ok: true, result: true });
  for (const text of ["1", "2", "3"]) say(text);
  await hook.until(3);
  expect(hook.received).toEqual(["1", "2", "3"].map((text) => ({ secret: "s3cret_-", text })));
  expect(description(await poll())).toBe(
    "409 Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
  );
});

test("a refused update is sent again at once, then with growing delays, and blocks its chat", async () => {
  const { say, call, clock, telegram } = await start();
  const hook = await listen([{ status: 500 }, { status: 500 }, { status: 503 }]);
  await call("setWebhook", { url: hook.url });
  say("1");
  say("2");
  await hook.until(2);
  const untilFailed = () => vi.waitFor(() => expect(telegram.webhook.underWay).toBe(0), 60_000);
  await untilFailed();
  clock.advance(1999);
  expect(hook.received).toHaveLength(2);
  clock.advance(1);
  await hook.until(3);
  await untilFailed();
  clock.advance(4000);
  await hook.until(5);
  expect(hook.received.map(({ text }) => text)).toEqual(["1", "1", "1", "1", "2"]);
});

test("Retry-After is honoured", async () => {
  const { say, call, clock, telegram } = await start();
  const hook = await listen([{ status: 429, headers: { "retry-after": "35" } }]);
  await call("setWebhook", { url: hook.url });
  say("1");
  await hook.until(1);
  await vi.waitFor(() => expect(telegram.webhook.underWay).toBe(0), 60_000);
  clock.advance(34_999);
  expect(hook.received).toHaveLength(1);
  clock.advance(1);
  await hook.until(2);
});

test("setting a webhook ends a waiting poll, and deleting it allows polling again", async () => {
  const { poll, untilPolled, call } = await start();
  const hook = await listen();
  const waiting = poll({ timeout: 30 });
  await untilPolled();
  await call("setWebhook", { url: hook.url });
  expect(description(await waiting)).toBe("409 Conflict: terminated by setWebhook request");
  await call("deleteWebhook");
  expect((await poll()).body.ok).toBe(true);
});

test("a webhook needs HTTPS, one of four ports and a valid secret", async () => {
  const { telegram, call } = await startTestTelegram({ localWebhooks: false });
  onTestFinished(() => telegram.close());
  const set = async (parameters: object) => description(await call("setWebhook", parameters));
  expect(await set({ url: "http://bot.example.com" })).toBe(
    "400 Bad Request: bad webhook: An HTTPS URL must be provided for webhook",
  );
  expect(await set({ url: "https://bot.example.com:3000" })).toBe(
    "400 Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443",
  );
  expect(await set({ url: "https://bot.example.com", secret_token: "a b" })).toBe(
    "400 Bad Request: secret token contains unallowed characters",
  );
  expect((await call("setWebhook", { url: "https://bot.example.com:8443/x" })).body.ok).toBe(true);
});
