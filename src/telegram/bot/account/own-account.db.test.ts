import { expect, test } from "vitest";
import { setUpTestBot, TEST_SITE } from "#test/test-bot.ts";
import { botTexts } from "../conversation/texts.ts";

const LINK = "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/";
const [en, de] = [botTexts("en"), botTexts("de")];

const bot = setUpTestBot({}, { canStartInChat: true });

const last = (chat: number) => bot.botMessages(chat).at(-1);
const accountOf = async (person: number): Promise<string | undefined> =>
  (await bot.sql`select user_id from watch.telegram_identities where telegram_id = ${person}`)[0]?.user_id;
const begin = async (person: number, say = en) => {
  await bot.ask(person, LINK);
  await bot.press(person, person, { text: say("watch_it") });
  return (await accountOf(person)) ?? "";
};
const exists = async (userId: string) =>
  (await bot.sql`select from auth.users where id = ${userId}`).length === 1;

test("START-04 /export sends what the website exports, as a file", async () => {
  const userId = await begin(bot.ana);
  await bot.ask(bot.ana, "/export");
  const { document, caption } = (last(bot.ana) ?? {}) as {
    document?: { file_id: string; file_name: string };
    caption?: string;
  };
  expect(caption).toBe(en("export_file"));
  expect(document?.file_name).toMatch(/^sereno-\d{4}-\d\d-\d\d\.json$/);
  const bytes = bot.telegram.documents.get(document?.file_id ?? "");
  const exported = JSON.parse(new TextDecoder().decode(bytes));
  expect(exported).toMatchObject({
    account: { id: userId, email: null, sign_in_with: ["custom:telegram"], full_name: "Ana" },
    searches: [{ filter_url: expect.stringContaining("chamberi") }],
    chats: [{ chat_id: bot.ana, state: "connected" }],
  });
  expect(exported.searches).toHaveLength(1);
  const events = await bot.sql`select kind from private.security_events where user_id = ${userId}`;
  expect(events).toContainEqual({ kind: "export" });
});

test.each([
  ["en", en],
  ["de", de],
] as const)(
  "START-04 /delete asks for a word and a press, then deletes the account (%s)",
  async (languageCode, say) => {
    const person = bot.person({ languageCode });
    const userId = await begin(person, say);
    expect(await bot.ask(person, "/delete")).toEqual([
      say("account_delete_question", { word: say("account_delete_word") }),
    ]);
    // Any other text ends it, and the word alone only asks again.
    expect(await bot.ask(person, "no")).toEqual([
      say("account_delete_stopped", { word: say("account_delete_word") }),
    ]);
    expect((await bot.ask(person, say("account_delete_word"))).join()).not.toContain(
      say("account_delete_last"),
    );
    await bot.ask(person, "/delete");
    expect(await bot.ask(person, ` ${say("account_delete_word").toLowerCase()} `)).toEqual([
      say("account_delete_last"),
    ]);
    expect(await exists(userId)).toBe(true);
    expect(await bot.press(person, person, { text: say("account_delete_now") })).toBe(
      say("note_account_deleted"),
    );
    expect(await exists(userId)).toBe(false);
    expect([...(await bot.sql`select from public.searches where user_id = ${userId}`)]).toEqual([]);
    // The sender tells the chat.
    expect([
      ...(await bot.sql`select chat_id::text from watch.alerts where chat_id = ${person} and kind = 'account-deleted'`),
    ]).toEqual([{ chat_id: String(person) }]);
  },
);

test("START-04 the press works once, only after the word, and not for long", async () => {
  const userId = await begin(bot.ana);
  await bot.ask(bot.ana, "/help");
  const forge = () => bot.press(bot.ana, bot.ana, { data: "D", isForged: true });
  expect(await forge()).toBe(en("note_dead_button"));
  await bot.ask(bot.ana, "/delete");
  expect(await forge()).toBe(en("note_dead_button"));
  await bot.ask(bot.ana, "/delete");
  await bot.ask(bot.ana, en("account_delete_word"));
  bot.clock.now += 600_000;
  expect(await bot.press(bot.ana, bot.ana, { text: en("account_delete_now") })).toBe(en("note_dead_button"));
  // Another question takes the place of this one.
  await bot.ask(bot.ana, "/delete");
  await bot.ask(bot.ana, en("account_delete_word"));
  await bot.press(bot.ana, bot.ana, { data: "Q:r", isForged: true });
  expect(await forge()).toBe(en("note_dead_button"));
  // So does "No, keep it".
  await bot.ask(bot.ana, "/delete");
  await bot.ask(bot.ana, en("account_delete_word"));
  await bot.press(bot.ana, bot.ana, { text: en("account_delete_no") });
  expect(await forge()).toBe(en("note_dead_button"));
  const mallory = bot.person({ languageCode: "en" });
  await bot.ask(bot.ana, "/delete");
  await bot.ask(bot.ana, en("account_delete_word"));
  expect(await bot.press(mallory, bot.ana, { text: en("account_delete_now") })).toBe(
    en("administrators_only"),
  );
  expect(await exists(userId)).toBe(true);
});

test("START-06 a chat that is only connected to an account can neither export nor delete it", async () => {
  await bot.connect(bot.ana, bot.alice);
  for (const command of ["/export", "/delete"]) {
    expect(await bot.ask(bot.ana, command)).toEqual([en("account_on_site")]);
    expect(bot.lastKeyboard(bot.ana)[0]).toEqual({ text: en("open_profile"), url: `${TEST_SITE}/profile` });
  }
  await bot.ask(bot.ana, en("account_delete_word"));
  await bot.press(bot.ana, bot.ana, { data: "D", isForged: true });
  expect(await exists(bot.alice)).toBe(true);
});

test("START-06 with an own account beside a connected one, only the own one is exported and deleted", async () => {
  await bot.connect(bot.ana, bot.alice);
  await bot.sql`select private.enter_by_telegram(${bot.ana}, '{}'::jsonb)`;
  const own = (await accountOf(bot.ana)) ?? "";
  // The chat is not connected to its own account yet.
  expect(await bot.ask(bot.ana, "/export")).toEqual([en("account_on_site")]);
  await bot.sql`select private.connect_own_chat(${own}, ${bot.ana}, 'Ana')`;
  await bot.ask(bot.ana, "/export");
  const { file_id: fileId = "" } = (last(bot.ana)?.document ?? {}) as { file_id?: string };
  expect(new TextDecoder().decode(bot.telegram.documents.get(fileId))).not.toContain("alice");
  await bot.ask(bot.ana, "/delete");
  await bot.ask(bot.ana, en("account_delete_word"));
  await bot.press(bot.ana, bot.ana, { text: en("account_delete_now") });
  expect([await exists(own), await exists(bot.alice)]).toEqual([false, true]);
});

test("DOOR-08 START-04 an account with a password is deleted on the website, which asks for it", async () => {
  const userId = await begin(bot.ana);
  await bot.ask(bot.ana, "/delete");
  await bot.ask(bot.ana, en("account_delete_word"));
  await bot.sql`update auth.users set encrypted_password = 'hash' where id = ${userId}`;
  expect(await bot.press(bot.ana, bot.ana, { text: en("account_delete_now") })).toBe(en("note_dead_button"));
  expect(await bot.ask(bot.ana, "/delete")).toEqual([en("account_on_site")]);
  expect(await exists(userId)).toBe(true);
});

test("TIME-03 START-04 the word for one account does not delete another that the Telegram user was linked to since", async () => {
  const first = await begin(bot.ana);
  await bot.ask(bot.ana, "/delete");
  await bot.ask(bot.ana, en("account_delete_word"));
  const [made] = await bot.sql`insert into auth.users default values returning id`;
  const second: string = made?.id;
  await bot.sql`update auth.identities set user_id = ${second} where user_id = ${first}`;
  await bot.sql`select private.connect_own_chat(${second}, ${bot.ana}, 'Ana')`;
  expect(await bot.press(bot.ana, bot.ana, { text: en("account_delete_now") })).toBe(en("note_dead_button"));
  expect([await exists(first), await exists(second)]).toEqual([true, true]);
  await bot.ask(bot.ana, "/delete");
  await bot.ask(bot.ana, en("account_delete_word"));
  await bot.press(bot.ana, bot.ana, { text: en("account_delete_now") });
  expect([await exists(first), await exists(second)]).toEqual([true, false]);
});

test("START-04 in a group /export and /delete point to the private chat", async () => {
  const userId = await begin(bot.ana);
  const chat = bot.chat({ kind: "supergroup", title: "Us", creatorId: bot.ana });
  for (const command of ["/export", "/delete"]) {
    expect(await bot.ask(bot.ana, command, chat)).toEqual([en("account_private_only")]);
  }
  expect(await exists(userId)).toBe(true);
});
