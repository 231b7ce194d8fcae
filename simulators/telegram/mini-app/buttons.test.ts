import { afterAll, beforeAll, expect, test } from "vitest";
import { createChat, createPerson } from "../phone/create.ts";
import { addBot } from "../phone/membership.ts";
import { description, startTestTelegram } from "../test-client.ts";

let world: Awaited<ReturnType<typeof startTestTelegram>>;
let chat_id: number;

beforeAll(async () => {
  world = await startTestTelegram({ floodControl: false });
  chat_id = createPerson(world.telegram, { languageCode: "es", isStarted: true }).id;
});
afterAll(() => world.telegram.close());

test("MINI-05 a menu button is that of its private chat, else that of all, and opens https or this machine", async () => {
  const url = "https://sereno.example/app/finds";
  const app = { type: "web_app", text: "Homes", web_app: { url } };
  const shown = async (id?: number) =>
    (await world.call<object>("getChatMenuButton", id === undefined ? {} : { chat_id: id })).body.result;
  expect(await shown(chat_id)).toEqual({ type: "commands" });
  await world.call("setChatMenuButton", { menu_button: app });
  expect([await shown(), await shown(chat_id)]).toEqual([app, app]);
  const own = { ...app, text: "Viviendas" };
  await world.call("setChatMenuButton", { chat_id, menu_button: own });
  expect([await shown(), await shown(chat_id)]).toEqual([app, own]);
  const plain = { ...app, web_app: { url: "http://sereno.example/app/finds" } };
  expect(description(await world.call("setChatMenuButton", { menu_button: plain }))).toBe(
    "400 Bad Request: BUTTON_URL_INVALID",
  );
});

test("MINI-03 a button that opens an app is for private chats and https", async () => {
  const creatorId = createPerson(world.telegram, { firstName: "Ana" }).id;
  const group = createChat(world.telegram, { kind: "group", creatorId });
  addBot(world.telegram, { chatId: group.id, by: creatorId });
  const send = (chat: number, url: string) =>
    world.call("sendMessage", {
      chat_id: chat,
      text: "Look",
      reply_markup: { inline_keyboard: [[{ text: "Open", web_app: { url } }]] },
    });
  expect((await send(chat_id, "https://sereno.example/app/finds")).body.ok).toBe(true);
  const refusal = "400 Bad Request: BUTTON_TYPE_INVALID";
  expect(description(await send(group.id, "https://sereno.example/app/finds"))).toBe(refusal);
  expect(description(await send(chat_id, "http://sereno.example/app/finds"))).toBe(refusal);
});
