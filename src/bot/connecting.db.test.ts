import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { pressStart } from "#simulators/telegram/phone/speak.ts";
import { startTestBot, TEST_SITE, type TestBot } from "#test/test-bot.ts";

let bot: TestBot;
let alice: string;

beforeAll(async () => {
  bot = await startTestBot();
});

afterAll(() => bot.stop());

let accounts = 0;
beforeEach(async () => {
  accounts += 1;
  alice = await bot.account(`alice${accounts}@example.com`);
});

const FILTER_URL = "https://www.idealista.com/alquiler-viviendas/madrid-madrid/";
const saveFilter = (userId: string, ...ids: (string | number)[]) => bot.sql`
  insert into public.filter_settings (user_id, filter_url, receiver_ids)
  values (${userId}, ${FILTER_URL}, ${ids.map(String)}::text[])
  on conflict (user_id) do update set receiver_ids = excluded.receiver_ids`;
const chatsOf = (userId: string) => bot.sql`
  select chat_id::text, kind, title, state, reason from public.chats where user_id = ${userId} order by chat_id`;
const idsOf = async (userId: string) =>
  (await bot.sql`select receiver_ids from public.filter_settings where user_id = ${userId}`)[0]?.receiver_ids;

test("BOT-01 the one-tap link connects a private chat, says whose alerts come and what is left to do", async () => {
  const ana = bot.person({ firstName: "Ana", lastName: "Ruiz", languageCode: "en" });
  pressStart(bot.telegram, ana, await bot.link(alice));
  await bot.settle();
  expect(await chatsOf(alice)).toEqual([
    { chat_id: String(ana), kind: "private", title: "Ana Ruiz", state: "connected", reason: null },
  ]);
  const [answer] = bot.botMessages(ana);
  expect(answer?.text).toBe(
    "✅ Connected. Alerts of a***@example.com come to this chat from now on. /stop ends it.\n\nOne step is left: save your search on the website.",
  );
  expect(bot.lastKeyboard(ana)).toEqual([
    { text: "Open filter settings", url: `${TEST_SITE}/filter-settings` },
  ]);
});
