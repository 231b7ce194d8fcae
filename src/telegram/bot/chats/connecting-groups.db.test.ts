import { expect, test } from "vitest";
import { setUpTestBot } from "#test/test-bot.ts";
import { botTexts } from "../conversation/texts.ts";

const en = botTexts("en");
const bot = setUpTestBot({ lastName: "Ruiz" });
const CONNECT = en("connect_group");

const chatsOf = (userId: string) => bot.sql`
  select chat_id::text as id, kind, title, state from public.chats where user_id = ${userId} and chat_id < 0`;
const newGroup = (members = {}) =>
  bot.chat({ kind: "supergroup", title: "Our flat", creatorId: bot.ana, members });
const rowsOf = (chat: number) => bot.lastKeyboard(chat).map(({ text }) => text);

test("EASY-04 a group that adds the bot gets a button that connects it to the account of who presses it", async () => {
  await bot.connect(bot.ana, bot.alice);
  const chat = newGroup();
  await bot.untilIdle();
  expect(bot.botMessages(chat).map(({ text }) => text)).toEqual([
    expect.stringContaining(en("connect_group_hint")),
  ]);
  expect(await bot.press(bot.ana, chat, { text: CONNECT })).toBe(en("note_connected"));
  expect(await chatsOf(bot.alice)).toEqual([
    { id: String(chat), kind: "supergroup", title: "Our flat", state: "connected" },
  ]);
  expect(bot.botMessages(chat).map(({ text }) => text)).toEqual([
    expect.stringContaining(en("link_connected", { account: "a***@example.com" })),
  ]);
  expect(rowsOf(chat)).toEqual([]);
});

test.each(["/id", "/start", "/shortlist", "/status"])(
  "EASY-04 the answer to %s in a group without an account has the button that connects it",
  async (command) => {
    const chat = newGroup();
    await bot.ask(bot.ana, command, chat);
    expect(rowsOf(chat)).toContain(CONNECT);
  },
);

test("EASY-04 DOOR-05 only an administrator connects a group, and only to an account that their private chat confirmed", async () => {
  const member = bot.person();
  const chat = newGroup({ [member]: "member" });
  await bot.connect(member, bot.alice);
  await bot.untilIdle();
  expect(await bot.press(member, chat, { text: CONNECT })).toBe(en("administrators_only"));
  // Ana has pressed Start on somebody's link and not said "that's me".
  await bot.ask(bot.ana, `/start ${await bot.link(bot.alice)}`);
  expect(await bot.press(bot.ana, chat, { text: CONNECT })).toBe(en("connect_group_nobody"));
  expect(await chatsOf(bot.alice)).toEqual([]);
});

test("EASY-04 of several accounts the button takes the one that Telegram knows, and otherwise none", async () => {
  const bob = await bot.account(`bob${bot.testNumber}@example.org`);
  await bot.connect(bot.ana, bot.alice);
  await bot.connect(bot.ana, bob);
  const chat = newGroup();
  await bot.untilIdle();
  expect(await bot.press(bot.ana, chat, { text: CONNECT })).toBe(en("next_step_status"));
  await bot.sql`
    insert into auth.identities (user_id, provider, provider_id, identity_data)
    values (${bob}, 'custom:telegram', ${String(bot.ana)}, '{}')`;
  expect(await bot.press(bot.ana, chat, { text: CONNECT })).toBe(en("note_connected"));
  expect([await chatsOf(bot.alice), (await chatsOf(bob)).length]).toEqual([[], 1]);
});

test("EASY-04 the button keeps to the limit of chats of an account", async () => {
  await bot.connect(bot.ana, bot.alice);
  await bot.saveFilter(bot.alice, bot.ana, ...Array.from({ length: 9 }, (_, index) => 700 + index));
  const chat = newGroup();
  await bot.untilIdle();
  expect(await bot.press(bot.ana, chat, { text: CONNECT })).toBe(en("connect_group_full"));
  expect(await chatsOf(bot.alice)).toEqual([]);
});

test("EASY-04 a private chat cannot be connected by forged data of the button", async () => {
  await bot.connect(bot.ana, bot.alice);
  expect(await bot.press(bot.ana, bot.ana, { data: "C", isForged: true })).toBe(en("note_dead_button"));
});
