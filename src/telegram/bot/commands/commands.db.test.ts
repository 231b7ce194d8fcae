import { expect, test } from "vitest";
import type { AlertListing } from "#core/alert/alert.ts";
import { requireChatById } from "#simulators/telegram/phone/create.ts";
import { viewChat } from "#simulators/telegram/phone/view.ts";
import { listingOf } from "#test/delivery/delivery-fixture.ts";
import { setUpTestBot, startTestBot } from "#test/test-bot.ts";
import { readLanguageCode } from "../conversation/telegram-chat.ts";
import { botTexts } from "../conversation/texts.ts";

const [en, es, ru, de, fr] = [botTexts("en"), botTexts("es"), botTexts("ru"), botTexts("de"), botTexts("fr")];

const bot = setUpTestBot();

const KINDS = ["group", "supergroup", "channel"] as const;
const chatOf = (kind: (typeof KINDS)[number], members = {}) =>
  bot.chat({ kind, title: "Our flat", creatorId: bot.ana, members });
const connect = async (chat: number) => {
  await bot.connect(bot.ana, bot.alice, chat);
  await bot.saveFilter(bot.alice, chat);
};
const stateOf = async (userId: string) =>
  (await bot.sql`select chat_id::text as id, state, reason from public.chats where user_id = ${userId}`)[0];
const isPaused = async () =>
  (await bot.sql`select is_paused from public.filter_settings where user_id = ${bot.alice}`)[0]?.is_paused;
const mutedUntil = async (chat: number) =>
  (await bot.sql`select muted_until::text from watch.chats where chat_id = ${chat}`)[0]?.muted_until;

test.each([
  ["en", en, "/filter-settings"],
  ["es", es, "/es/filter-settings"],
  ["ru", ru, "/ru/filter-settings"],
  ["de-AT", de, "/de/filter-settings"],
  ["fr", fr, "/fr/filter-settings"],
  ["it", en, "/filter-settings"],
  ["", en, "/filter-settings"],
])(
  "BOT-01 LANG-01 /start of a user who has %s shows the id to tap and the next step",
  async (languageCode, say, path) => {
    const person = bot.person({ languageCode });
    const [text] = await bot.ask(person, "/start");
    for (const key of ["hello", "chat_id_private", "next_step"] as const) expect(text).toContain(say(key));
    expect(bot.lastKeyboard(person)[0]?.url).toBe(`https://sereno.example${path}`);
    const message = bot.botMessages(person).at(-1);
    const code = message?.entities?.find(({ type }) => type === "code");
    expect(message?.text?.slice(code?.offset, (code?.offset ?? 0) + (code?.length ?? 0))).toBe(
      String(person),
    );
    const [row] = await bot.sql`
    select kind, title, standing, telegram_language, asked_id_at > now() - interval '1 minute' as has_asked
    from watch.chats where chat_id = ${person}`;
    expect(row).toEqual({
      kind: "private",
      title: "Someone",
      standing: "ok",
      telegram_language: readLanguageCode(languageCode) ?? null,
      has_asked: true,
    });
  },
);

test.each([
  ["group", "The chat ID of this group."],
  ["supergroup", "The chat ID of this group."],
  ["channel", "The chat ID of this channel."],
] as const)("BOT-01 /start and /id work in a %s", async (kind, words) => {
  const chat = chatOf(kind);
  for (const command of ["/start", "/id", `/ID@${bot.telegram.bot.username}`]) {
    expect(await bot.ask(bot.ana, command, chat)).toEqual([
      expect.stringContaining(`${words} Tap to copy:\n${chat}`),
    ]);
  }
});

test("the site's URL is sent as text if Telegram refuses a button to it", async () => {
  const local = await startTestBot({ siteUrl: "http://localhost:3000" });
  const person = local.person({ languageCode: "es" });
  expect(await local.ask(person, "/start")).toEqual([
    expect.stringMatching(/http:\/\/localhost:3000\/es\/filter-settings$/),
  ]);
  await local.stop();
});

test("BOT-04 EASY-04 /help lists every command, and the menus are registered in five languages for private chats and groups", async () => {
  const [text] = await bot.ask(bot.ana, "/help");
  const more = ["watch", "rules", "latest", "shortlist", "id", "web"];
  const menu = ["start", "searches", "status", "pause", "resume", "language", "help", "stop"];
  for (const name of [...menu, ...more]) expect(text).toContain(`/${name} · `);
  const first = (languageCode: string, kind: "private" | "group") => {
    const person = bot.person({ languageCode });
    const chat = kind === "private" ? person : bot.chat({ kind: "group", title: "x", creatorId: person });
    const { commands } = viewChat(bot.telegram, requireChatById(bot.telegram, chat), { as: person });
    return commands.map(({ command, description }) => [command, description]);
  };
  // The last menu that is registered; before that, English stands for it.
  await expect.poll(() => first("fr", "group").at(-1)?.[1]).toBe(fr("command_stop"));
  for (const kind of ["private", "group"] as const) {
    expect(first("en", kind).map(([command]) => command)).toEqual(menu);
    expect(["en", "es", "ru", "de", "fr", "it"].map((code) => first(code, kind).at(-1)?.[1])).toEqual([
      en("command_stop"),
      es("command_stop"),
      ru("command_stop"),
      de("command_stop"),
      fr("command_stop"),
      en("command_stop"),
    ]);
  }
});

test("BOT-04 /status in an unconnected chat says how to connect it", async () => {
  expect(await bot.ask(bot.ana, "/status")).toEqual([
    `${en("nobody_connected")}\n\n${en("next_step_status")}`,
  ]);
});

const tell = (chat: number, told: AlertListing, state = "sent") => bot.sql`
  insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, state, sent_at)
  values (${bot.alice}, ${chat}, 'new', ${told.propertyCode}, ${JSON.stringify({ listing: told })}::text::jsonb, ${state}, now())`;

test("BOT-04 TRUE-05 /latest shows the homes of the chat's latest alerts, newest first", async () => {
  expect(await bot.ask(bot.ana, "/latest")).toEqual([en("latest_none")]);
  await connect(bot.ana);
  const told = (code: string) => listingOf(code, { address: `calle <b>${code}</b> & "more"` });
  await tell(bot.ana, told("1"), "merged");
  for (const code of ["2", "3", "4", "5", "6"]) await tell(bot.ana, told(code));
  await tell(bot.ana, listingOf("7", { address: "on its way" }), "pending");
  await tell(999, listingOf("8", { address: "to another chat" }));
  await bot.sql`insert into public.marks (user_id, listing_id, mark) values (${bot.alice}, '6', 'hidden')`;
  const latest = async () => ((await bot.ask(bot.ana, "/latest"))[0] ?? "").split("\n\n");
  const [title, ...homes] = await latest();
  expect([title, homes]).toEqual([
    en("latest_title"),
    ["5", "4", "3", "2", "1"].map((code) =>
      [
        `Flat, Calle <b>${code}</b> & "more"`,
        "€1,250\u00a0· 58\u00a0m²\u00a0· 2\u00a0bedrooms\u00a0· 3rd\u00a0floor, lift",
        "Trafalgar, Chamberí\u00a0· Just now",
      ].join("\n"),
    ),
  ]);
  const links = bot
    .botMessages(bot.ana)
    .at(-1)
    ?.entities?.filter(({ type }) => type === "text_link");
  expect(links?.map(({ url }) => url)).toEqual(
    ["5", "4", "3", "2", "1"].map((code) => `https://www.idealista.com/en/inmueble/${code}/`),
  );
  // Home 4 was re-advertised as 5. Home 3 was found only by another search, which is then paused. Home 2 was found by both.
  await bot.sql`
    insert into watch.portal_listings (listing_id, home_id, listing, card, price_eur, first_seen_at, last_seen_at)
    select code, '4', '{}', '{}', 1, now(), now() from unnest(array['4', '5']) as code`;
  const [first] = await bot.sql`select id from public.filter_settings where user_id = ${bot.alice}`;
  const [other] = await bot.sql`
    insert into public.searches (user_id, filter_url, receiver_ids)
    values (${bot.alice}, 'https://www.idealista.com/alquiler-viviendas/toledo-toledo/', ${[String(bot.ana)]}) returning id, watch.settle_homes(array['5'])`;
  await bot.sql`update watch.alerts set search_ids = array[${other?.id}::uuid] where listing_id = '3'`;
  await bot.sql`update watch.alerts set search_ids = array[${other?.id}::uuid, ${first?.id}::uuid] where listing_id = '2'`;
  const codes = async () => (await latest()).flatMap((block) => /<b>(\d)</.exec(block)?.[1] ?? []);
  expect(await codes()).toEqual(["5", "3", "2", "1"]);
  await bot.sql`update public.searches set is_paused = true where id = ${other?.id}`;
  expect(await codes()).toEqual(["5", "2", "1"]);
  await bot.sql`delete from public.searches where id = ${other?.id}`;
  expect(await codes()).toEqual(["5", "2", "1"]);
  await bot.ask(bot.ana, "/pause");
  expect(await latest()).toEqual([en("latest_none")]);
});

test("BOT-04 /pause and /resume in a private chat pause and resume the searches", async () => {
  expect(await bot.ask(bot.ana, "/pause")).toEqual([expect.stringContaining(en("nobody_connected"))]);
  await connect(bot.ana);
  expect(await bot.ask(bot.ana, "/pause")).toEqual([
    en("paused_watch", { people: `alice${bot.testNumber}@example.com` }),
  ]);
  expect(await isPaused()).toBe(true);
  expect(await bot.ask(bot.ana, "/resume")).toEqual([
    en("resumed_watch", { people: `alice${bot.testNumber}@example.com` }),
  ]);
  expect(await isPaused()).toBe(false);
});

test.each(KINDS)("BOT-04 /pause in a %s mutes only that chat, and is for administrators", async (kind) => {
  const member = bot.person({ languageCode: "es" });
  const chat = chatOf(kind, kind === "channel" ? {} : { [member]: "member" });
  await connect(chat);
  if (kind !== "channel") {
    expect(await bot.ask(member, "/pause", chat)).toEqual([es("administrators_only")]);
    expect(await mutedUntil(chat)).toBeNull();
  }
  expect(await bot.ask(bot.ana, "/pause", chat)).toEqual([en("paused_chat")]);
  expect([await mutedUntil(chat), await isPaused()]).toEqual(["infinity", false]);
  expect(await bot.ask(bot.ana, "/status", chat)).toEqual([expect.stringContaining(en("chat_is_paused"))]);
  if (kind !== "channel") await bot.ask(member, "/resume", chat);
  expect(await mutedUntil(chat)).toBe("infinity");
  expect(await bot.ask(bot.ana, "/resume", chat)).toEqual([en("resumed_chat")]);
  expect(await mutedUntil(chat)).toBeNull();
});

test("LANG-01 /language asks in the chat's language, and the choice overrides Telegram's language", async () => {
  const person = bot.person({ languageCode: "ru" });
  expect(await bot.ask(person, "/language")).toEqual([ru("language_question")]);
  expect(bot.lastKeyboard(person).map(({ text }) => text)).toEqual([
    "English",
    "Español",
    "✓ Русский",
    "Deutsch",
    "Français",
  ]);
  expect(await bot.press(person, person, { text: "Français" })).toBe(fr("language_chosen"));
  expect(bot.botMessages(person).at(-1)?.text).toBe(fr("language_chosen"));
  expect(await bot.ask(person, "/stop")).toEqual([fr("stop_nothing")]);
  const { commands } = viewChat(bot.telegram, requireChatById(bot.telegram, person));
  expect(commands.at(-1)?.description).toBe(fr("command_stop"));
  expect(await bot.ask(person, "/language de")).toEqual([de("language_chosen")]);
  expect(await bot.ask(person, "/language Español")).toEqual([es("language_chosen")]);
});

test.each(KINDS)(
  "LANG-01 a %s is answered in the language that its administrator chose, for every member",
  async (kind) => {
    const member = bot.person({ languageCode: "ru" });
    const chat = chatOf(kind, kind === "channel" ? {} : { [member]: "member" });
    if (kind !== "channel") {
      expect(await bot.ask(member, "/language fr", chat)).toEqual([ru("administrators_only")]);
    }
    expect(await bot.ask(bot.ana, "/language fr", chat)).toEqual([fr("language_chosen")]);
    const asking = kind === "channel" ? bot.ana : member;
    expect(await bot.ask(asking, "/latest", chat)).toEqual([fr("latest_none")]);
  },
);

test.each(["private", ...KINDS] as const)(
  "BOT-04 /stop in a %s chat disconnects all accounts, and entering the id again does not undo it",
  async (kind) => {
    const member = bot.person({ languageCode: "de" });
    const chat =
      kind === "private" ? bot.ana : chatOf(kind, kind === "channel" ? {} : { [member]: "member" });
    const bob = await bot.account(`bob${bot.testNumber}@example.org`);
    await connect(chat);
    await bot.ask(bot.ana, `/start ${await bot.link(bob)}`, chat);
    await bot.saveFilter(bob, chat);
    await tell(chat, listingOf("1", { title: "On its way" }), "pending");
    const byMember = kind === "group" || kind === "supergroup";
    const [said] = await bot.ask(byMember ? member : bot.ana, "/stop", chat);
    expect(said).toContain(byMember ? de("stop_done") : en("stop_done"));
    const stopped = { id: String(chat), state: "declined", reason: "stopped" };
    expect([await stateOf(bot.alice), await stateOf(bob)]).toEqual([stopped, stopped]);
    expect(
      await bot.sql`select state from watch.alerts where user_id = ${bot.alice} and kind = 'new'`,
    ).toEqual([{ state: "undeliverable" }]);
    expect(await bot.receiverIdsOf(bot.alice)).toEqual([String(chat)]);
    await bot.saveFilter(bot.alice, 501);
    await bot.saveFilter(bot.alice, chat);
    expect(await stateOf(bot.alice)).toMatchObject({ state: "declined", reason: "stopped" });
    expect(
      await bot.sql`select from watch.alerts where kind = 'question' and chat_id = ${chat}`,
    ).toHaveLength(0);
  },
);

test("after /stop the chat can reconnect: /start asks, and Yes connects", async () => {
  await connect(bot.ana);
  await bot.ask(bot.ana, "/stop");
  expect((await bot.ask(bot.ana, "/start")).at(-1)).toContain(
    en("questionBody", { account: "a***@example.com" }),
  );
  expect(await bot.press(bot.ana, bot.ana, { text: en("yes") })).toBe(en("note_connected"));
  expect(await stateOf(bot.alice)).toMatchObject({ state: "connected", reason: null });
});

test.each([
  ["stop", en("stop_nothing")],
  ["HELP", en("help_title")],
  ["hola", en("not_understood")],
  ["/strat", en("not_understood")],
  ["/start@OtherBot", en("not_understood")],
  ["https://www.idealista.com/alquiler-viviendas/madrid-madrid/", en("link_question")],
  ["\u202egnp.\u0000\ud800", en("not_understood")],
])("a private chat that says %j is answered", async (text, answer) => {
  expect(await bot.ask(bot.ana, text)).toEqual([expect.stringContaining(answer)]);
});

test("in a group the bot reacts only to its own commands", async () => {
  const chat = bot.chat({ kind: "supergroup", title: "x", creatorId: bot.ana }, true);
  for (const text of ["hola", "stop", "/strat", "/start@OtherBot", "https://www.idealista.com/x/"]) {
    expect([text, await bot.ask(bot.ana, text, chat)]).toEqual([text, []]);
  }
});

test("U36 a name of ten thousand characters, right-to-left and with markup, is handled", async () => {
  const person = bot.person({ firstName: `\u202e<b>&"\u0000\ud800${"й".repeat(9_990)}` });
  expect(await bot.ask(person, "/start")).toHaveLength(1);
  const [row] =
    await bot.sql`select char_length(title) as length, title from watch.chats where chat_id = ${person}`;
  expect(row).toMatchObject({ length: 300, title: expect.stringContaining('<b>&"') });
});
