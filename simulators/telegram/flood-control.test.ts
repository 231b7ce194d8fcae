import { expect, test } from "vitest";
import { createHeldTelegramClock } from "./clock.ts";
import { FloodControl, type FloodLimits, TELEGRAM_LIMITS } from "./flood-control.ts";
import type { ChatKind } from "./model.ts";
import { emptyChat } from "./phone/create.ts";
import { startTestTelegram } from "./test-client.ts";

function held(kind: ChatKind = "private", limits: Partial<FloodLimits> = {}) {
  const clock = createHeldTelegramClock(0);
  clock.advance(1_000_000);
  const flood = new FloodControl(clock, { ...TELEGRAM_LIMITS, ...limits });
  const chat = emptyChat(1, kind, "ok");
  return { clock, send: (id = 1) => flood.admit(id === 1 ? chat : emptyChat(id, kind, "ok"), "send") };
}

test("a chat accepts a short burst, then one message a second", () => {
  const { clock, send } = held();
  expect([1, 2, 3, 4, 5, 6].map(() => send())).toEqual([0, 0, 0, 0, 0, 1]);
  clock.advance(999);
  expect(send()).toBe(1);
  clock.advance(1);
  expect([send(), send()]).toEqual([0, 1]);
});

test("one message a second is never limited", () => {
  const { clock, send } = held();
  for (let second = 0; second < 300; second += 1) {
    expect(send()).toBe(0);
    clock.advance(1000);
  }
});

test("counted by window, a chat accepts five messages in any five seconds", () => {
  const { clock, send } = held("private", { chatCounting: "window" });
  expect([1, 2, 3, 4].map(() => send())).toEqual([0, 0, 0, 0]);
  clock.advance(3000);
  expect([send(), send()]).toEqual([0, 2]);
  clock.advance(2000);
  expect([1, 2, 3, 4, 5].map(() => send())).toEqual([0, 0, 0, 0, 3]);
});

test("a group accepts 20 messages in any minute", () => {
  const { clock, send } = held("group");
  for (let index = 0; index < 20; index += 1) {
    expect(send()).toBe(0);
    clock.advance(1500);
  }
  expect(send()).toBe(30);
  clock.advance(29_999);
  expect(send()).toBe(1);
  clock.advance(1);
  expect(send()).toBe(0);
});

test("30 messages in any second are accepted over all chats, and the next must wait", () => {
  const { clock, send } = held();
  for (let id = 1; id <= 30; id += 1) expect(send(id + 100)).toBe(0);
  expect(send(200)).toBe(1);
  clock.advance(500);
  expect(send(201)).toBe(1);
  clock.advance(500);
  expect(send(202)).toBe(0);
});

test("29 messages a second to 600 chats are not limited for a minute", () => {
  const { clock, send } = held();
  for (let index = 0; index < 29 * 60; index += 1) {
    expect(send(1000 + (index % 600))).toBe(0);
    clock.advance(1000 / 29);
  }
});

test("a call that comes too early gets the delay in body and header, and does not extend it", async () => {
  const { telegram, clock, call, person } = await startTestTelegram();
  const chat_id = person();
  for (const text of ["1", "2", "3", "4", "5"])
    expect((await call("sendMessage", { chat_id, text })).status).toBe(200);
  const refused = await call("sendMessage", { chat_id, text: "6" });
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(refused.body).toEqual({
    ok: false,
    error_code: 429,
    description: "Too Many Requests: retry after 1",
    parameters: { retry_after: 1 },
  });
  clock.advance(1000);
  expect((await call("sendMessage", { chat_id, text: "6" })).status).toBe(200);
  expect(telegram.ledger.accepted.map(({ text }) => text)).toEqual(["1", "2", "3", "4", "5", "6"]);
  await telegram.close();
});
