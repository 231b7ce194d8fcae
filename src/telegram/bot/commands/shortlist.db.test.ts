import { expect, test } from "vitest";
import { setUpTestBot } from "#test/test-bot.ts";
import { botTexts } from "../conversation/texts.ts";

const bot = setUpTestBot();
const en = botTexts("en");

test("RULE-05 /shortlist shows what the chat gets and changes it for its confirmed people", async () => {
  expect(await bot.ask(bot.ana, "/shortlist")).toEqual([expect.stringContaining(en("nobody_connected"))]);
  await bot.saveFilter(bot.alice, bot.ana);
  await bot.connect(bot.ana, bot.alice);
  const receives = async () =>
    (await bot.sql`select receives from public.chats where user_id = ${bot.alice}`)[0]?.receives;
  expect(await bot.ask(bot.ana, "/shortlist")).toEqual([en("shortlist_question")]);
  expect(bot.lastKeyboard(bot.ana).map(({ text }) => text)).toEqual([
    `✓ ${en("shortlist_everything")}`,
    en("shortlist_kept"),
    en("shortlist_pair"),
  ]);
  expect(await bot.press(bot.ana, bot.ana, { text: en("shortlist_pair") })).toBe(en("shortlist_chosen_pair"));
  expect(await receives()).toBe("kept-by-two");
  await bot.ask(bot.ana, "/shortlist");
  expect(bot.lastKeyboard(bot.ana)[2]?.text).toBe(`✓ ${en("shortlist_pair")}`);
});
