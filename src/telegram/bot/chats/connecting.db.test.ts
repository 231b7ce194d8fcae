import { expect, test } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import { editSaying, pressStart, say } from "#simulators/telegram/phone/speak.ts";
import { setUpTestBot, TEST_SITE } from "#test/test-bot.ts";
import { botTexts } from "../conversation/texts.ts";
import { connectByLink } from "../rows/consent.ts";

const [en, ru, de] = [botTexts("en"), botTexts("ru"), botTexts("de")];

const bot = setUpTestBot({ lastName: "Ruiz" });

const CONNECTED = `${en("link_connected", { account: "a***@example.com" })} ${en("stop_hint")}`;
const chatsOf = (userId: string) => bot.sql`
  select chat_id::text as id, kind, title, state, reason from public.chats where user_id = ${userId} order by chat_id`;
const group = (kind: "group" | "supergroup", creatorId: number, members = {}) =>
  bot.chat({ kind, title: "Our flat", creatorId, members });

test("BOT-01 a connect link connects a private chat, and the reply names the account and the next step", async () => {
  pressStart(bot.telegram, bot.ana, await bot.link(bot.alice));
  await bot.untilIdle();
  expect(await chatsOf(bot.alice)).toEqual([
    { id: String(bot.ana), kind: null, title: null, state: "connected", reason: null },
  ]);
  expect(bot.botMessages(bot.ana).map(({ text }) => text)).toEqual([
    `${CONNECTED}\n\n${en("link_one_step_left")}`,
  ]);
  expect(bot.lastKeyboard(bot.ana).slice(2)).toEqual([
    { text: en("open_settings"), url: `${TEST_SITE}/filter-settings` },
  ]);
});

test("a connect link adds the chat to a saved search without a question", async () => {
  await bot.saveFilter(bot.alice, 501);
  expect(await bot.ask(bot.ana, `/start ${await bot.link(bot.alice)}`)).toEqual([CONNECTED]);
  expect(await bot.receiverIdsOf(bot.alice)).toEqual(["501", String(bot.ana)]);
  expect((await chatsOf(bot.alice)).map(({ id, state }) => [id, state])).toEqual([
    ["501", "waiting"],
    [String(bot.ana), "connected"],
  ]);
  const questions = await bot.sql`select chat_id::text from watch.alerts where user_id = ${bot.alice}`;
  expect(questions.map((row) => row.chat_id)).toEqual(["501"]);
});

test("a connect link answers the open question for an entered id", async () => {
  await bot.saveFilter(bot.alice, bot.ana);
  expect(await bot.ask(bot.ana, `/start ${await bot.link(bot.alice)}`)).toEqual([CONNECTED]);
  expect(await bot.receiverIdsOf(bot.alice)).toEqual([String(bot.ana)]);
  expect(await chatsOf(bot.alice)).toMatchObject([{ state: "connected", title: null }]);
  expect(await bot.sql`select state from watch.alerts where user_id = ${bot.alice}`).toEqual([
    { state: "merged" },
  ]);
});

test("G02 an expired link connects nothing, and the reply says so", async () => {
  const token = await bot.link(bot.alice);
  await bot.sql`update watch.link_tokens set expires_at = now() where user_id = ${bot.alice}`;
  expect(await bot.ask(bot.ana, `/start ${token}`)).toEqual([expect.stringContaining(en("link_expired"))]);
  expect(await chatsOf(bot.alice)).toEqual([]);
});

test("G03 a used link does not connect a second chat, and tells the first one that it is connected", async () => {
  const token = await bot.link(bot.alice);
  await bot.ask(bot.ana, `/start ${token}`);
  const eve = bot.person();
  expect(await bot.ask(eve, `/start ${token}`)).toEqual([expect.stringContaining(en("link_used"))]);
  expect(await bot.ask(bot.ana, `/start ${token}`)).toEqual([
    expect.stringContaining(en("link_already_connected", { account: "a***@example.com" })),
  ]);
  expect((await chatsOf(bot.alice)).map(({ id }) => id)).toEqual([String(bot.ana)]);
});

test("G03 when two chats use a link at the same moment, one is connected", async () => {
  const pool = openDatabase({ url: bot.database.url, max: 8 });
  const token = await bot.link(bot.alice);
  const answers = await Promise.all(
    [601, 602, 603, 604].map((chat) =>
      connectByLink(pool, { token, chatId: String(chat), kind: "private", title: "x" }),
    ),
  );
  await pool.end();
  expect(answers.map(({ is }) => is).toSorted()).toEqual(["connected", "used", "used", "used"]);
  expect(await chatsOf(bot.alice)).toHaveLength(1);
});

test("G04 another user's link connects only to that user, and the reply names them", async () => {
  const bob = await bot.account(`bob${bot.testNumber}@example.org`);
  await bot.ask(bot.ana, `/start ${await bot.link(bot.alice)}`);
  const [answer] = await bot.ask(bot.ana, `/start ${await bot.link(bob)}`);
  expect(answer).toContain(en("link_connected", { account: "b***@example.org" }));
  expect(await chatsOf(bot.alice)).toHaveLength(1);
  expect(await chatsOf(bob)).toHaveLength(1);
});

test.each([
  ["x".repeat(65)],
  ["a b"],
  ["'; drop table watch.chats;--"],
  ["ключ"],
  ["AAAAAAAAAAAAAAAAAAAAAA"],
  ["%00"],
])("G05 the reply to a link with %j says that it is unknown", async (payload) => {
  expect(await bot.ask(bot.ana, `/start ${payload}`)).toEqual([en("link_unknown")]);
});

test.each(["group", "supergroup"] as const)("G06 only an administrator connects a %s", async (kind) => {
  const member = bot.person();
  const chat = group(kind, bot.ana, { [member]: "member" });
  const token = await bot.link(bot.alice);
  const start = `/start@${bot.telegram.bot.username}`;
  expect(await bot.ask(member, `${start} ${token}`, chat)).toEqual([
    expect.stringContaining(en("link_administrators_only")),
  ]);
  expect(await bot.ask(bot.ana, `${start} ${token}`, chat)).toEqual([
    expect.stringContaining(en("link_used")),
  ]);
  expect(await chatsOf(bot.alice)).toEqual([]);
  expect(await bot.ask(bot.ana, `${start} ${await bot.link(bot.alice)}`, chat)).toEqual([
    expect.stringContaining("✅ Connected."),
  ]);
  expect(await chatsOf(bot.alice)).toMatchObject([
    { id: String(chat), kind, title: "Our flat", state: "connected" },
  ]);
});

test("G06 administrators are recognised in a group that hides its members", async () => {
  const member = bot.person();
  const chat = group("supergroup", bot.ana, { [member]: "member" });
  await bot.untilIdle();
  const description = "Bad Request: member list is inaccessible";
  bot.telegram.faults.set({ kind: "error", method: "getChatMember", errorCode: 400, description, times: 99 });
  const asMember = await bot.ask(member, `/start ${await bot.link(bot.alice)}`, chat);
  const asOwner = await bot.ask(bot.ana, `/start ${await bot.link(bot.alice)}`, chat);
  bot.telegram.faults.clear();
  expect([...asMember, ...asOwner]).toEqual([
    expect.stringContaining(en("link_administrators_only")),
    expect.stringContaining("✅ Connected."),
  ]);
});

test("a post in a channel connects the channel", async () => {
  const chat = bot.chat({ kind: "channel", title: "Flats", creatorId: bot.ana });
  expect(await bot.ask(bot.ana, `/start ${await bot.link(bot.alice)}`, chat)).toEqual([
    expect.stringContaining("✅ Connected."),
  ]);
  expect(await chatsOf(bot.alice)).toMatchObject([{ id: String(chat), kind: "channel", state: "connected" }]);
});

test("G07 forwarded and edited links are ignored", async () => {
  const token = await bot.link(bot.alice);
  expect(await bot.ask(bot.ana, `/start ${token}`, bot.ana, { isForwarded: true })).toEqual([]);
  const { message_id: messageId } = say(bot.telegram, { personId: bot.ana, text: "hi" });
  await bot.untilIdle();
  const before = bot.botMessages(bot.ana).length;
  editSaying(bot.telegram, { personId: bot.ana, chatId: bot.ana, messageId, text: `/start ${token}` });
  await bot.untilIdle();
  expect(bot.botMessages(bot.ana)).toHaveLength(before);
  expect(await chatsOf(bot.alice)).toEqual([]);
});

test("an eleventh chat and a sixth account are refused, and the link stays valid", async () => {
  await bot.saveFilter(bot.alice, ...Array.from({ length: 10 }, (_, index) => 700 + index));
  const token = await bot.link(bot.alice);
  expect(await bot.ask(bot.ana, `/start ${token}`)).toEqual([expect.stringContaining("10 chats")]);
  await bot.saveFilter(bot.alice, 700);
  expect(await bot.ask(bot.ana, `/start ${token}`)).toEqual([CONNECTED]);
  for (let count = 2; count <= 5; count += 1) {
    await bot.ask(
      bot.ana,
      `/start ${await bot.link(await bot.account(`p${count}-${bot.testNumber}@example.com`))}`,
    );
  }
  const sixth = await bot.account(`p6-${bot.testNumber}@example.com`);
  expect(await bot.ask(bot.ana, `/start ${await bot.link(sixth)}`)).toEqual([
    expect.stringContaining("5 people"),
  ]);
  expect(await chatsOf(sixth)).toEqual([]);
});

test("entering the id connects a chat that asked for it; in a group an administrator must have asked", async () => {
  await bot.ask(bot.ana, "/id");
  const member = bot.person();
  const chat = group("group", bot.ana, { [member]: "member" });
  expect(await bot.ask(member, "/id", chat)).toEqual([expect.stringContaining(en("administrator_is_asked"))]);
  await bot.saveFilter(bot.alice, bot.ana, chat);
  expect((await chatsOf(bot.alice)).map(({ id, state }) => [id, state])).toEqual([
    [String(chat), "waiting"],
    [String(bot.ana), "connected"],
  ]);
  const bob = await bot.account(`bob${bot.testNumber}@example.org`);
  await bot.ask(bot.ana, "/id", chat);
  await bot.press(bot.ana, chat, { text: "No" });
  const other = group("group", bot.ana);
  await bot.ask(bot.ana, "/id", other);
  await bot.saveFilter(bob, other);
  expect(await chatsOf(bob)).toMatchObject([{ id: String(other), state: "connected", title: null }]);
});

test("G01 a chat whose id was entered is asked only after it writes to the bot, and Yes connects it", async () => {
  const stranger = bot.person({ isStarted: false, languageCode: "ru" });
  await bot.saveFilter(bot.alice, stranger);
  await bot.untilIdle();
  expect(bot.botMessages(stranger)).toEqual([]);
  const said = await bot.ask(stranger, "/start");
  expect(said).toEqual([
    expect.stringContaining("Здравствуйте, я Sereno."),
    "🏮 Можно присылать сюда уведомления?\na***@example.com хочет получать в этом чате уведомления о новых объявлениях.\nЕсли этот аккаунт вам незнаком, нажмите «Нет»: больше ничего не придёт.",
  ]);
  expect(await chatsOf(bot.alice)).toMatchObject([{ state: "waiting", title: null }]);
  expect(await bot.press(stranger, stranger, { text: ru("yes") })).toBe(ru("note_connected"));
  expect(await chatsOf(bot.alice)).toMatchObject([{ state: "connected", kind: "private", title: "Someone" }]);
  expect(bot.botMessages(stranger).at(-1)?.text).toBe(
    "✅ Чьи уведомления приходят в этот чат: a***@example.com. Отключить: /stop",
  );
  expect(bot.lastKeyboard(stranger)).toEqual([]);
  expect(await bot.sql`select answer from watch.chat_questions where user_id = ${bot.alice}`).toEqual([
    { answer: "yes" },
  ]);
  // The pending question is not sent as well.
  expect(await bot.sql`select state from watch.alerts where user_id = ${bot.alice}`).toEqual([
    { state: "merged" },
  ]);
});

test("No is final: entering the id again asks nothing, and only the chat can change the answer", async () => {
  await bot.saveFilter(bot.alice, bot.ana);
  await bot.ask(bot.ana, "/start");
  expect(await bot.press(bot.ana, bot.ana, { text: "No" })).toBe(en("note_declined"));
  expect(await chatsOf(bot.alice)).toMatchObject([{ state: "declined", reason: "said-no" }]);
  expect(await bot.ask(bot.ana, "/status")).toEqual([expect.stringContaining(en("nobody_connected"))]);
  await bot.ask(bot.ana, `/start ${await bot.link(bot.alice)}`);
  expect(await chatsOf(bot.alice)).toMatchObject([{ state: "connected", reason: null }]);
  await bot.saveFilter(bot.alice, 501);
  await bot.saveFilter(bot.alice, 501, bot.ana);
  expect((await chatsOf(bot.alice)).find(({ id }) => id === String(bot.ana))).toMatchObject({ reason: null });
});

test("G06 in a group only an administrator can answer the question", async () => {
  const member = bot.person({ languageCode: "de" });
  const chat = group("supergroup", bot.ana, { [member]: "member" });
  await bot.untilIdle();
  await bot.saveFilter(bot.alice, chat);
  expect((await bot.ask(member, "/start", chat)).at(-1)).toContain(de("question_administrators"));
  expect(await bot.press(member, chat, { text: de("yes") })).toBe(de("administrators_only"));
  expect(await chatsOf(bot.alice)).toMatchObject([{ state: "waiting" }]);
  // The answer is in the language of the question, not of the user who presses.
  expect(await bot.press(bot.ana, chat, { text: de("yes") })).toBe(de("note_connected"));
  expect(await chatsOf(bot.alice)).toMatchObject([{ state: "connected", kind: "supergroup" }]);
});

test("a group that adds the bot is asked the open questions at once", async () => {
  const chat = -4_300_000_000 - bot.testNumber;
  await bot.saveFilter(bot.alice, chat);
  bot.chat({ id: chat, kind: "group", title: "Late", creatorId: bot.ana });
  await bot.untilIdle();
  expect(bot.botMessages(chat).map(({ text }) => text)).toEqual([
    expect.stringContaining("a***@example.com would like to get alerts"),
  ]);
});

test("questions held back by the spam limit are asked when the chat writes to the bot", async () => {
  const people = [];
  for (let count = 1; count <= 6; count += 1) {
    const person = await bot.account(`${count}-${bot.testNumber}@example.com`);
    await bot.saveFilter(person, bot.ana);
    people.push(person);
  }
  expect(await chatsOf(people[5] ?? "")).toMatchObject([{ state: "waiting", reason: "too-many-questions" }]);
  expect(await bot.ask(bot.ana, "/start")).toHaveLength(6);
  for (let count = 1; count <= 5; count += 1) await bot.press(bot.ana, bot.ana, { text: "No" });
  expect((await bot.ask(bot.ana, "/start")).at(-1)).toContain("6***@example.com would like to get alerts");
  await bot.press(bot.ana, bot.ana, { text: en("yes") });
  expect(await chatsOf(people[5] ?? "")).toMatchObject([{ state: "connected", reason: null }]);
});
