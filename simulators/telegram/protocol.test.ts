import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_TOKEN } from "./start-telegram-simulator.ts";
import { description, startTestTelegram } from "./test-client.ts";

let world: Awaited<ReturnType<typeof startTestTelegram>>;
let chat_id: number;

beforeAll(async () => {
  world = await startTestTelegram({ floodControl: false });
  chat_id = await world.person({ firstName: "Ana", languageCode: "es" });
});
afterAll(() => world.telegram.close());

const send = (parameters: object) => world.call("sendMessage", { chat_id, text: "hi", ...parameters });

test.each([
  [`bot${DEFAULT_TOKEN}x`, 401, "Unauthorized"],
  ["bot123456:wrong", 401, "Unauthorized"],
  ["bot0123:wrong", 401, "Unauthorized: invalid token specified"],
  ["botname:wrong", 401, "Unauthorized: invalid token specified"],
  ["bot", 404, "Not Found"],
  ["bot123456", 404, "Not Found"],
  ["", 404, "Not Found"],
])("the address /%s is turned away with %i %s", async (path, status, told) => {
  const response = await fetch(`${world.telegram.url}/${path}/getMe`);
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ ok: false, error_code: status, description: told });
});

test("a method nobody knows is not found, a known one is found in any case", async () => {
  expect(description(await world.call("sendEverything"))).toBe("404 Not Found: method not found");
  const { body } = await world.call<{ id: number; is_bot: boolean }>("GETME");
  expect(body.result).toMatchObject({ id: 7_000_000_001, is_bot: true, username: "SerenoSimulatedBot" });
});

test("parameters come by query, form, multipart and JSON alike", async () => {
  const address = `${world.telegram.url}/bot${DEFAULT_TOKEN}/sendMessage`;
  const reply_markup = JSON.stringify({ inline_keyboard: [[{ text: "Keep", callback_data: "k" }]] });
  const fields = { chat_id: String(chat_id), text: "<b>hi</b> +", parse_mode: "HTML", reply_markup };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const requests = [
    fetch(`${address}?${new URLSearchParams(fields)}`),
    fetch(address, { method: "POST", body: new URLSearchParams(fields) }),
    fetch(address, { method: "POST", body: form }),
    fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json; charset=utf-8" },
      body: JSON.stringify({ ...fields, chat_id, reply_markup: JSON.parse(reply_markup) }),
    }),
  ];
  for (const request of requests) {
    const { result } = (await (await request).json()) as { result: object };
    expect(result).toMatchObject({
      text: "hi +",
      entities: [{ type: "bold", offset: 0, length: 2 }],
      reply_markup: { inline_keyboard: [[{ text: "Keep", callback_data: "k" }]] },
    });
  }
  const broken = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{",
  });
  expect(broken.status).toBe(400);
});

test.each([
  [{ text: "" }, "message text is empty"],
  [{ text: undefined }, "message text is empty"],
  [{ text: "   " }, "text must be non-empty"],
  [{ text: "\u200b\u2800" }, "text must be non-empty"],
  [{ text: "<b></b>", parse_mode: "HTML" }, "text must be non-empty"],
  [{ text: "x".repeat(4097) }, "message is too long"],
  [{ text: "🏠".repeat(2049) }, "message is too long"],
  [{ text: "x".repeat(32_769) }, "text is too long"],
  [{ text: "a", parse_mode: "BBCode" }, "unsupported parse_mode"],
  [{ text: "a & <b", parse_mode: "HTML" }, "can't parse entities: Unclosed start tag at byte offset 4"],
  [
    { entities: [{ type: "bold", offset: 0, length: 9 }] },
    "entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 9",
  ],
  [
    { entities: [{ type: "loud", offset: 0, length: 1 }] },
    "can't parse MessageEntity: Unsupported type specified",
  ],
  [{ reply_parameters: { message_id: 999_999 } }, "message to be replied not found"],
  [{ reply_parameters: {} }, 'can\'t find field "message_id"'],
  [{ link_preview_options: { is_disabled: "yes" } }, 'field "is_disabled" must be of type Boolean'],
  [{ link_preview_options: { url: "nowhere" } }, "WEBPAGE_URL_INVALID"],
  [{ message_thread_id: 7 }, "message thread not found"],
  [{ allow_paid_broadcast: true }, "FLOODSKIP_NOT_ALLOWED"],
])("sendMessage refuses %o: %s", async (parameters, refusal) => {
  expect(description(await send(parameters))).toBe(`400 Bad Request: ${refusal}`);
});

test.each([
  [[[{ callback_data: "x" }]], "can't parse inline keyboard button: Can't find field \"text\""],
  [
    [[{ text: "x" }]],
    "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
  ],
  [
    [[{ text: "x", callback_data: "" }]],
    "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
  ],
  [[[{ text: "x", callback_data: "x".repeat(65) }]], "BUTTON_DATA_INVALID"],
  [[[{ text: "x", callback_data: "ñ".repeat(33) }]], "BUTTON_DATA_INVALID"],
  [
    [[{ text: "x", url: "http://localhost:3000/" }]],
    "inline keyboard button URL 'http://localhost:3000/' is invalid: Wrong HTTP URL",
  ],
  [
    [[{ text: "x", url: "ftp://example.com" }]],
    "inline keyboard button URL 'ftp://example.com' is invalid: Unsupported URL protocol",
  ],
  [[[{ text: "x", copy_text: { text: "" } }]], "BUTTON_COPY_TEXT_INVALID"],
  ["x", 'field "inline_keyboard" must be of type Array'],
  [Array.from({ length: 101 }, () => [{ text: "x", callback_data: "x" }]), "reply markup is too long"],
])("the keyboard %o is refused: %s", async (inline_keyboard, refusal) => {
  expect(description(await send({ reply_markup: { inline_keyboard } }))).toBe(`400 Bad Request: ${refusal}`);
});

test("lengths are counted after parsing, in UTF-16 units, up to the very last one", async () => {
  const longest = `<b>${"🏠".repeat(2048)}</b>`;
  expect((await send({ text: longest, parse_mode: "HTML" })).body.ok).toBe(true);
  const photo = "https://img.example.com/1.jpg";
  const caption = (length: number) =>
    world.call("sendPhoto", { chat_id, photo, caption: `<i>${"x".repeat(length)}</i>`, parse_mode: "HTML" });
  expect((await caption(1024)).body.ok).toBe(true);
  expect(description(await caption(1025))).toBe("400 Bad Request: message caption is too long");
  const sixtyFour = [[{ text: "x", callback_data: "ñ".repeat(32) }]];
  expect((await send({ reply_markup: { inline_keyboard: sixtyFour } })).body.ok).toBe(true);
});

test("a message comes back as it stands: trimmed, with the links and commands found in it", async () => {
  const { body } = await send({ text: " See https://example.com/a, /help 21 €/m² a/b\n" });
  expect(body.result.text).toBe("See https://example.com/a, /help 21 €/m² a/b");
  expect(body.result.entities).toEqual([
    { type: "url", offset: 4, length: 21 },
    { type: "bot_command", offset: 27, length: 5 },
  ]);
});

test("a reply carries what it answers, and a missing one can be allowed", async () => {
  const first = (await send({ text: "first" })).body.result;
  const reply = await send({ reply_parameters: { message_id: first.message_id } });
  expect(reply.body.result.reply_to_message).toMatchObject({ message_id: first.message_id, text: "first" });
  const orphan = await send({ reply_parameters: { message_id: 999_999, allow_sending_without_reply: true } });
  expect(orphan.body.ok).toBe(true);
  expect(orphan.body.result.reply_to_message).toBeUndefined();
});

test("a photo by URL is taken or not as the rules say, and taken again by its id", async () => {
  const photo = (address: string) => world.call("sendPhoto", { chat_id, photo: address, caption: "x" });
  await world.control("POST pictures", { contains: "gone", outcome: "unreachable" });
  await world.control("POST pictures", { contains: "page", outcome: "not-a-picture" });
  expect(description(await photo("https://img.example.com/gone.jpg"))).toBe(
    "400 Bad Request: failed to get HTTP URL content",
  );
  expect(description(await photo("https://img.example.com/page.jpg"))).toBe(
    "400 Bad Request: wrong type of the web page content",
  );
  expect(description(await photo("https://nowhere/1.jpg"))).toBe("400 Bad Request: wrong HTTP URL specified");
  expect(description(await photo("AgACnothing"))).toBe(
    "400 Bad Request: wrong file identifier/HTTP URL specified",
  );
  expect(description(await photo(""))).toBe("400 Bad Request: there is no photo in the request");
  const { result } = (await photo("https://img.example.com/fine.jpg")).body;
  const fileId = result.photo?.at(-1)?.file_id ?? "";
  expect((await photo(fileId)).body.result.photo).toEqual(result.photo);
  const shown = (await world.control(`GET chats/${chat_id}`)).messages.at(-1);
  expect(shown?.pictureUrl).toBe("https://img.example.com/fine.jpg");
});

test("a photo can be uploaded and shown", async () => {
  const png = Buffer.from("89504e470d0a1a0a", "hex");
  const form = new FormData();
  form.set("chat_id", String(chat_id));
  form.set("photo", "attach://flat");
  form.set("flat", new Blob([png]), "flat.png");
  const address = `${world.telegram.url}/bot${DEFAULT_TOKEN}/sendPhoto`;
  const { result } = (await (await fetch(address, { method: "POST", body: form })).json()) as {
    result: { photo: { file_id: string }[] };
  };
  const file = await fetch(`${world.telegram.url}/control/files/${result.photo[0]?.file_id}`);
  expect(file.headers.get("content-type")).toBe("image/png");
  expect(Buffer.from(await file.arrayBuffer())).toEqual(png);
});

test("a message is edited once, its keyboard goes unless sent again, the same again is not modified", async () => {
  const reply_markup = { inline_keyboard: [[{ text: "Hide", callback_data: "h" }]] };
  const { message_id } = (await send({ text: "old", reply_markup })).body.result;
  const edit = (method: string, parameters: object) =>
    world.call(method, { chat_id, message_id, ...parameters });
  const kept = await edit("editMessageText", { text: "new", reply_markup });
  expect(kept.body.result).toMatchObject({ text: "new", reply_markup, edit_date: expect.any(Number) });
  expect(description(await edit("editMessageText", { text: "new", reply_markup }))).toMatch(
    /^400 Bad Request: message is not modified: specified new message content/,
  );
  expect((await edit("editMessageReplyMarkup", {})).body.result.reply_markup).toBeUndefined();
  expect(description(await edit("editMessageCaption", { caption: "x" }))).toBe(
    "400 Bad Request: there is no caption in the message to edit",
  );
  expect(description(await edit("editMessageText", { text: "x", message_id: 999_999 }))).toBe(
    "400 Bad Request: message to edit not found",
  );
  const theirs = (await world.control(`POST people/${chat_id}/say`, { text: "mine" })).message.message_id;
  expect(description(await edit("editMessageText", { text: "x", message_id: theirs }))).toBe(
    "400 Bad Request: message can't be edited",
  );
});

test("a photo's caption is edited, its text is none", async () => {
  const photo = "https://img.example.com/2.jpg";
  const { message_id } = (await world.call("sendPhoto", { chat_id, photo, caption: "1,250 €" })).body.result;
  const edited = await world.call("editMessageCaption", { chat_id, message_id, caption: "1,200 €" });
  expect(edited.body.result).toMatchObject({ caption: "1,200 €", photo: expect.any(Array) });
  expect(description(await world.call("editMessageText", { chat_id, message_id, text: "x" }))).toBe(
    "400 Bad Request: there is no text in the message to edit",
  );
});

test("a deleted message is gone from the phone, and cannot be deleted twice or after two days", async () => {
  const { message_id } = (await send({ text: "soon gone" })).body.result;
  expect((await world.call<boolean>("deleteMessage", { chat_id, message_id })).body.result).toBe(true);
  const view = await world.control(`GET chats/${chat_id}`);
  expect(view.messages.map((message) => message.message_id)).not.toContain(message_id);
  expect(view.deleted.map((message) => message.message_id)).toContain(message_id);
  expect(description(await world.call("deleteMessage", { chat_id, message_id }))).toBe(
    "400 Bad Request: message to delete not found",
  );
  const old = (await send({ text: "old" })).body.result.message_id;
  world.clock.advance(48 * 60 * 60 * 1000 + 1000);
  expect(description(await world.call("deleteMessage", { chat_id, message_id: old }))).toBe(
    "400 Bad Request: message can't be deleted for everyone",
  );
});

test("command menus are kept by scope and language, and the phone shows the narrowest", async () => {
  const menu = (description: string) => [{ command: "help", description }];
  await world.call("setMyCommands", { commands: menu("Help") });
  await world.call("setMyCommands", { commands: menu("Ayuda"), language_code: "es" });
  const shown = async () => (await world.control(`GET chats/${chat_id}?as=${chat_id}`)).commands;
  expect(await shown()).toEqual(menu("Ayuda"));
  await world.call("setMyCommands", { commands: menu("Private"), scope: { type: "all_private_chats" } });
  expect(await shown()).toEqual(menu("Private"));
  await world.call("deleteMyCommands", { scope: { type: "all_private_chats" } });
  expect(await shown()).toEqual(menu("Ayuda"));
  const got = await world.call<object[]>("getMyCommands", { language_code: "es" });
  expect(got.body.result).toEqual(menu("Ayuda"));
  expect((await world.call<object[]>("getMyCommands", { language_code: "de" })).body.result).toEqual([]);
});

test.each([
  [{ commands: [{ command: "Help", description: "x" }] }, "BOT_COMMAND_INVALID"],
  [{ commands: [{ command: "h".repeat(33), description: "x" }] }, "command length must not exceed 32"],
  [
    { commands: [{ command: "h", description: "x".repeat(257) }] },
    "command description length must not exceed 256",
  ],
  [{ commands: [], language_code: "english" }, "invalid language code specified"],
  [{ commands: [], scope: { type: "moon" } }, "can't parse BotCommandScope: Unsupported type specified"],
])("setMyCommands refuses %o: %s", async (parameters, refusal) => {
  expect(description(await world.call("setMyCommands", parameters))).toBe(`400 Bad Request: ${refusal}`);
});

test("a description is kept by language, with everyone's where a language has none", async () => {
  await world.call("setMyDescription", { description: "Watches" });
  await world.call("setMyDescription", { description: "Vigila", language_code: "es" });
  const told = async (language_code: string) =>
    (await world.call<object>("getMyDescription", { language_code })).body.result;
  expect([await told("es"), await told("fr")]).toEqual([
    { description: "Vigila" },
    { description: "Watches" },
  ]);
  expect((await world.call("setMyShortDescription", { short_description: "x".repeat(121) })).status).toBe(
    400,
  );
});

test("what the bot is doing shows for five seconds", async () => {
  await world.call("sendChatAction", { chat_id, action: "typing" });
  expect((await world.control(`GET chats/${chat_id}`)).action).toBe("typing");
  world.clock.advance(5000);
  expect((await world.control(`GET chats/${chat_id}`)).action).toBeNull();
  expect(description(await world.call("sendChatAction", { chat_id, action: "dance" }))).toBe(
    "400 Bad Request: wrong parameter action in request",
  );
});
