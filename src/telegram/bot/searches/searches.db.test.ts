import { expect, test } from "vitest";
import { requireChatById } from "#simulators/telegram/phone/create.ts";
import { buttonsOf, setUpTestBot } from "#test/test-bot.ts";
import { botTexts } from "../conversation/texts.ts";

const en = botTexts("en");

const bot = setUpTestBot();

const PLACES = ["madrid/chamberi", "madrid/retiro", "barcelona-barcelona"];
const connect = async (chat = bot.ana, userId = bot.alice) => {
  await bot.connect(bot.ana, userId, chat);
};
/** Adds searches in the chat and returns their ids. */
const add = async (chat = bot.ana, userId = bot.alice, places = PLACES): Promise<string[]> => {
  const ids: string[] = [];
  for (const place of places) {
    const url = `https://www.idealista.com/alquiler-viviendas/${place}/`;
    const [row] = await bot.sql`select search_id from watch.add_search(${userId}, ${chat}, ${url})`;
    ids.push(row?.search_id);
  }
  return ids;
};
const rows = async (userId = bot.alice) =>
  (
    await bot.sql`
      select id, name, is_paused, is_first from public.searches
      where user_id = ${userId} order by is_first desc, created_at, id`
  ).map((row) => ({ ...row }));
const packed = (id = "") => Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
const lastText = (chat = bot.ana) => bot.botMessages(chat).at(-1)?.text ?? "";
const texts = (chat = bot.ana) => bot.lastKeyboard(chat).map(({ text }) => text);
const here = async (chat: number, searchId = "") =>
  (
    await bot.sql`
      select topic_id::text as topic, round(extract(epoch from muted_until - now()) / 3600)::float8 as hours
      from watch.search_chats where chat_id = ${chat} and search_id = ${searchId}`
  ).map((row) => ({ ...row }));

test("MANY-04 /searches lists the searches; one can be opened, paused, resumed, and deleted after confirmation", async () => {
  expect(await bot.ask(bot.ana, "/searches")).toEqual([expect.stringContaining(en("nobody_connected"))]);
  await connect();
  expect(await bot.ask(bot.ana, "/searches")).toEqual([expect.stringContaining("No search is saved yet.")]);
  const [first, second, third] = await add();
  const [list = ""] = await bot.ask(bot.ana, "/searches");
  expect(list.split("\n\n")).toEqual([
    "Your searches",
    expect.stringMatching(/^1\. Chamberí[\s\S]*The first check is under way$/),
    expect.stringMatching(/^2\. Retiro/),
    expect.stringMatching(/^3\. Barcelona/),
  ]);
  await bot.press(bot.ana, bot.ana, { data: `o:${packed(second)}` });
  expect(lastText()).toMatch(/^Retiro/);
  expect(texts()).toEqual(["Pause", en("mute"), "Rename", "Delete", "Rules", "‹ All searches"]);
  expect(await bot.press(bot.ana, bot.ana, { text: "Pause" })).toBe("Paused.");
  expect((await rows()).map(({ is_paused }) => is_paused)).toEqual([false, true, false]);
  expect(await bot.press(bot.ana, bot.ana, { text: "Resume" })).toBe("I'm watching again.");
  expect((await rows()).map(({ is_paused }) => is_paused)).toEqual([false, false, false]);
  await bot.press(bot.ana, bot.ana, { text: "‹ All searches" });
  // When the first search is deleted, the oldest other one becomes the first and keeps its id.
  await bot.press(bot.ana, bot.ana, { data: `o:${packed(first)}` });
  await bot.press(bot.ana, bot.ana, { text: "Delete" });
  expect(lastText()).toMatch(/^Delete “Chamberí.*”\?/);
  await bot.press(bot.ana, bot.ana, { text: "No, keep it" });
  expect(await rows()).toHaveLength(3);
  await bot.press(bot.ana, bot.ana, { text: "Delete" });
  expect(await bot.press(bot.ana, bot.ana, { text: "Yes, delete" })).toBe("Deleted.");
  expect((await rows()).map(({ id, is_first }) => [id, is_first])).toEqual([
    [second, true],
    [third, false],
  ]);
  expect(await bot.press(bot.ana, bot.ana, { data: `f:${packed(first)}`, isForged: true })).toBe(
    "This search no longer exists.",
  );
});

test("MANY-04 any reply to the question names the search", async () => {
  await connect();
  const [first] = await add(bot.ana, bot.alice, PLACES.slice(0, 1));
  await bot.ask(bot.ana, "/searches");
  await bot.press(bot.ana, bot.ana, { data: `o:${packed(first)}` });
  await bot.press(bot.ana, bot.ana, { text: "Rename" });
  const question = bot.botMessages(bot.ana).at(-1);
  expect(question?.text).toMatch(/^What should “Chamberí.*” be called\?/);
  const link = "https://www.idealista.com/alquiler-viviendas/madrid-madrid/";
  const answers: [typed: string, name: string | null][] = [
    ["Near the office", "Near the office"],
    ["stop", "stop"],
    ["  two\n lines\t\u0000 ", "two lines"],
    ["\u202e<b>&amp;</b>\u2066\ud800", "<b>&amp;</b>\ufffd"],
    ["й".repeat(4096), "й".repeat(60)],
    ["👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"],
    [link, link.slice(0, 60)],
    ["\u200b\u2060", null],
  ];
  for (const [typed, name] of answers) {
    const [answer] = await bot.ask(bot.ana, typed, bot.ana, { replyTo: question?.message_id });
    expect((await rows())[0]?.name).toBe(name);
    expect(answer).toContain(name === null ? "“Chamberí" : `“${name}”`);
  }
});

test("MANY-04 /rename takes the number from the list; invalid arguments and replies to other messages rename nothing", async () => {
  await connect();
  await add();
  for (const text of [
    "/rename",
    "/rename 9 x",
    "/rename two x",
    "/rename 2x",
    `/rename ${"9".repeat(400)} x`,
  ]) {
    expect([text, await bot.ask(bot.ana, text)]).toEqual([text, [expect.stringContaining("/rename 2 Near")]]);
  }
  await bot.ask(bot.ana, "/help");
  await bot.ask(bot.ana, "A name", bot.ana, { replyTo: bot.botMessages(bot.ana).at(-1)?.message_id });
  expect((await rows()).map(({ name }) => name)).toEqual([null, null, null]);
  expect(await bot.ask(bot.ana, "/rename 2 By the park")).toEqual(["It's now called “By the park”."]);
  expect((await rows()).map(({ name }) => name)).toEqual([null, "By the park", null]);
  expect(await bot.ask(bot.ana, "/rename 2")).toEqual([expect.stringContaining("“Retiro")]);
  expect((await rows()).map(({ name }) => name)).toEqual([null, null, null]);
});

test("MANY-04 G08 forged data with another user's search does nothing", async () => {
  await connect();
  await add(bot.ana, bot.alice, PLACES.slice(0, 1));
  const bob = await bot.account(`bob${bot.testNumber}@example.org`);
  const stranger = bot.person();
  await bot.connect(stranger, bob);
  const [his] = await add(stranger, bob, PLACES.slice(0, 2));
  const tables = () =>
    Promise.all([
      bot.sql`select * from public.searches where user_id = ${bob} order by id`,
      bot.sql`select * from watch.search_chats`,
      bot.sql`select * from watch.name_questions where chat_id = ${bot.ana}`,
    ]);
  const before = await tables();
  await bot.ask(bot.ana, "/searches");
  const messages = bot.botMessages(bot.ana).length;
  for (const letter of "sropgiqfbc") {
    const data = `${letter}:${packed(his)}`;
    expect(await bot.press(bot.ana, bot.ana, { data, isForged: true })).toBe("This search no longer exists.");
  }
  expect(bot.botMessages(bot.ana)).toHaveLength(messages);
  expect(lastText()).not.toContain("Retiro");
  expect(await tables()).toEqual(before);
  // The same holds for a search that this chat was once connected to.
  await bot.ask(stranger, "/searches");
  await bot.ask(stranger, "/stop");
  expect(await bot.press(stranger, stranger, { data: `f:${packed(his)}`, isForged: true })).toBe(
    "This search no longer exists.",
  );
  expect(await rows(bob)).toHaveLength(2);
});

test("MANY-04 in a group /searches is for administrators and lists the group's searches by account", async () => {
  const member = bot.person();
  const chat = bot.chat({
    kind: "supergroup",
    title: "x",
    creatorId: bot.ana,
    members: { [member]: "member" },
  });
  const bob = await bot.account(`bob${bot.testNumber}@example.org`);
  await connect(chat);
  await connect(chat, bob);
  const [first, secret] = await add(chat);
  await add(chat, bob, PLACES.slice(0, 1));
  await bot.connect(bot.ana, bot.alice);
  await bot.sql`update public.searches set receiver_ids = ${[String(bot.ana)]} where id = ${secret ?? ""}`;
  expect(await bot.ask(member, "/searches", chat)).toEqual([en("administrators_only")]);
  const lists = await bot.ask(bot.ana, "/searches", chat);
  expect(lists).toEqual([
    expect.stringMatching(/^Your searches\na\*\*\*@example\.com\n\n1\. Chamberí[\s\S]*\n\n2\. Barcelona/),
    expect.stringMatching(/^Your searches\nb\*\*\*@example\.org\n\n3\. Chamberí/),
  ]);
  expect(lists.join()).not.toContain("Retiro");
  expect(await bot.press(bot.ana, chat, { data: `f:${packed(secret)}`, isForged: true })).toBe(
    "This search no longer exists.",
  );
  for (const letter of "opgiqfbc") {
    const data = `${letter}:${packed(first)}`;
    expect(await bot.press(member, chat, { data, isForged: true })).toBe(en("administrators_only"));
  }
  await bot.press(bot.ana, chat, { data: `o:${packed(first)}` });
  expect(await bot.press(bot.ana, chat, { text: "Rename" })).toBe("Send /rename 1 and the new name.");
  expect(await bot.ask(member, "/rename 1 Ours", chat)).toEqual([en("administrators_only")]);
  await bot.ask(bot.ana, "/rename 1 Ours", chat);
  expect((await rows())[0]?.name).toBe("Ours");
});

test("MANY-04 in a group with topics a topic can be set for a search and removed again", async () => {
  const chat = bot.chat({ kind: "supergroup", title: "x", creatorId: bot.ana, topics: [77, 78] });
  await connect(chat);
  const [first] = await add(chat, bot.alice, PLACES.slice(0, 1));
  await bot.ask(bot.ana, "/searches", chat, { topicId: 77 });
  expect(bot.botMessages(chat).at(-1)).toMatchObject({ message_thread_id: 77 });
  await bot.press(bot.ana, chat, { data: `o:${packed(first)}` });
  expect(await bot.press(bot.ana, chat, { text: "Send to this topic" })).toContain("this topic");
  expect(await here(chat, first)).toEqual([{ topic: "77", hours: null }]);
  await bot.press(bot.ana, chat, { text: "Don't use a topic" });
  expect(await here(chat, first)).toEqual([{ topic: null, hours: null }]);
  // Outside a topic there is no button to choose one.
  await bot.ask(bot.ana, "/searches", chat);
  expect(await bot.press(bot.ana, chat, { data: `b:${packed(first)}`, isForged: true })).toBe(
    en("note_dead_button"),
  );
});

test("RULE-04 in a private chat with topics each search can have its own", async () => {
  await connect();
  const [first] = await add(bot.ana, bot.alice, PLACES.slice(0, 1));
  await bot.ask(bot.ana, "/searches");
  await bot.press(bot.ana, bot.ana, { data: `o:${packed(first)}` });
  expect(texts()).not.toContain("Send to this topic");
  bot.telegram.hasPrivateTopics = true;
  requireChatById(bot.telegram, bot.ana).topics.set(5, "open");
  await bot.ask(bot.ana, "/searches", bot.ana, { topicId: 5 });
  await bot.press(bot.ana, bot.ana, { data: `o:${packed(first)}` });
  expect(await bot.press(bot.ana, bot.ana, { text: "Send to this topic" })).toContain("this topic");
  expect(await here(bot.ana, first)).toEqual([{ topic: "5", hours: null }]);
  expect(await bot.press(bot.ana, bot.ana, { text: "Don't use a topic" })).toBe(en("note_topic_none"));
});

test("MANY-02 any group member can mute a search in one chat for eight hours and unmute it", async () => {
  const member = bot.person({ languageCode: "es" });
  const chat = bot.chat({ kind: "group", title: "x", creatorId: bot.ana, members: { [member]: "member" } });
  await connect(chat);
  const [first] = await add(chat);
  await bot.ask(bot.ana, "/searches", chat);
  await bot.press(bot.ana, chat, { data: `o:${packed(first)}` });
  // The answer is in the language of the message, not of the user who presses.
  const muted = (await bot.press(member, chat, { text: en("mute") })) ?? "";
  const time = /\d\d:\d\d/.exec(muted)?.[0] ?? "";
  expect(muted).toBe(en("note_search_muted", { name: "Chamberí, Madrid", time }));
  expect(await here(chat, first)).toEqual([{ topic: null, hours: 8 }]);
  expect(texts(chat)).toContain(`✓ ${en("mute")}`);
  await bot.press(member, chat, { data: `r:${packed(first)}` });
  expect(await here(chat, first)).toEqual([{ topic: null, hours: null }]);
  // A search that does not send to this chat cannot be muted here.
  await bot.connect(bot.ana, bot.alice);
  await bot.sql`update public.filter_settings set receiver_ids = ${[String(chat)]} where user_id = ${bot.alice}`;
  await bot.sql`
    update public.searches set receiver_ids = ${[String(bot.ana)]} where user_id = ${bot.alice} and id <> ${first ?? ""}`;
  await bot.ask(bot.ana, "/searches");
  await bot.press(bot.ana, bot.ana, { data: `s:${packed(first)}`, isForged: true });
  expect(await here(bot.ana, first)).toEqual([]);
});

test("MANY-01 /pause and /resume change all searches, and /status lists each", async () => {
  await connect();
  await add();
  await bot.ask(bot.ana, "/rename 1 <b>Home</b>");
  expect((await bot.ask(bot.ana, "/status"))[0]?.split("\n\n")).toEqual([
    `alice${bot.testNumber}@example.com`,
    expect.stringMatching(
      /^<b>Home<\/b>\n🏮 The first check is under way\nLast 24 hours\u00a0· Found\u00a00\u00a0· /,
    ),
    expect.stringMatching(/^Retiro/),
    expect.stringMatching(/^Barcelona/),
  ]);
  await bot.ask(bot.ana, "/pause");
  expect((await rows()).map(({ is_paused }) => is_paused)).toEqual([true, true, true]);
  await bot.ask(bot.ana, "/resume");
  expect((await rows()).map(({ is_paused }) => is_paused)).toEqual([false, false, false]);
});

test("MANY-04 fifty searches of five accounts with the longest names fit into the messages", async () => {
  const people = await Promise.all(
    [1, 2, 3, 4, 5].map((n) => bot.account(`p${bot.testNumber}x${n}@example.com`)),
  );
  for (const person of people) {
    await connect(bot.ana, person);
    const wishes = Array.from(
      { length: 10 },
      (_, n) => `madrid/chamberi/con-precio-hasta_${n + 1}00,${"zz-".repeat(200)}z`,
    );
    await add(bot.ana, person, wishes);
    await bot.sql`update public.filter_settings set name = repeat('&', 60) where user_id = ${person}`;
    await bot.sql`update public.searches set name = repeat('&', 60) where user_id = ${person}`;
  }
  const lists = await bot.ask(bot.ana, "/searches");
  expect(lists).toHaveLength(5);
  expect(lists.at(-1)).toContain("50. &&&");
  expect(buttonsOf(bot.botMessages(bot.ana).at(-1))).toHaveLength(10);
  expect((await bot.ask(bot.ana, "/status")).join("\n").match(/&{60}/g)).toHaveLength(50);
});
