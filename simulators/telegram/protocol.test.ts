import { afterAll, beforeAll, expect, test } from "vitest";
import { createChat, createPerson, requireChatById } from "./phone/create.ts";
import { addBot } from "./phone/membership.ts";
import { say } from "./phone/speak.ts";
import { viewChat } from "./phone/view.ts";
import { description, startTestTelegram } from "./test-client.ts";

let world: Awaited<ReturnType<typeof startTestTelegram>>;
let chat_id: number;

beforeAll(async () => {
  world = await startTestTelegram({ floodControl: false });
  chat_id = createPerson(world.telegram, { languageCode: "es", isStarted: true }).id;
});
afterAll(() => world.telegram.close());

const send = (parameters: object) => world.call("sendMessage", { chat_id, text: "hi", ...parameters });
const addressOf = (method: string) => `${world.telegram.url}/bot${world.telegram.bot.token}/${method}`;

test.each([
  ["bot123456:wrong", 401, "Unauthorized"],
  ["bot0123:wrong", 401, "Unauthorized: invalid token specified"],
  ["botname:wrong", 401, "Unauthorized: invalid token specified"],
  ["bot123456", 404, "Not Found"],
  ["", 404, "Not Found"],
])("the path /%s gives %i %s", async (path, status, told) => {
  const response = await fetch(`${world.telegram.url}/${path}/getMe`);
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ ok: false, error_code: status, description: told });
});

test("an unknown method is not found", async () => {
  expect(description(await world.call("sendEverything"))).toBe("404 Not Found: method not found");
  const { body } = await world.call<object>("getMe");
  expect(body.result).toMatchObject({ id: 7_000_000_001, is_bot: true, username: "SerenoSimulatedBot" });
});

test("parameters are accepted in query, form, multipart and JSON", async () => {
  const address = addressOf("sendMessage");
  const reply_markup = JSON.stringify({ inline_keyboard: [[{ text: "Keep", callback_data: "k" }]] });
  const fields = { chat_id: String(chat_id), text: "<b>hi</b> +", parse_mode: "HTML", reply_markup };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const json = (body: string) =>
    fetch(address, { method: "POST", headers: { "content-type": "application/json; charset=utf-8" }, body });
  const requests = [
    fetch(`${address}?${new URLSearchParams(fields)}`),
    fetch(address, { method: "POST", body: new URLSearchParams(fields) }),
    fetch(address, { method: "POST", body: form }),
    json(JSON.stringify({ ...fields, chat_id, reply_markup: JSON.parse(reply_markup) })),
  ];
  for (const request of requests) {
    const { result } = (await (await request).json()) as { result: object };
    expect(result).toMatchObject({
      text: "hi +",
      entities: [{ type: "bold", offset: 0, length: 2 }],
      reply_markup: { inline_keyboard: [[{ text: "Keep", callback_data: "k" }]] },
    });
  }
  expect((await json("{")).status).toBe(400);
});

const keyboard = (inline_keyboard: unknown) => ({ reply_markup: { inline_keyboard } });
const TEXT_BUTTON = "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard";

test.each([
  [{ text: "" }, "message text is empty"],
  [{ text: undefined }, "message text is empty"],
  [{ text: "   " }, "text must be non-empty"],
  [{ text: "\u200b\u2800" }, "text must be non-empty"],
  [{ text: "<b></b>", parse_mode: "HTML" }, "text must be non-empty"],
  [{ text: "x".repeat(4097) }, "message is too long"],
  [{ text: "🏠".repeat(2049) }, "message is too long"],
  [{ text: "x".repeat(32_769) }, "text is too long"],
  [{ text: "a", parse_mode: "MarkdownV2" }, "unsupported parse_mode"],
  [{ text: "a & <b", parse_mode: "HTML" }, "can't parse entities: Unclosed start tag at byte offset 4"],
  [{ text: {} }, 'Field "text" must be of type String'],
  [{ txt: "a" }, 'the simulator does not know "txt"'],
  [{ reply_parameters: { message_id: 999_999 } }, "message to be replied not found"],
  [{ reply_parameters: {} }, 'Can\'t find field "message_id"'],
  [{ link_preview_options: { is_disabled: "yes" } }, 'Field "is_disabled" must be of type Boolean'],
  [{ link_preview_options: { url: "nowhere" } }, "WEBPAGE_URL_INVALID"],
  [{ message_thread_id: 7 }, "message thread not found"],
  [keyboard([[{ callback_data: "x" }]]), "can't parse inline keyboard button: Can't find field \"text\""],
  [keyboard([[{ text: "x" }]]), TEXT_BUTTON],
  [keyboard([[{ text: "x", callback_data: "" }]]), TEXT_BUTTON],
  [keyboard([[{ text: "x", callback_data: "x".repeat(65) }]]), "BUTTON_DATA_INVALID"],
  [keyboard([[{ text: "x", callback_data: "ñ".repeat(33) }]]), "BUTTON_DATA_INVALID"],
  [
    keyboard([[{ text: "x", url: "http://localhost:3000/" }]]),
    "inline keyboard button URL 'http://localhost:3000/' is invalid: Wrong HTTP URL",
  ],
  [
    keyboard([[{ text: "x", url: "ftp://example.com" }]]),
    "inline keyboard button URL 'ftp://example.com' is invalid: Unsupported URL protocol",
  ],
  [
    keyboard(Array.from({ length: 101 }, () => [{ text: "x", callback_data: "x" }])),
    "reply markup is too long",
  ],
])("sendMessage refuses %o: %s", async (parameters, refusal) => {
  expect(description(await send(parameters))).toBe(`400 Bad Request: ${refusal}`);
});

test("length limits are exact, in UTF-16 units after parsing", async () => {
  const longest = `<b>${"🏠".repeat(2048)}</b>`;
  expect((await send({ text: longest, parse_mode: "HTML" })).body.ok).toBe(true);
  const photo = "https://img.example.com/1.jpg";
  const caption = (length: number) =>
    world.call("sendPhoto", { chat_id, photo, caption: `<i>${"x".repeat(length)}</i>`, parse_mode: "HTML" });
  expect((await caption(1024)).body.ok).toBe(true);
  expect(description(await caption(1025))).toBe("400 Bad Request: message caption is too long");
  expect((await send(keyboard([[{ text: "x", callback_data: "ñ".repeat(32) }]]))).body.ok).toBe(true);
});

test("a message is returned trimmed, with the links and commands found in it", async () => {
  const { body } = await send({ text: " See https://example.com/a, /help 21 €/m² a/b\n" });
  expect(body.result.text).toBe("See https://example.com/a, /help 21 €/m² a/b");
  expect(body.result.entities).toEqual([
    { type: "url", offset: 4, length: 21 },
    { type: "bot_command", offset: 27, length: 5 },
  ]);
});

test("a reply contains the original message, and a missing one can be allowed", async () => {
  const first = (await send({ text: "first" })).body.result;
  const reply = await send({ reply_parameters: { message_id: first.message_id } });
  expect(reply.body.result.reply_to_message).toMatchObject({ message_id: first.message_id, text: "first" });
  const orphan = await send({ reply_parameters: { message_id: 999_999, allow_sending_without_reply: true } });
  expect(orphan.body.ok).toBe(true);
  expect(orphan.body.result.reply_to_message).toBeUndefined();
});

test("a photo by URL is accepted or refused by the rules", async () => {
  world.telegram.pictures.rule("gone", "unreachable");
  world.telegram.pictures.rule("page", "not-a-picture");
  const photo = async (url: string) => description(await world.call("sendPhoto", { chat_id, photo: url }));
  expect(await photo("https://img.example.com/gone.jpg")).toMatch(/failed to get HTTP URL content$/);
  expect(await photo("https://img.example.com/page.jpg")).toMatch(/wrong type of the web page content$/);
  expect(await photo("https://nowhere/1.jpg")).toMatch(/wrong HTTP URL specified$/);
  expect(await photo("AgACnothing")).toMatch(/wrong file identifier\/HTTP URL specified$/);
  expect(await photo("")).toMatch(/there is no photo in the request$/);
  const url = "https://img.example.com/fine.jpg";
  expect((await world.call("sendPhoto", { chat_id, photo: url, caption: "x" })).body.ok).toBe(true);
  const { messages } = viewChat(world.telegram, requireChatById(world.telegram, chat_id));
  expect(messages.at(-1)).toMatchObject({ caption: "x", pictureUrl: url });
});

test("a document must be an uploaded file with a name and content", async () => {
  const upload = async (content: string, name: string, more: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [key, value] of Object.entries({ chat_id: String(chat_id), ...more })) form.set(key, value);
    form.set("document", new File([content], name));
    const { url, bot } = world.telegram;
    const answer = await fetch(`${url}/bot${bot.token}/sendDocument`, { method: "POST", body: form });
    return (await answer.json()) as { ok: boolean; description?: string; result?: object };
  };
  const { result } = await upload("{}", "data.json", { caption: "x" });
  expect(result).toMatchObject({ caption: "x", document: { file_name: "data.json", file_size: 2 } });
  expect((await upload("", "data.json")).description).toMatch(/file must be non-empty$/);
  expect((await upload("{}", "data.json", { caption: "x".repeat(1025) })).description).toMatch(/too long$/);
  expect((await upload("{}", "data.json", { colour: "red" })).description).toMatch(/does not know "colour"$/);
  const byUrl = await world.call("sendDocument", { chat_id, document: "https://example.com/data.json" });
  expect(byUrl.body.ok).toBe(false);
});

test("an edit without a keyboard removes it, and the same edit again is not modified", async () => {
  const markup = keyboard([[{ text: "Hide", callback_data: "h" }]]);
  const { message_id } = (await send({ text: "old", ...markup })).body.result;
  const edit = (method: string, parameters: object) =>
    world.call(method, { chat_id, message_id, ...parameters });
  const kept = await edit("editMessageText", { text: "new", ...markup });
  expect(kept.body.result).toMatchObject({ text: "new", ...markup, edit_date: expect.any(Number) });
  expect(description(await edit("editMessageText", { text: "new", ...markup }))).toMatch(
    /^400 Bad Request: message is not modified: specified new message content/,
  );
  expect((await edit("editMessageReplyMarkup", {})).body.result.reply_markup).toBeUndefined();
  expect(description(await edit("editMessageText", { text: "x", message_id: 999_999 }))).toBe(
    "400 Bad Request: message to edit not found",
  );
  const theirs = say(world.telegram, { personId: chat_id, text: "mine" }).message_id;
  expect(description(await edit("editMessageText", { text: "x", message_id: theirs }))).toBe(
    "400 Bad Request: message can't be edited",
  );
  const photo = { chat_id, photo: "https://img.example.com/2.jpg", caption: "1,250 €" };
  const picture = (await world.call("sendPhoto", photo)).body.result.message_id;
  expect(description(await edit("editMessageText", { text: "x", message_id: picture }))).toBe(
    "400 Bad Request: there is no text in the message to edit",
  );
});

test("captions have their own edit method; texts have no caption, and other senders' messages cannot be edited", async () => {
  const markup = keyboard([[{ text: "Hide", callback_data: "h" }]]);
  const photo = { chat_id, photo: "https://img.example.com/2.jpg", caption: "old", ...markup };
  const { message_id } = (await world.call("sendPhoto", photo)).body.result;
  const edit = (parameters: object) =>
    world.call("editMessageCaption", { chat_id, message_id, ...parameters });
  const refused = async (parameters: object) => description(await edit(parameters));
  const bold = { caption: "<b>new</b>", parse_mode: "HTML", ...markup };
  expect((await edit(bold)).body.result).toMatchObject({
    caption: "new",
    caption_entities: [{ type: "bold", offset: 0, length: 3 }],
    photo: expect.any(Array),
    ...markup,
  });
  expect(await refused(bold)).toMatch(/^400 Bad Request: message is not modified: /);
  expect((await edit({ caption: "new" })).body.result).not.toHaveProperty("reply_markup");
  expect((await edit({})).body.result).not.toHaveProperty("caption");
  const written = (await send({ text: "text" })).body.result.message_id;
  const theirs = say(world.telegram, { personId: chat_id, text: "mine" }).message_id;
  const reasons = [
    [{ caption: "x", message_id: written }, "there is no caption in the message to edit"],
    [{ caption: "x", message_id: theirs }, "message can't be edited"],
    [{ caption: "x", message_id: 999_999 }, "message to edit not found"],
    [{ caption: "x", message_id: undefined }, "message identifier is not specified"],
    [{ caption: "x".repeat(1025) }, "message caption is too long"],
    [{ text: "x" }, 'the simulator does not know "text"'],
  ] as const;
  for (const [parameters, reason] of reasons) {
    expect(await refused(parameters)).toBe(`400 Bad Request: ${reason}`);
  }
  const markupOf = (parameters: object) =>
    world.call("editMessageReplyMarkup", { chat_id, message_id, ...parameters });
  expect((await markupOf(markup)).body.result).toMatchObject(markup);
  expect(description(await markupOf(markup))).toMatch(/message is not modified/);
});

test("an open topic accepts messages; only a supergroup has topics", async () => {
  const creatorId = world.person();
  const forum = createChat(world.telegram, { kind: "supergroup", creatorId, topics: [77] });
  addBot(world.telegram, { chatId: forum.id, by: creatorId });
  const post = (message_thread_id: number) =>
    world.call("sendMessage", { chat_id: forum.id, text: "x", message_thread_id });
  expect((await post(77)).body.result).toMatchObject({ message_thread_id: 77, is_topic_message: true });
  expect((await world.call("sendMessage", { chat_id: forum.id, text: "x" })).body.result).not.toHaveProperty(
    "message_thread_id",
  );
  const gone = "400 Bad Request: message thread not found";
  expect([description(await post(1)), description(await post(78))]).toEqual([gone, gone]);
  forum.topics.set(77, "closed");
  expect(description(await post(77))).toBe("400 Bad Request: TOPIC_CLOSED");
  addBot(world.telegram, {
    chatId: forum.id,
    by: creatorId,
    isAdmin: true,
    rights: { can_manage_topics: true },
  });
  expect((await post(77)).body.ok).toBe(true);
  forum.topics.delete(77);
  expect(description(await post(77))).toBe(gone);
  expect(() => createChat(world.telegram, { kind: "group", creatorId, topics: [77] })).toThrow(/supergroup/);
});

test("command menus are stored by scope and language, and the phone shows the narrowest", async () => {
  const menu = (text: string) => [{ command: "help", description: text }];
  const chat = requireChatById(world.telegram, chat_id);
  const shown = () => viewChat(world.telegram, chat).commands;
  await world.call("setMyCommands", { commands: menu("Help") });
  expect(shown()).toEqual(menu("Help"));
  await world.call("setMyCommands", { commands: menu("Ayuda"), language_code: "es" });
  expect(shown()).toEqual(menu("Ayuda"));
  await world.call("setMyCommands", { commands: menu("Private"), scope: { type: "all_private_chats" } });
  expect(shown()).toEqual(menu("Private"));
  await world.call("setMyCommands", { commands: menu("Own"), scope: { type: "chat", chat_id } });
  expect(shown()).toEqual(menu("Own"));
  const kept = async (language_code: string) =>
    (await world.call<object[]>("getMyCommands", { language_code })).body.result;
  expect([await kept("es"), await kept("de")]).toEqual([menu("Ayuda"), []]);
});

test.each([
  [{ commands: [{ command: "Help", description: "x" }] }, "BOT_COMMAND_INVALID"],
  [{ commands: [{ command: "h".repeat(33), description: "x" }] }, "command length must not exceed 32"],
  [
    { commands: [{ command: "h", description: "x".repeat(257) }] },
    "command description length must not exceed 256",
  ],
  [{ commands: [], language_code: "english" }, "invalid language code specified"],
  [{ commands: [], scope: { type: "moon" } }, "wrong parameter type in request"],
])("setMyCommands refuses %o: %s", async (parameters, refusal) => {
  expect(description(await world.call("setMyCommands", parameters))).toBe(`400 Bad Request: ${refusal}`);
});

test("a description is stored by language, with a default for other languages", async () => {
  await world.call("setMyDescription", { description: "Watches" });
  await world.call("setMyDescription", { description: "Vigila", language_code: "es" });
  const told = async (language_code: string) =>
    (await world.call<object>("getMyDescription", { language_code })).body.result;
  expect([await told("es"), await told("fr")]).toEqual([
    { description: "Vigila" },
    { description: "Watches" },
  ]);
  const long = { short_description: "x".repeat(121) };
  expect((await world.call("setMyShortDescription", long)).status).toBe(400);
});
