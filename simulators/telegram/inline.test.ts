import { afterEach, expect, test } from "vitest";
import { askInline } from "./phone/inline.ts";
import { description, startTestTelegram } from "./test-client.ts";

let started: Awaited<ReturnType<typeof startTestTelegram>>;
afterEach(() => started.telegram.close());

const article = (id: string, changes: object = {}) => ({
  ...{ type: "article", id, title: "A flat", input_message_content: { message_text: "A flat" } },
  ...changes,
});

test("an inline query is answered once, within half a minute, with valid results", async () => {
  started = await startTestTelegram({ inlineMode: true });
  const { telegram, call, person, clock } = started;
  const asked = askInline(telegram, { personId: person(), query: "x" });
  const answer = (results: unknown, id = asked.id) =>
    call("answerInlineQuery", { inline_query_id: id, results, cache_time: 0, is_personal: true });
  const refused = [
    [article("")],
    [article("x".repeat(65))],
    [article("1"), article("1")],
    [article("1", { title: "" })],
    [article("1", { input_message_content: { message_text: "" } })],
    [article("1", { reply_markup: { inline_keyboard: [[{ text: "no action" }]] } })],
    [article("1", { misspelled: true })],
    [{ type: "photo", id: "1", photo_url: "no link", thumbnail_url: "no link" }],
    Array.from({ length: 51 }, (_, n) => article(String(n))),
  ];
  for (const results of refused) expect((await answer(results)).status).toBe(400);
  expect(description(await answer([], "another"))).toContain("query ID is invalid");
  expect((await answer([article("1")])).body.ok).toBe(true);
  expect(asked.answer).toMatchObject({ cacheTime: 0, isPersonal: true });
  clock.advance(31_000);
  expect(description(await answer([article("1")]))).toContain("query is too old");
});

test("without inline mode nobody can ask, and getMe says so", async () => {
  started = await startTestTelegram();
  const { telegram, call, person } = started;
  expect((await call<{ supports_inline_queries: boolean }>("getMe")).body.result).toMatchObject({
    supports_inline_queries: false,
  });
  expect(() => askInline(telegram, { personId: person(), query: "x" })).toThrow("inline mode is off");
});

test("a button that opens the chooser of chats allows some kind of chat and does nothing else", async () => {
  started = await startTestTelegram();
  const { call, person } = started;
  const chat = person();
  const send = (button: object) =>
    call("sendMessage", {
      ...{
        chat_id: chat,
        text: "A flat",
        reply_markup: { inline_keyboard: [[{ text: "Send", ...button }]] },
      },
    });
  const chosen = { query: "x", allow_user_chats: true };
  expect((await send({ switch_inline_query_chosen_chat: chosen })).body.ok).toBe(true);
  expect((await send({ switch_inline_query_chosen_chat: { query: "x" } })).status).toBe(400);
  expect((await send({ switch_inline_query_chosen_chat: chosen, callback_data: "x" })).status).toBe(400);
  expect((await send({ switch_inline_query_chosen_chat: { ...chosen, other: 1 } })).status).toBe(400);
});
