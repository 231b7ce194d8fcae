import { beforeEach, expect, test } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import { pressStart } from "#simulators/telegram/phone/speak.ts";
import { buttonsOf, setUpTestBot, TEST_SITE } from "#test/test-bot.ts";
import { botTexts } from "../conversation/texts.ts";

const en = botTexts("en");

const bot = setUpTestBot({ lastName: "Ruiz" });
let mallory: string;

beforeEach(async () => {
  mallory = await bot.account(`mallory${bot.testNumber}@example.com`);
});

const ME = en("thatsMe");
const NOT_ME = en("notMe");
const chatsOf = async (userId: string) =>
  (
    await bot.sql`
      select chat_id::text as id, kind, title, state, reason from public.chats where user_id = ${userId} order by chat_id`
  ).map((row) => ({ ...row }));
const nameless = (state: string, reason: string | null = null) => ({
  kind: null,
  title: null,
  state,
  reason,
});
const connectedAlerts = (chat: number) => bot.sql<{ userId: string; account: string; state: string }[]>`
  select user_id as "userId", watch.people_named(kind, user_id, chat_id, payload) ->> 0 as account, state from watch.alerts
  where kind = 'connected' and chat_id = ${chat} order by position`;
const dataOf = (chat: number, text: string) =>
  bot
    .botMessages(chat)
    .flatMap(buttonsOf)
    .find((button) => button.text === text)?.callback_data ?? "";
const buttonData = (letter: string, userId: string) =>
  `${letter}:${Buffer.from(userId.replaceAll("-", ""), "hex").toString("base64url")}`;
const follow = async (userId: string, chat = bot.ana, who = bot.ana) =>
  bot.ask(who, `/start ${await bot.link(userId)}`, chat);

test("DOOR-05 Start on a link connects the user and names the account, which sees the user's name only after “that's me”", async () => {
  pressStart(bot.telegram, bot.ana, await bot.link(mallory));
  await bot.untilIdle();
  expect(await chatsOf(mallory)).toEqual([{ id: String(bot.ana), ...nameless("connected") }]);
  expect(bot.botMessages(bot.ana).map(({ text }) => text)).toEqual([
    expect.stringContaining(en("link_connected", { account: "m***@example.com" })),
  ]);
  expect(bot.lastKeyboard(bot.ana)).toEqual([
    { text: ME, callback_data: expect.stringMatching(/^t:/) },
    { text: NOT_ME, callback_data: expect.stringMatching(/^x:/) },
    { text: en("open_settings"), url: `${TEST_SITE}/filter-settings` },
  ]);
  expect(await bot.press(bot.ana, bot.ana, { text: ME })).toBe(en("note_connected"));
  expect(await chatsOf(mallory)).toMatchObject([{ kind: "private", title: "Ana Ruiz", state: "connected" }]);
  expect(bot.lastKeyboard(bot.ana)).toEqual([]);
});

const linkTelegram = (userId: string, telegramId: number) => bot.sql`
  insert into auth.identities (user_id, provider, provider_id, identity_data)
  values (${userId}, 'custom:telegram', ${String(telegramId)}, '{}')`;

test("EASY-04 DOOR-05 a link of an account that Telegram knows as this user's is confirmed by Start, also after “not me”", async () => {
  await linkTelegram(bot.alice, bot.ana);
  const address = `alice${bot.testNumber}@example.com`;
  for (const round of ["first", "after “not me”"]) {
    await follow(bot.alice);
    expect([round, await chatsOf(bot.alice)]).toEqual([
      round,
      [{ id: String(bot.ana), kind: "private", title: "Ana Ruiz", state: "connected", reason: null }],
    ]);
    expect(bot.botMessages(bot.ana).at(-1)?.text).toContain(en("link_connected", { account: address }));
    expect(bot.lastKeyboard(bot.ana)).toEqual([
      { text: en("open_settings"), url: `${TEST_SITE}/filter-settings` },
    ]);
    await bot.sql`select watch.answer_question(${bot.alice}, ${bot.ana}, 'not-me', 'private', 'Ana Ruiz')`;
  }
});

test("EASY-04 DOOR-05 a link that somebody else made asks, although the chat has an account of its own", async () => {
  await linkTelegram(bot.alice, bot.ana);
  // Mallory has signed in with Telegram too, as another user.
  await linkTelegram(mallory, bot.person({ firstName: "Mallory" }));
  await follow(bot.alice);
  await follow(mallory);
  expect(await chatsOf(mallory)).toEqual([{ id: String(bot.ana), ...nameless("connected") }]);
  expect(bot.lastKeyboard(bot.ana).map(({ text }) => text)).toEqual([ME, NOT_ME, en("open_settings")]);
  // A sign-in with Telegram that was unlinked proves nothing any more.
  await bot.sql`delete from auth.identities where user_id = ${bot.alice}`;
  await bot.sql`select watch.answer_question(${bot.alice}, ${bot.ana}, 'not-me', 'private', 'Ana Ruiz')`;
  await follow(bot.alice);
  expect(await chatsOf(bot.alice)).toEqual([{ id: String(bot.ana), ...nameless("connected") }]);
});

test("DOOR-05 ten entered ids of users who recently pressed Start are connected without revealing anything about them", async () => {
  const people = Array.from({ length: 10 }, (_, index) => bot.person({ firstName: `Person ${index}` }));
  for (const person of people) await bot.ask(person, "/start");
  await bot.saveFilter(mallory, ...people);
  expect(await chatsOf(mallory)).toEqual(
    people.toSorted((a, b) => a - b).map((id) => ({ id: String(id), ...nameless("connected") })),
  );
  // Nothing they write or rename reveals it, except "that's me".
  for (const person of people) await bot.ask(person, "/help");
  expect((await chatsOf(mallory)).filter(({ title, kind }) => title !== null || kind !== null)).toEqual([]);
  const [row] = await bot.sql<[{ export: string }]>`
    select jsonb_agg(to_jsonb(chats))::text as export from public.chats where user_id = ${mallory}`;
  expect(row.export).not.toContain("Person");
  for (const person of people) {
    expect(await connectedAlerts(person)).toEqual([
      { userId: mallory, account: "m***@example.com", state: "pending" },
    ]);
  }
});

test("DOOR-05 “not me” declines, also when the id is entered again, and does not affect other accounts", async () => {
  await bot.ask(bot.ana, "/id");
  await bot.saveFilter(mallory, bot.ana);
  // The reply to the chat's message replaces the pending alert.
  await bot.ask(bot.ana, "/id");
  expect(await connectedAlerts(bot.ana)).toMatchObject([{ state: "merged" }]);
  expect(await bot.press(bot.ana, bot.ana, { text: NOT_ME })).toBe(en("note_declined"));
  expect(bot.botMessages(bot.ana).at(-1)?.text).toBe(
    en("question_declined", { account: "m***@example.com" }),
  );
  const declined = [{ id: String(bot.ana), ...nameless("declined", "said-no") }];
  expect(await chatsOf(mallory)).toEqual(declined);
  await bot.ask(bot.ana, "/id");
  await bot.saveFilter(mallory, 501);
  await bot.saveFilter(mallory, 501, bot.ana);
  expect(await chatsOf(mallory)).toEqual([{ id: "501", ...nameless("waiting") }, ...declined]);
  await bot.sql`delete from public.filter_settings where user_id = ${mallory}`;
  await bot.saveFilter(mallory, bot.ana);
  expect(await chatsOf(mallory)).toEqual(declined);
  expect(await connectedAlerts(bot.ana)).toHaveLength(1);

  const alice = await bot.account(`alice${bot.testNumber}@example.org`);
  await bot.saveFilter(alice, bot.ana);
  expect(await chatsOf(alice)).toEqual([{ id: String(bot.ana), ...nameless("connected") }]);
  expect((await connectedAlerts(bot.ana)).at(-1)).toMatchObject({
    userId: alice,
    account: "a***@example.org",
    state: "pending",
  });
});

test("DOOR-05 the whole address is shown only to a private chat that said “that's me”, not to one that merely accepted", async () => {
  const address = `alice${bot.testNumber}@example.com`;
  const textsOf = (chat: number) =>
    bot
      .botMessages(chat)
      .map(({ text }) => text)
      .join("\n");
  await bot.ask(bot.ana, `/start ${await bot.link(bot.alice)}`);
  expect(textsOf(bot.ana)).not.toContain(address);
  await bot.press(bot.ana, bot.ana, { text: ME });
  expect(bot.botMessages(bot.ana).at(-1)?.text).toContain(address);
  expect((await bot.ask(bot.ana, "/status")).join()).toContain(address);
  await bot.sql`select watch.answer_question(${bot.alice}, ${bot.ana}, 'not-me', 'private', 'Ana')`;
  await bot.ask(bot.ana, `/start ${await bot.link(bot.alice)}`);
  expect(bot.botMessages(bot.ana).at(-1)?.text).not.toContain(address);

  // The id of a stranger's chat was mistyped.
  const stranger = bot.person();
  await bot.saveFilter(bot.alice, stranger);
  await bot.ask(stranger, "/start");
  await bot.press(stranger, stranger, { text: en("yes") });
  const group = bot.chat({ kind: "group", title: "Us", creatorId: bot.ana });
  await bot.connect(bot.ana, bot.alice, group);
  for (const chat of [stranger, group]) {
    await bot.ask(chat === group ? bot.ana : stranger, "/status", chat);
    expect(textsOf(chat)).toContain("a***@example.com");
    expect(textsOf(chat)).not.toContain(address);
  }
});

test("DOOR-05 after “not me” only a link used in the chat reconnects it, without revealing its name", async () => {
  await follow(mallory);
  await bot.press(bot.ana, bot.ana, { text: ME });
  // Pressed under an older copy of the greeting.
  await bot.press(bot.ana, bot.ana, { data: buttonData("x", mallory), isForged: true });
  expect(await chatsOf(mallory)).toEqual([{ id: String(bot.ana), ...nameless("declined", "said-no") }]);
  await follow(mallory);
  expect(await chatsOf(mallory)).toEqual([{ id: String(bot.ana), ...nameless("connected") }]);
});

test("DOOR-05 a chat that said “that's me” is connected with its name also after its id was removed and entered again", async () => {
  await bot.saveFilter(mallory, 501);
  await follow(mallory);
  await bot.press(bot.ana, bot.ana, { text: ME });
  await bot.saveFilter(mallory, 501);
  await bot.saveFilter(mallory, 501, bot.ana);
  expect((await chatsOf(mallory))[1]).toMatchObject({ state: "connected", title: "Ana Ruiz" });
  expect(await connectedAlerts(bot.ana)).toEqual([]);
});

test("DOOR-05 the new name of a chat is shown only to accounts that knew the old one", async () => {
  const alice = await bot.account(`alice${bot.testNumber}@example.org`);
  await follow(mallory);
  await follow(alice);
  await bot.press(bot.ana, bot.ana, { text: ME });
  await bot.sql`update watch.chats set title = 'old' where chat_id = ${bot.ana}`;
  await bot.sql`update public.chats set title = 'old' where user_id = ${alice}`;
  await bot.ask(bot.ana, "/status");
  expect(await chatsOf(alice)).toMatchObject([{ title: "Ana Ruiz" }]);
  expect(await chatsOf(mallory)).toEqual([{ id: String(bot.ana), ...nameless("connected") }]);
});

test("DOOR-05 a button works only for the chat and the account it was shown for, not for forged data", async () => {
  const eve = bot.person({ firstName: "Eve" });
  await follow(mallory);
  const [me, notMe] = [dataOf(bot.ana, ME), dataOf(bot.ana, NOT_ME)];
  await bot.ask(eve, "/start");
  for (const data of [me, notMe]) {
    expect(await bot.press(eve, eve, { data, isForged: true })).toBe(en("note_dead_button"));
    expect(await bot.press(eve, bot.ana, { data, isForged: true })).toBe(en("administrators_only"));
  }
  const bob = await bot.account(`bob${bot.testNumber}@example.org`);
  await bot.saveFilter(bob, 501);
  expect(await bot.press(bot.ana, bot.ana, { data: buttonData("t", bob), isForged: true })).toBe(
    en("note_dead_button"),
  );
  expect(await chatsOf(mallory)).toEqual([{ id: String(bot.ana), ...nameless("connected") }]);
  expect(await chatsOf(bob)).toEqual([{ id: "501", ...nameless("waiting") }]);
});

test("DOOR-05 in a group an administrator confirms the account, and until then the account does not see the group's name", async () => {
  const member = bot.person();
  const chat = bot.chat({
    kind: "supergroup",
    title: "Our flat",
    creatorId: bot.ana,
    members: { [member]: "member" },
  });
  await bot.ask(bot.ana, "/id", chat);
  await bot.saveFilter(mallory, chat);
  expect(await chatsOf(mallory)).toEqual([{ id: String(chat), ...nameless("connected") }]);
  await bot.ask(member, "/id", chat);
  for (const text of [ME, NOT_ME]) {
    expect(await bot.press(member, chat, { text })).toBe(en("administrators_only"));
  }
  expect(await chatsOf(mallory)).toEqual([{ id: String(chat), ...nameless("connected") }]);
  await bot.press(bot.ana, chat, { text: ME });
  expect(await chatsOf(mallory)).toMatchObject([{ kind: "supergroup", title: "Our flat" }]);
});

test("DOOR-05 a group that was connected by its administrator's link can still say “not me”, and is not asked what the link has answered", async () => {
  const chat = bot.chat({ kind: "group", title: "Our flat", creatorId: bot.ana });
  await follow(mallory, chat);
  expect(await chatsOf(mallory)).toMatchObject([{ title: "Our flat", state: "connected" }]);
  expect(bot.lastKeyboard(chat).map(({ text }) => text)).toEqual([NOT_ME, en("open_settings")]);
  expect(await bot.press(bot.ana, chat, { text: NOT_ME })).toBe(en("note_declined"));
  expect(await chatsOf(mallory)).toEqual([{ id: String(chat), ...nameless("declined", "said-no") }]);
});

test("DOOR-05 when two accounts enter an id at the same moment, one is connected and the other waits for consent", async () => {
  await bot.ask(bot.ana, "/id");
  const bob = await bot.account(`bob${bot.testNumber}@example.org`);
  const pool = openDatabase({ url: bot.database.url, max: 2 });
  const save = (userId: string, tx: typeof pool) => tx`
    insert into public.filter_settings (user_id, filter_url, receiver_ids)
    values (${userId}, 'https://www.idealista.com/alquiler-viviendas/madrid-madrid/', array[${String(bot.ana)}])`;
  let second: Promise<unknown> = Promise.resolve();
  await pool.begin(async (tx) => {
    await save(mallory, tx as unknown as typeof pool);
    second = save(bob, pool).execute();
    await expect.poll(() => waitingForLocks()).toBe(1);
  });
  await second;
  await pool.end();
  expect([await chatsOf(mallory), await chatsOf(bob)]).toEqual([
    [{ id: String(bot.ana), ...nameless("connected") }],
    [{ id: String(bot.ana), ...nameless("waiting") }],
  ]);
});

const waitingForLocks = async () =>
  Number(
    (
      await bot.sql`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    )[0]?.count,
  );

test("DOOR-05 an account that keeps entering an id is announced to the chat once, and at most five accounts a day are", async () => {
  await bot.ask(bot.ana, "/id");
  for (let round = 0; round < 3; round += 1) {
    await bot.saveFilter(mallory, bot.ana);
    await bot.saveFilter(mallory, 501);
  }
  expect(await connectedAlerts(bot.ana)).toHaveLength(1);
  for (let index = 2; index <= 6; index += 1) {
    const person = await bot.account(`m${index}-${bot.testNumber}@example.com`);
    await bot.saveFilter(person, bot.ana);
    await bot.ask(bot.ana, "/id");
    if (index <= 5) await bot.press(bot.ana, bot.ana, { text: NOT_ME });
    else expect(await chatsOf(person)).toEqual([{ id: String(bot.ana), ...nameless("waiting", null) }]);
  }
  expect(await connectedAlerts(bot.ana)).toHaveLength(5);
});
