import { expect, onTestFinished, test } from "vitest";
import { description, startTestTelegram } from "./test-client.ts";
import type { Update } from "./update-queue.ts";

async function start() {
  const world = await startTestTelegram({ floodControl: false });
  onTestFinished(() => world.telegram.close());
  const owner = await world.person({ firstName: "Olga", languageCode: "ru" });
  /** What the bot has been told since it last looked. */
  const heard = async () => {
    const { result } = (await world.call<Update[]>("getUpdates")).body;
    await world.call("getUpdates", { offset: (result.at(-1)?.update_id ?? 0) + 1 });
    return result;
  };
  const group = async (kind = "group", members: object = {}) => {
    const { chat } = await world.control("POST chats", { kind, title: "Flat", creatorId: owner, members });
    await world.control(`POST chats/${chat.id}/add-bot`, { by: owner });
    return chat.id;
  };
  return { ...world, owner, heard, group };
}

test("Start opens the chat and brings its payload, with the person's name and language", async () => {
  const { control, heard, call } = await start();
  const { person } = await control("POST people", { firstName: "Ana", lastName: "Ruiz", languageCode: "es" });
  expect(description(await call("sendMessage", { chat_id: person.id, text: "x" }))).toBe(
    "400 Bad Request: chat not found",
  );
  await control(`POST people/${person.id}/start`, { payload: "abc_-123" });
  expect(await heard()).toMatchObject([
    {
      message: {
        text: "/start abc_-123",
        entities: [{ type: "bot_command", offset: 0, length: 6 }],
        from: { id: person.id, is_bot: false, first_name: "Ana", last_name: "Ruiz", language_code: "es" },
        chat: { id: person.id, type: "private" },
      },
    },
  ]);
  expect((await call("sendMessage", { chat_id: person.id, text: "x" })).body.ok).toBe(true);
});

test.each([
  ["https://t.me/SerenoSimulatedBot?start=tok-1", "/start tok-1"],
  ["t.me/serenosimulatedbot?start=tok-1", "/start tok-1"],
  ["tg://resolve?domain=SerenoSimulatedBot&start=tok-1", "/start tok-1"],
  ["https://t.me/SerenoSimulatedBot", "/start"],
  [`https://t.me/SerenoSimulatedBot?start=${"x".repeat(65)}`, "/start"],
  ["https://t.me/SerenoSimulatedBot?start=a%20b", "/start"],
])("the link %s says %s", async (url, text) => {
  const { control, owner } = await start();
  expect((await control(`POST people/${owner}/open`, { url })).message.text).toBe(text);
});

test.each(["https://t.me/OtherBot?start=x", "https://evil.example/SerenoSimulatedBot?start=x", "nonsense"])(
  "the link %s is not the bot's",
  async (url) => {
    const { control, owner } = await start();
    expect((await control(`POST people/${owner}/open`, { url })).error).toBe("not-a-link");
  },
);

test("a startgroup link brings the bot into the group and the payload with it", async () => {
  const { control, owner, heard } = await start();
  const { chat } = await control("POST chats", { kind: "group", title: "Flat", creatorId: owner });
  const url = "https://t.me/SerenoSimulatedBot?startgroup=tok";
  expect((await control(`POST people/${owner}/open`, { url })).error).toBe("which-group");
  await control(`POST people/${owner}/open`, { url, chatId: chat.id });
  expect(await heard()).toMatchObject([
    { my_chat_member: { old_chat_member: { status: "left" }, new_chat_member: { status: "member" } } },
    { message: { new_chat_members: [{ username: "SerenoSimulatedBot" }] } },
    { message: { text: "/start@SerenoSimulatedBot tok", chat: { id: chat.id, type: "group" } } },
  ]);
});

test("blocking and coming back are told, and a deleted account tells nobody", async () => {
  const { control, owner, heard, call } = await start();
  await control(`POST people/${owner}/block`);
  expect((await control(`POST people/${owner}/say`, { text: "x" })).error).toBe("blocked");
  await control(`POST people/${owner}/start`);
  expect(await heard()).toMatchObject([
    { my_chat_member: { old_chat_member: { status: "member" }, new_chat_member: { status: "kicked" } } },
    { my_chat_member: { old_chat_member: { status: "kicked" }, new_chat_member: { status: "member" } } },
    { message: { text: "/start" } },
  ]);
  await control(`POST people/${owner}/delete`);
  expect(await heard()).toEqual([]);
  expect(description(await call("sendMessage", { chat_id: owner, text: "x" }))).toBe(
    "403 Forbidden: user is deactivated",
  );
});

test("a button pressed reaches the bot, is answered once, and not too late", async () => {
  const { control, owner, heard, call, clock } = await start();
  const inline_keyboard = [
    [{ text: "Open", url: "https://www.idealista.com/inmueble/1/" }],
    [{ text: "Hide", callback_data: "hide:1" }],
  ];
  const sent = await call("sendMessage", { chat_id: owner, text: "x", reply_markup: { inline_keyboard } });
  const { message_id: messageId } = sent.body.result;
  const press = (order: object) => control(`POST people/${owner}/press`, { messageId, ...order });
  expect((await press({ text: "Open" })).url).toBe("https://www.idealista.com/inmueble/1/");
  const first = (await press({ row: 1 })).press.id;
  const second = (await press({ data: "hide:1" })).press.id;
  expect(await heard()).toMatchObject(
    [first, second].map((id) => ({
      callback_query: { id, data: "hide:1", from: { id: owner }, message: { message_id: messageId } },
    })),
  );
  const answer = (callback_query_id: string) =>
    call("answerCallbackQuery", { callback_query_id, text: "Hidden", show_alert: true });
  expect((await answer(first)).body.ok).toBe(true);
  expect((await control(`GET presses/${first}`)).answer).toMatchObject({ text: "Hidden", isAlert: true });
  const tooOld = "400 Bad Request: query is too old and response timeout expired or query ID is invalid";
  clock.advance(30_001);
  expect([await answer(first), await answer(second), await answer("1")].map(description)).toEqual([
    tooOld,
    tooOld,
    tooOld,
  ]);
  expect((await press({ data: "nothing" })).error).toBe("unknown-button");
  expect((await press({ data: "forged", isForged: true })).press.id).toMatch(/^\d+$/);
  expect(await heard()).toMatchObject([{ callback_query: { data: "forged" } }]);
});

test("in a group the bot hears commands, replies and its name; as an administrator everything", async () => {
  const { control, owner, heard, group, call } = await start();
  const chatId = await group("supergroup");
  const own = (await call("sendMessage", { chat_id: chatId, text: "x" })).body.result.message_id;
  await heard();
  const say = (text: string, more: object = {}) =>
    control(`POST people/${owner}/say`, { chatId, text, ...more });
  await say("just talk");
  await say("/id");
  await say("/id@SerenoSimulatedBot");
  await say("/id@OtherBot");
  await say("well", { replyTo: own });
  await say("hey @serenosimulatedbot");
  const texts = async () => (await heard()).map(({ message }) => (message as { text: string }).text);
  expect(await texts()).toEqual(["/id", "/id@SerenoSimulatedBot", "well", "hey @serenosimulatedbot"]);
  await control(`POST chats/${chatId}/add-bot`, { by: owner, isAdmin: true });
  await heard();
  await say("just talk");
  expect(await texts()).toEqual(["just talk"]);
});

test("being added, promoted, muted and removed is told", async () => {
  const { control, owner, heard, group } = await start();
  const chatId = await group("supergroup");
  await control(`POST chats/${chatId}/add-bot`, { by: owner, isAdmin: true });
  await control(`POST chats/${chatId}/standing`, { standing: "muted", by: owner });
  await control(`POST chats/${chatId}/remove-bot`, { by: owner });
  const changes = (await heard()).flatMap(({ my_chat_member: change }) =>
    change === undefined ? [] : [(change as { new_chat_member: { status: string } }).new_chat_member.status],
  );
  expect(changes).toEqual(["member", "administrator", "restricted", "kicked"]);
});

test("a group upgraded says so in both chats, and the old one names the new", async () => {
  const { control, heard, group } = await start();
  const old = await group();
  await heard();
  const { chat } = await control(`POST chats/${old}/upgrade`, {});
  expect(chat).toMatchObject({ kind: "supergroup", standing: "ok" });
  expect(await heard()).toMatchObject([
    { message: { chat: { id: old }, migrate_to_chat_id: chat.id } },
    { my_chat_member: { chat: { id: old }, new_chat_member: { status: "left" } } },
    { my_chat_member: { chat: { id: chat.id }, new_chat_member: { status: "member" } } },
    { message: { chat: { id: chat.id }, migrate_from_chat_id: old } },
  ]);
  expect((await control(`POST chats/${old}/upgrade`, {})).error).toBe("not-a-group");
});

test("a channel's posts are heard, without an author", async () => {
  const { control, owner, heard, group } = await start();
  const chatId = await group("channel");
  await heard();
  await control(`POST people/${owner}/say`, { chatId, text: "/id" });
  const [update] = await heard();
  expect(update).toMatchObject({ channel_post: { text: "/id", sender_chat: { id: chatId } } });
  expect(update?.channel_post).not.toHaveProperty("from");
});

test("whoever meets the bot in a group is known but has not started it", async () => {
  const { control, call, group } = await start();
  const { person } = await control("POST people", { firstName: "Ben" });
  await group("group", { [person.id]: "member" });
  expect(description(await call("sendMessage", { chat_id: person.id, text: "x" }))).toBe(
    "403 Forbidden: bot can't initiate conversation with a user",
  );
});

test("a forwarded message says whose it was, an edited one comes as edited", async () => {
  const { control, owner, heard } = await start();
  const { message } = await control(`POST people/${owner}/say`, { text: "/start tok", isForwarded: true });
  await control(`POST people/${owner}/edit`, {
    chatId: owner,
    messageId: message.message_id,
    text: "/start tik",
  });
  expect(await heard()).toMatchObject([
    { message: { text: "/start tok", forward_origin: { type: "user" } } },
    { edited_message: { text: "/start tik", edit_date: expect.any(Number) } },
  ]);
});

test("people may do only what a phone lets them", async () => {
  const { control, owner, group, person } = await start();
  const outsider = await person();
  const chatId = await group();
  expect((await control(`POST people/${outsider}/say`, { chatId, text: "x" })).error).toBe("not-a-member");
  expect((await control(`POST people/${outsider}/say`, { chatId: owner, text: "x" })).error).toBe(
    "not-theirs",
  );
  expect((await control(`POST people/${owner}/say`, { text: " " })).error).toBe("empty-text");
  expect((await control("POST people/1/say", { text: "x" })).error).toBe("unknown-person");
  expect((await control("POST chats/7/add-bot", { by: owner })).error).toBe("unknown-chat");
  expect((await control("POST people", { id: owner })).error).toBe("id-taken");
  expect((await control("POST chats", { kind: "cave", creatorId: owner })).error).toBe("bad-order");
  expect((await control(`POST chats/${chatId}/standing`, { standing: "blocked" })).error).toBe(
    "bad-standing",
  );
  expect((await control("GET nothing")).error).toBe("unknown-route");
});

test("many people come at once, ready to be written to", async () => {
  const { control, call, telegram } = await start();
  const { people } = await control("POST people", { count: 600, isStarted: true, firstName: "Load" });
  expect(new Set(people.map(({ id }) => id)).size).toBe(600);
  expect((await call("sendMessage", { chat_id: people[599]?.id, text: "x" })).body.ok).toBe(true);
  expect(telegram.ledger.accepted).toMatchObject([{ chatId: people[599]?.id, text: "x", isAnswered: true }]);
});

test("events tell a watcher of every change", async () => {
  const { control, owner, telegram } = await start();
  const hangUp = new AbortController();
  const stream = await fetch(`${telegram.url}/control/events`, { signal: hangUp.signal });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = "";
  await control(`POST people/${owner}/say`, { text: "x" });
  while (!seen.includes(`"chatId":${owner}`)) seen += (await reader?.read())?.value ?? "";
  expect(seen).toContain("event: chat\n");
  hangUp.abort();
});

test("without leave there is no control", async () => {
  const { telegram } = await startTestTelegram({ control: false });
  onTestFinished(() => telegram.close());
  expect((await fetch(`${telegram.url}/control/state`)).status).toBe(404);
});
