import { expect, onTestFinished, test } from "vitest";
import type { ChatKind, MemberStatus } from "./model.ts";
import { createChat, createPerson, requireChatById } from "./phone/create.ts";
import { addBot, changeStanding, openLink, removeBot, upgradeGroup } from "./phone/membership.ts";
import { editSaying, pressButton, pressStart, say as sayOn } from "./phone/speak.ts";
import { description, startTestTelegram } from "./test-client.ts";
import type { Update } from "./update-queue.ts";

const BOT_LINK = "https://t.me/SerenoSimulatedBot";

async function start() {
  const world = await startTestTelegram({ floodControl: false, control: true });
  const { telegram, call, person } = world;
  onTestFinished(() => telegram.close());
  const owner = person("Olga");
  /** The updates since the last call. */
  const heard = async () => {
    const { result } = (await call<Update[]>("getUpdates")).body;
    await call("getUpdates", { offset: telegram.updates.nextId() });
    return result;
  };
  const group = (
    kind: Exclude<ChatKind, "private"> = "group",
    members: Record<string, MemberStatus> = {},
  ) => {
    const { id } = createChat(telegram, { kind, title: "Flat", creatorId: owner, members });
    addBot(telegram, { chatId: id, by: owner });
    return id;
  };
  return { ...world, owner, heard, group };
}

test("Start opens the chat and sends the payload, with the person's name and language", async () => {
  const { telegram, heard, call } = await start();
  const { id } = createPerson(telegram, { firstName: "Ana", lastName: "Ruiz", languageCode: "es" });
  expect(description(await call("sendMessage", { chat_id: id, text: "x" }))).toBe(
    "400 Bad Request: chat not found",
  );
  pressStart(telegram, id, "abc_-123");
  expect(await heard()).toMatchObject([
    {
      message: {
        text: "/start abc_-123",
        entities: [{ type: "bot_command", offset: 0, length: 6 }],
        from: { id, is_bot: false, first_name: "Ana", last_name: "Ruiz", language_code: "es" },
        chat: { id, type: "private" },
      },
    },
  ]);
  expect((await call("sendMessage", { chat_id: id, text: "x" })).body.ok).toBe(true);
});

test("a link to the bot passes on a valid payload, and other links are refused", async () => {
  const { telegram, owner } = await start();
  const open = (url: string) => openLink(telegram, { personId: owner, url }).text;
  expect(open(`${BOT_LINK}?start=tok-1`)).toBe("/start tok-1");
  expect(open(BOT_LINK)).toBe("/start");
  expect(open(`${BOT_LINK}?start=${"x".repeat(65)}`)).toBe("/start");
  expect(open(`${BOT_LINK}?start=a%20b`)).toBe("/start");
  for (const url of [
    "https://t.me/OtherBot?start=x",
    "https://evil.example/SerenoSimulatedBot",
    "nonsense",
  ]) {
    expect(() => open(url)).toThrow("not a link");
  }
});

test("a startgroup link adds the bot to the group and sends the payload", async () => {
  const { telegram, owner, heard } = await start();
  const { id: chatId } = createChat(telegram, { kind: "group", title: "Flat", creatorId: owner });
  const url = `${BOT_LINK}?startgroup=tok`;
  expect(() => openLink(telegram, { personId: owner, url })).toThrow("needs a group");
  openLink(telegram, { personId: owner, url, chatId });
  expect(await heard()).toMatchObject([
    { my_chat_member: { old_chat_member: { status: "left" }, new_chat_member: { status: "member" } } },
    { message: { new_chat_members: [{ username: "SerenoSimulatedBot" }] } },
    { message: { text: "/start@SerenoSimulatedBot tok", chat: { id: chatId, type: "group" } } },
  ]);
});

test("blocking and unblocking are reported, and deleting an account is not", async () => {
  const { telegram, owner, heard } = await start();
  changeStanding(telegram, owner, { standing: "blocked" });
  expect(() => sayOn(telegram, { personId: owner, text: "x" })).toThrow("blocked");
  pressStart(telegram, owner);
  expect(await heard()).toMatchObject([
    { my_chat_member: { old_chat_member: { status: "member" }, new_chat_member: { status: "kicked" } } },
    { my_chat_member: { old_chat_member: { status: "kicked" }, new_chat_member: { status: "member" } } },
    { message: { text: "/start" } },
  ]);
  changeStanding(telegram, owner, { standing: "deactivated" });
  expect(await heard()).toEqual([]);
});

test("a button press reaches the bot, and can be answered once and in time", async () => {
  const { telegram, owner, heard, call, clock } = await start();
  const url = "https://www.idealista.com/inmueble/1/";
  const inline_keyboard = [[{ text: "Open", url }], [{ text: "Hide", callback_data: "hide:1" }]];
  const sent = await call("sendMessage", { chat_id: owner, text: "x", reply_markup: { inline_keyboard } });
  const { message_id: messageId } = sent.body.result;
  const press = (which: object) => pressButton(telegram, { personId: owner, messageId, ...which });
  expect(press({ text: "Open" }).url).toBe(url);
  const [first, second] = [press({ row: 1 }).press, press({ data: "hide:1" }).press];
  expect(await heard()).toMatchObject(
    [first, second].map((made) => ({
      callback_query: {
        id: made?.id,
        data: "hide:1",
        from: { id: owner },
        message: { message_id: messageId },
      },
    })),
  );
  const answer = (callback_query_id?: string) =>
    call("answerCallbackQuery", { callback_query_id, text: "Hidden", show_alert: true });
  expect((await answer(first?.id)).body.ok).toBe(true);
  expect(first?.answer).toEqual({ text: "Hidden", isAlert: true });
  const tooOld = "400 Bad Request: query is too old and response timeout expired or query ID is invalid";
  clock.advance(30_001);
  for (const id of [first?.id, second?.id, "1"]) expect(description(await answer(id))).toBe(tooOld);
  expect(() => press({ data: "nothing" })).toThrow("no such button");
  press({ data: "forged", isForged: true });
  expect(await heard()).toMatchObject([{ callback_query: { data: "forged" } }]);
});

test("in a group the bot receives commands, replies and mentions; as an administrator all messages", async () => {
  const { telegram, owner, heard, group, call } = await start();
  const chatId = group("supergroup");
  const own = (await call("sendMessage", { chat_id: chatId, text: "x" })).body.result.message_id;
  await heard();
  const say = (text: string, more: object = {}) =>
    sayOn(telegram, { personId: owner, chatId, text, ...more });
  say("just talk");
  say("/id");
  say("/id@SerenoSimulatedBot");
  say("/id@OtherBot");
  say("well", { replyTo: own });
  say("hey @serenosimulatedbot");
  const texts = async () => (await heard()).map(({ message }) => (message as { text: string }).text);
  expect(await texts()).toEqual(["/id", "/id@SerenoSimulatedBot", "well", "hey @serenosimulatedbot"]);
  addBot(telegram, { chatId, by: owner, isAdmin: true });
  await heard();
  say("just talk");
  expect(await texts()).toEqual(["just talk"]);
});

test("adding, promoting, muting and removing the bot is reported", async () => {
  const { telegram, owner, heard, group } = await start();
  const chatId = group("supergroup");
  addBot(telegram, { chatId, by: owner, isAdmin: true });
  changeStanding(telegram, chatId, { standing: "muted", by: owner });
  removeBot(telegram, chatId, owner);
  const changes = (await heard()).flatMap(({ my_chat_member: change }) =>
    change === undefined ? [] : [(change as { new_chat_member: { status: string } }).new_chat_member.status],
  );
  expect(changes).toEqual(["member", "administrator", "restricted", "kicked"]);
});

test("an upgrade to a supergroup is reported in both chats, and the old chat returns the new id", async () => {
  const { telegram, heard, group } = await start();
  const old = group();
  await heard();
  const chat = upgradeGroup(telegram, old);
  expect(chat).toMatchObject({ kind: "supergroup", standing: "ok" });
  expect(await heard()).toMatchObject([
    { message: { chat: { id: old }, migrate_to_chat_id: chat.id } },
    { my_chat_member: { chat: { id: old }, new_chat_member: { status: "left" } } },
    { my_chat_member: { chat: { id: chat.id }, new_chat_member: { status: "member" } } },
    { message: { chat: { id: chat.id }, migrate_from_chat_id: old } },
  ]);
});

test("channel posts are received without an author", async () => {
  const { telegram, owner, heard, group } = await start();
  const chatId = group("channel");
  await heard();
  sayOn(telegram, { personId: owner, chatId, text: "/id" });
  const [update] = await heard();
  expect(update).toMatchObject({ channel_post: { text: "/id", sender_chat: { id: chatId } } });
  expect(update?.channel_post).not.toHaveProperty("from");
});

test("members of a common group are known to the bot but have not started it", async () => {
  const { telegram, call, group } = await start();
  const { id } = createPerson(telegram, { firstName: "Ben" });
  group("group", { [id]: "member" });
  expect(description(await call("sendMessage", { chat_id: id, text: "x" }))).toBe(
    "403 Forbidden: bot can't initiate conversation with a user",
  );
});

test("a forwarded message has its origin, an edited one comes as an edit", async () => {
  const { telegram, owner, heard } = await start();
  const message = sayOn(telegram, { personId: owner, text: "/start tok", isForwarded: true });
  const messageId = message.message_id;
  editSaying(telegram, { personId: owner, chatId: owner, messageId, text: "/start tik" });
  expect(await heard()).toMatchObject([
    { message: { text: "/start tok", forward_origin: { type: "user" } } },
    { edited_message: { text: "/start tik", edit_date: expect.any(Number) } },
  ]);
});

test("people can only do what a phone allows", async () => {
  const { telegram, owner, group, person } = await start();
  const outsider = person();
  const chatId = group();
  const say = (personId: number, place: number) => () =>
    sayOn(telegram, { personId, chatId: place, text: "x" });
  expect(say(outsider, chatId)).toThrow("cannot write there");
  expect(say(outsider, owner)).toThrow("another person's chat");
  expect(say(1, owner)).toThrow("there is no person 1");
  expect(say(owner, 7)).toThrow("there is no chat 7");
});

test("the control API acts on a phone, shows its chats, and explains refusals", async () => {
  const { telegram, owner } = await start();
  const control = async (path: string, body?: object) => {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`${telegram.url}/control/${path}`, init);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const watching = new AbortController();
  const stream = await fetch(`${telegram.url}/control/events`, { signal: watching.signal });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await control(`people/${owner}/say`, { text: "hello" })).status).toBe(200);
  let seen = "";
  while (!seen.includes(`"chatId":${owner}`)) seen += (await reader?.read())?.value ?? "";
  expect(seen).toContain("event: chat\n");
  watching.abort();
  expect((await control(`chats/${owner}?as=${owner}`)).body.messages).toMatchObject([{ text: "hello" }]);
  expect((await control(`chats?person=${owner}`)).body.chats).toMatchObject([
    { id: owner, lastText: "hello" },
  ]);
  const made = await control("chats", { kind: "group", title: "Flat", creatorId: owner });
  const { id } = made.body.chat as { id: number };
  expect((await control(`chats/${id}/add-bot`, { by: owner })).status).toBe(200);
  expect(requireChatById(telegram, id).standing).toBe("ok");
  expect(await control(`people/${owner}/say`, { text: "x", chatId: 7 })).toEqual({
    status: 409,
    body: { message: "there is no chat 7" },
  });
  expect((await control("people", { fristName: "Ana" })).status).toBe(400);
  expect((await fetch(`${telegram.url}/control/nothing`)).status).toBe(404);
});

test("the control API is off by default", async () => {
  const { telegram } = await startTestTelegram();
  onTestFinished(() => telegram.close());
  expect((await fetch(`${telegram.url}/control/people`)).status).toBe(404);
});
