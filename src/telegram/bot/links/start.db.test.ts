import { beforeAll, expect, test } from "vitest";
import { allowWriting } from "#simulators/telegram/phone/app-acts.ts";
import { createPerson } from "#simulators/telegram/phone/create.ts";
import { pressButton, say } from "#simulators/telegram/phone/speak.ts";
import { buttonsOf, setUpTestBot, startBotForTest, TEST_SITE } from "#test/test-bot.ts";
import { botTexts } from "../conversation/texts.ts";

const LINK = "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1400/";
const [en, de] = [botTexts("en"), botTexts("de")];

const bot = setUpTestBot(
  {},
  {
    canStartInChat: true,
    legalSiteUrl: "https://legal.example/",
    previewMs: 30_000,
  },
);

/** Stands for the watcher. */
beforeAll(async () => {
  const answer = { isKnown: true, count: 12, isAtLeast: false, perWeek: null, newest: [], hint: null };
  await bot.sql.listen("previews", (chatId) => {
    void bot.sql`update watch.search_previews set answer = ${bot.sql.json(answer)} where chat_id = ${chatId}`.execute();
  });
});

const accountsOf = (person: number) => bot.sql<{ userId: string; email: string | null }[]>`
  select user_id as "userId", users.email from auth.identities join auth.users on users.id = user_id
  where provider = 'custom:telegram' and provider_id = ${String(person)}`;
const searchesOf = (userId = "") => bot.sql<{ url: string; receivers: string[] }[]>`
  select filter_url as url, receiver_ids as receivers from public.searches where user_id = ${userId}`;
const countAccounts = async () => Number((await bot.sql`select count(*) from auth.users`)[0]?.count);
const lastMessage = (chat: number) => bot.botMessages(chat).at(-1);
const linksIn = (chat: number) =>
  lastMessage(chat)?.entities?.flatMap(({ type, url }) => (type === "text_link" && url ? [url] : []));

test.each([
  ["en", en, "/filter-settings", "/terms", "12 listings match now"],
  ["de", de, "/de/filter-settings", "/terms", "12\u00a0Inserate passen gerade"],
  ["es", botTexts("es"), "/es/filter-settings", "/es/terms", "Ahora encajan 12"],
] as const)(
  "START-02 EASY-04 a stranger whose Telegram is in %s starts watching with a link and one press, after reading what it means",
  async (languageCode, words, path, terms, matching) => {
    const person = bot.person({ firstName: "Eva", languageCode });
    const [hello = ""] = await bot.ask(person, "/start");
    for (const key of ["hello", "start_ways"] as const) expect(hello).toContain(words(key));
    // One quiet line at the end: whoever starts in the chat needs no number.
    expect(hello.split("\n").at(-1)).toBe(`${words("start_id")} ${person}`);
    expect(hello).not.toContain(words("chat_id_private"));
    const [asked = ""] = await bot.ask(person, "/id");
    expect(asked).toContain(`${words("chat_id_private")}\n${person}`);
    const [questions, site] = bot.lastKeyboard(person);
    expect([questions?.text, site?.url]).toEqual([words("questions_button"), `${TEST_SITE}${path}`]);

    const [offer = ""] = await bot.ask(person, LINK);
    expect(offer).toContain("Chamberí");
    expect(offer).toContain(matching);
    expect(offer).toContain(words("begin_no_email"));
    const agreed = words("begin_agree", { button: words("watch_it") }).replace(/<[^>]*>/g, "");
    expect(offer).toContain(agreed);
    expect(linksIn(person)).toEqual([
      expect.stringContaining("/madrid/chamberi/"),
      `https://legal.example${terms}`,
      `https://legal.example${terms.replace("terms", "privacy")}`,
    ]);
    expect(await accountsOf(person)).toHaveLength(0);

    expect(await bot.press(person, person, { text: words("watch_it") })).toBe(words("note_search_added"));
    expect(lastMessage(person)?.text).toContain(words("search_added_next"));
    const accounts = await accountsOf(person);
    expect(accounts).toEqual([{ userId: expect.any(String), email: null }]);
    expect(await searchesOf(accounts[0]?.userId)).toEqual([
      { url: expect.stringContaining("chamberi"), receivers: [String(person)] },
    ]);
    const [profile] = await bot.sql`
      select full_name, language from public.profiles where id = ${accounts[0]?.userId ?? ""}`;
    expect({ ...profile }).toEqual({ full_name: "Eva", language: languageCode });
    // From here on the chat is a connected one.
    expect((await bot.ask(person, "/searches"))[0]).toContain("Chamberí");
    const [second] = await bot.ask(person, LINK.replace("1400", "900"));
    expect(second).not.toContain(words("begin_no_email"));
    expect(await bot.press(person, person, { text: words("watch_it") })).toBe(words("note_search_added"));
    expect(await searchesOf(accounts[0]?.userId)).toHaveLength(2);
    expect(await accountsOf(person)).toHaveLength(1);
  },
);

test("START-02 START-05 presses at the same time, and a second one later, make one account and one search", async () => {
  const person = bot.person({ languageCode: "en" });
  await Promise.all([bot.ask(person, "/start"), bot.ask(person, "/start")]);
  await bot.ask(person, LINK);
  await bot.ask(person, LINK);
  const offers = bot.botMessages(person).slice(-2);
  for (const { message_id: messageId } of [...offers, ...offers]) {
    pressButton(bot.telegram, { personId: person, messageId, text: en("watch_it") });
  }
  await bot.untilIdle();
  const accounts = await accountsOf(person);
  expect(accounts).toHaveLength(1);
  expect(await searchesOf(accounts[0]?.userId)).toHaveLength(1);
});

test("START-02 nobody else's press creates an account, and neither does forged data", async () => {
  const mallory = bot.person({ firstName: "Mallory", languageCode: "en" });
  await bot.ask(bot.ana, LINK);
  const before = await countAccounts();
  expect(await bot.press(mallory, bot.ana, { text: en("watch_it") })).toBe(en("administrators_only"));
  // Without a link of ours above the button.
  await bot.ask(mallory, "/help");
  expect(await bot.press(mallory, mallory, { data: "B", isForged: true })).toBe(en("note_send_again"));
  for (const data of ["B:1", "B:", "Bx", `B:${bot.alice}`]) {
    expect(await bot.press(mallory, mallory, { data, isForged: true })).toBe(en("note_dead_button"));
  }
  // Under the person's own message with a link, as a modified client could send it.
  const entities = [{ type: "text_link", offset: 0, length: 4, url: LINK }];
  const own = say(bot.telegram, { personId: mallory, text: "here", more: { entities } });
  const forged = { personId: mallory, messageId: own.message_id, data: "B", isForged: true };
  pressButton(bot.telegram, forged);
  await bot.untilIdle();
  expect(await countAccounts()).toBe(before);
});

test.each(["group", "supergroup", "channel"] as const)("START-07 a %s creates no account", async (kind) => {
  const chat = bot.chat({ kind, title: "Us", creatorId: bot.ana }, kind === "channel");
  const before = await countAccounts();
  await bot.ask(bot.ana, "/start", chat);
  expect(JSON.stringify(bot.botMessages(chat))).not.toContain(en("questions_button"));
  const [offer = ""] = await bot.ask(bot.ana, `/watch ${LINK}`, chat);
  expect(offer).toContain(en("link_sign_up"));
  expect(offer).not.toContain(en("begin_no_email"));
  for (const data of ["B", "N", "Q:r", "Q:r:28-07-001-079:xc:2"]) {
    expect(await bot.press(bot.ana, chat, { data, isForged: true })).toBe(en("note_dead_button"));
  }
  expect(await countAccounts()).toBe(before);
});

test("START-05 a Telegram user who has an account gets it connected, also after /stop", async () => {
  const person = bot.person({ languageCode: "de" });
  const metadata = bot.sql.json({ full_name: "Eva" });
  const [made] = await bot.sql`select user_id from private.enter_by_telegram(${person}, ${metadata})`;
  const [offer] = await bot.ask(person, LINK);
  expect(offer).toContain(de("begin_known"));
  expect(offer).not.toContain(de("begin_no_email"));
  await bot.press(person, person, { text: de("watch_it") });
  expect(await accountsOf(person)).toEqual([{ userId: made?.user_id, email: null }]);
  expect(await searchesOf(made?.user_id)).toHaveLength(1);

  await bot.ask(person, "/stop");
  await bot.ask(person, LINK.replace("1400", "1500"));
  expect(await bot.press(person, person, { text: de("watch_it") })).toBe(de("note_search_added"));
  expect(await searchesOf(made?.user_id)).toHaveLength(2);
  expect([...(await bot.sql`select user_id from watch.confirmed_chats where chat_id = ${person}`)]).toEqual([
    { user_id: made?.user_id },
  ]);
});

test("START-01 START-05 Start connects the account that its owner made by signing in on the website, but not after /stop", async () => {
  const person = bot.person({ languageCode: "en" });
  const metadata = bot.sql.json({ full_name: "Eva" });
  const [made] = await bot.sql`select user_id from private.enter_by_telegram(${person}, ${metadata})`;
  const confirmed = async () => [
    ...(await bot.sql`select user_id from watch.confirmed_chats where chat_id = ${person}`),
  ];
  const [hello = ""] = await bot.ask(person, "/start");
  expect(hello).not.toContain(en("start_ways"));
  expect(await confirmed()).toEqual([{ user_id: made?.user_id }]);
  await bot.ask(person, "/stop");
  const asked = (await bot.ask(person, "/start")).at(-1);
  expect(asked).toContain(en("question"));
  expect(await confirmed()).toEqual([]);
  // In a group it connects nothing.
  await bot.sql`delete from public.chats where chat_id = ${person}`;
  const group = bot.chat({ kind: "supergroup", title: "Us", creatorId: person });
  await bot.ask(person, "/start", group);
  expect(await confirmed()).toEqual([]);
});

test("MINI-05 START-01 allowing the bot to write, in the Mini App, connects the account as Start does, and does nothing in a group", async () => {
  const person = createPerson(bot.telegram, { firstName: "Eva", languageCode: "de" }).id;
  const metadata = bot.sql.json({ full_name: "Eva" });
  const [made] = await bot.sql`select user_id from private.enter_by_telegram(${person}, ${metadata})`;
  allowWriting(bot.telegram, person);
  await bot.untilIdle();
  expect(lastMessage(person)?.text).toContain(de("hello"));
  const confirmed = await bot.sql`select user_id from watch.confirmed_chats where chat_id = ${person}`;
  expect([...confirmed]).toEqual([{ user_id: made?.user_id }]);
  const group = bot.chat({ kind: "supergroup", title: "Us", creatorId: person }, true);
  await bot.untilIdle();
  const greeting = bot.botMessages(group);
  const more = { text: undefined as never, write_access_allowed: { from_request: true } };
  say(bot.telegram, { personId: person, chatId: group, text: "", more: more as never });
  await bot.untilIdle();
  expect(bot.botMessages(group)).toEqual(greeting);
});

test("START-02 DOOR-05 READ-09 an account that only typed in the chat's id neither keeps its owner from starting nor learns of it", async () => {
  // Asked, not answered.
  await bot.saveFilter(bot.alice, bot.ana);
  const [hello = "", asked = ""] = await bot.ask(bot.ana, "/start");
  expect(hello).toContain(en("start_ways"));
  expect(asked).toContain(en("question"));
  await bot.ask(bot.ana, LINK);
  expect(await bot.press(bot.ana, bot.ana, { text: en("watch_it") })).toBe(en("note_search_added"));
  const [own] = await accountsOf(bot.ana);
  expect(await searchesOf(own?.userId)).toHaveLength(1);
  expect([
    ...(await bot.sql`select state, title, kind from public.chats where user_id = ${bot.alice}`),
  ]).toEqual([{ state: "waiting", title: null, kind: null }]);
});

test("START-02 READ-09 the same for an account that was connected because the chat had asked for its id", async () => {
  await bot.ask(bot.ana, "/id");
  await bot.saveFilter(bot.alice, bot.ana);
  const [hello = ""] = await bot.ask(bot.ana, "/start");
  expect(hello).toContain(en("start_ways"));
  await bot.ask(bot.ana, LINK);
  expect(bot.botMessages(bot.ana).at(-1)?.text).toContain(en("alerts_of", { people: "a***@example.com" }));
  expect(await bot.press(bot.ana, bot.ana, { text: en("watch_it") })).toBe(en("note_search_added"));
  const [own] = await accountsOf(bot.ana);
  expect(await searchesOf(own?.userId)).toHaveLength(1);
  expect(await searchesOf(bot.alice)).toHaveLength(1);
  expect([...(await bot.sql`select user_id from watch.confirmed_chats where chat_id = ${bot.ana}`)]).toEqual([
    { user_id: own?.userId },
  ]);
});

test("START-07 a Telegram user who makes and deletes accounts is slowed and told until when", async () => {
  const person = bot.person({ languageCode: "en" });
  const begin = async () => {
    await bot.ask(person, LINK);
    return bot.press(person, person, { text: en("watch_it") });
  };
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await begin()).toBe(en("note_search_added"));
    await bot.sql`delete from auth.users where id = ${(await accountsOf(person))[0]?.userId ?? ""}`;
  }
  await begin();
  expect(lastMessage(person)?.text).toMatch(
    /^You've created several accounts in a short time\. You can create the next one here from \d+ \w+.*\d\d:\d\d\./,
  );
  expect(await accountsOf(person)).toHaveLength(0);
  const rows = await bot.sql`select encode(key, 'escape') as key from private.guard_allowances`;
  expect(JSON.stringify(rows)).not.toContain(String(person));
  bot.clock.now += 7 * 86_400_000 + 1_000;
  expect(await begin()).toBe(en("note_search_added"));
});

test("START-02 where accounts cannot be made in chats, a stranger is sent to the website as before", async () => {
  const hosted = await startBotForTest();
  const person = hosted.person({ languageCode: "en" });
  const [hello = ""] = await hosted.ask(person, "/start");
  expect(hello).toContain(en("next_step"));
  expect(hello).not.toContain(en("start_ways"));
  const [offer = ""] = await hosted.ask(person, LINK);
  expect(offer).toContain(en("link_sign_up"));
  expect(await hosted.press(person, person, { data: "B", isForged: true })).toBe(en("note_dead_button"));
  expect([...(await hosted.sql`select from auth.users`)]).toHaveLength(0);
});

test("START-02 other commands of a stranger lead to the two ways", async () => {
  say(bot.telegram, {
    personId: bot.ana,
    text: "",
    more: { text: undefined as never, location: { latitude: 40.4, longitude: -3.7 } },
  });
  await bot.untilIdle();
  expect(lastMessage(bot.ana)?.text).toContain(en("start_ways"));
  for (const command of ["/status", "/searches", "/pause"]) {
    const [answer = ""] = await bot.ask(bot.ana, command);
    expect(answer).toContain(en("start_ways"));
    expect(buttonsOf(lastMessage(bot.ana))[0]?.text).toBe(en("questions_button"));
  }
  const [advert = ""] = await bot.ask(bot.ana, "https://www.idealista.com/inmueble/123456/");
  expect(advert).toContain(en("listing_like"));
  expect(buttonsOf(lastMessage(bot.ana))[0]?.text).toBe(en("questions_button"));
});
