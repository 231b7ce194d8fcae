import { expect, test } from "vitest";
import { addBot, changeStanding, removeBot, upgradeGroup } from "#simulators/telegram/phone/membership.ts";
import { pressStart } from "#simulators/telegram/phone/speak.ts";
import { setUpTestBot } from "#test/test-bot.ts";
import { botTexts } from "../conversation/texts.ts";

const en = botTexts("en");

const bot = setUpTestBot();

const connect = async (chat: number) => {
  await bot.ask(bot.ana, `/start ${await bot.link(bot.alice)}`, chat);
  await bot.saveFilter(bot.alice, chat);
};
const chats = () => bot.sql`
  select chat_id::text as id, kind, state, reason from public.chats where user_id = ${bot.alice} order by chat_id`;
const standing = async (state: string, reason: string | null = null) => {
  await bot.untilIdle();
  expect(await chats()).toMatchObject([{ state, reason }]);
};

test("G31 a user who blocks the bot is shown as blocked, and Start reconnects them", async () => {
  await connect(bot.ana);
  changeStanding(bot.telegram, bot.ana, { standing: "blocked" });
  await standing("blocked");
  pressStart(bot.telegram, bot.ana);
  await standing("connected");
  expect(bot.botMessages(bot.ana).at(-1)?.text).toContain(en("alerts_of", { people: "a***@example.com" }));
});

test.each(["group", "supergroup"] as const)(
  "G16 a %s that removes the bot is unreachable until it adds the bot again",
  async (kind) => {
    const chat = bot.chat({ kind, title: "x", creatorId: bot.ana });
    await connect(chat);
    removeBot(bot.telegram, chat, bot.ana);
    await standing("unreachable", "kicked");
    addBot(bot.telegram, { chatId: chat, by: bot.ana });
    await standing("connected");
    changeStanding(bot.telegram, chat, { standing: "left", by: bot.ana });
    await standing("unreachable", "left");
  },
);

test("BOT-03 a supergroup is unreachable while the bot may not write there", async () => {
  const chat = bot.chat({ kind: "supergroup", title: "x", creatorId: bot.ana });
  await connect(chat);
  changeStanding(bot.telegram, chat, { standing: "muted", by: bot.ana });
  await standing("unreachable", "no-rights");
  addBot(bot.telegram, { chatId: chat, by: bot.ana, isAdmin: true });
  await standing("connected");
});

test("BOT-03 a channel is unreachable while the bot may not post there", async () => {
  const chat = bot.chat({ kind: "channel", title: "x", creatorId: bot.ana });
  await connect(chat);
  addBot(bot.telegram, { chatId: chat, by: bot.ana, rights: { can_post_messages: false } });
  await standing("unreachable", "no-rights");
  addBot(bot.telegram, { chatId: chat, by: bot.ana });
  await standing("connected");
});

test("G17 a group that becomes a supergroup keeps its accounts under the new id, and the old id is removed", async () => {
  const chat = bot.chat({ kind: "group", title: "x", creatorId: bot.ana });
  await connect(chat);
  const replacement = upgradeGroup(bot.telegram, chat);
  await bot.untilIdle();
  expect(await chats()).toEqual([
    { id: String(replacement.id), kind: "supergroup", state: "connected", reason: null },
  ]);
  expect(await bot.receiverIdsOf(bot.alice)).toEqual([String(replacement.id)]);
  expect(await bot.sql`select chat_id from watch.chats where chat_id = ${chat}`).toEqual([]);
  expect(await bot.ask(bot.ana, "/status", replacement.id)).toEqual([
    expect.stringContaining("a***@example.com"),
  ]);
});

test("G17 the accounts are kept also if the new id was connected before", async () => {
  const chat = bot.chat({ kind: "group", title: "x", creatorId: bot.ana });
  await connect(chat);
  const newId = -1_002_300_000_000 - bot.testNumber;
  await bot.saveFilter(bot.alice, chat, newId);
  upgradeGroup(bot.telegram, chat, newId);
  await bot.untilIdle();
  expect(await chats()).toHaveLength(1);
  expect(await bot.receiverIdsOf(bot.alice)).toEqual([String(newId)]);
});

test("adding the bot to an unconnected chat and removing it changes no account's chats", async () => {
  const chat = bot.chat({ kind: "group", title: "x", creatorId: bot.ana });
  removeBot(bot.telegram, chat, bot.ana);
  await bot.untilIdle();
  expect(await bot.sql`select from public.chats where chat_id = ${chat}`).toEqual([]);
  expect(bot.botMessages(chat)).toEqual([]);
});

test("a chat's new name is shown only to accounts that it confirmed", async () => {
  await connect(bot.ana);
  await bot.press(bot.ana, bot.ana, { text: en("thatsMe") });
  const bob = await bot.account(`bob${bot.testNumber}@example.org`);
  await bot.saveFilter(bob, bot.ana);
  const person = bot.telegram.people.get(bot.ana);
  if (person) person.firstName = "Anna";
  await bot.ask(bot.ana, "/help");
  const titles =
    await bot.sql`select user_id, title from public.chats where chat_id = ${bot.ana} order by title`;
  expect(titles).toEqual([
    { user_id: bot.alice, title: "Anna" },
    { user_id: bob, title: null },
  ]);
});
