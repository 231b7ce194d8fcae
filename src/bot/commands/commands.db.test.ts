import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AlertListing } from "#core/alert/alert.ts";
import { requireChatById } from "#simulators/telegram/phone/create.ts";
import { viewChat } from "#simulators/telegram/phone/view.ts";
import { listingOf } from "#test/delivery/delivery-fixture.ts";
import { startTestBot, type TestBot } from "#test/test-bot.ts";

let bot: TestBot;
let alice: string;
let ana: number;
let count = 0;

beforeAll(async () => {
  bot = await startTestBot();
});

afterAll(() => bot.stop());

beforeEach(async () => {
  count += 1;
  alice = await bot.account(`alice${count}@example.com`);
  ana = bot.person({ firstName: "Ana", languageCode: "en" });
});

const KINDS = ["group", "supergroup", "channel"] as const;
const chatOf = (kind: (typeof KINDS)[number], members = {}) =>
  bot.chat({ kind, title: "Our flat", creatorId: ana, members });
const connect = async (chat: number) => {
  await bot.ask(ana, `/start ${await bot.link(alice)}`, chat);
  await bot.saveFilter(alice, chat);
};
const stateOf = async (userId: string) =>
  (await bot.sql`select chat_id::text as id, state, reason from public.chats where user_id = ${userId}`)[0];
const isPaused = async () =>
  (await bot.sql`select is_paused from public.filter_settings where user_id = ${alice}`)[0]?.is_paused;
const mutedUntil = async (chat: number) =>
  (await bot.sql`select muted_until::text from watch.chats where chat_id = ${chat}`)[0]?.muted_until;

test.each([
  ["en", "Hello, I am Sereno.", "Your chat ID. Tap to copy:", "Next: save your search", "/filter-settings"],
  [
    "es",
    "Hola, soy Sereno.",
    "Tu ID de chat. Tócalo para copiarlo:",
    "Siguiente paso:",
    "/es/filter-settings",
  ],
  ["ru", "Здравствуйте, я Sereno.", "ID вашего чата.", "Дальше: сохраните поиск", "/ru/filter-settings"],
  [
    "de-AT",
    "Hallo, ich bin Sereno.",
    "Deine Chat-ID.",
    "Weiter geht es auf der Website",
    "/de/filter-settings",
  ],
  ["fr", "Bonjour, je suis Sereno.", "Votre ID de chat.", "Ensuite\u00a0:", "/fr/filter-settings"],
  ["it", "Hello, I am Sereno.", "Your chat ID.", "Next:", "/filter-settings"],
  ["", "Hello, I am Sereno.", "Your chat ID.", "Next:", "/filter-settings"],
])(
  "BOT-01 LANG-01 /start to a person who has %s: the id to tap, and the next step",
  async (languageCode, ...parts) => {
    const person = bot.person({ languageCode });
    const [text] = await bot.ask(person, "/start");
    for (const part of parts.slice(0, 3)) expect(text).toContain(part);
    expect(bot.lastKeyboard(person)[0]?.url).toBe(`https://sereno.example${parts[3]}`);
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
      telegram_language: languageCode || null,
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
    expect(await bot.ask(ana, command, chat)).toEqual([
      expect.stringContaining(`${words} Tap to copy:\n${chat}`),
    ]);
  }
});

test("a site that Telegram takes no button to is named in the text", async () => {
  const local = await startTestBot({ siteUrl: "http://localhost:3000" });
  const person = local.person({ languageCode: "es" });
  expect(await local.ask(person, "/start")).toEqual([
    expect.stringMatching(/http:\/\/localhost:3000\/es\/filter-settings$/),
  ]);
  await local.stop();
});

test("BOT-04 /help lists every command, and the menus are there in five languages and both kinds of chats", async () => {
  const [text] = await bot.ask(ana, "/help");
  const names = [
    "start",
    "id",
    "searches",
    "watch",
    "status",
    "latest",
    "pause",
    "resume",
    "language",
    "help",
    "stop",
  ];
  for (const name of names) expect(text).toContain(`/${name} · `);
  const first = (languageCode: string, kind: "private" | "group") => {
    const person = bot.person({ languageCode });
    const chat = kind === "private" ? person : bot.chat({ kind: "group", title: "x", creatorId: person });
    const { commands } = viewChat(bot.telegram, requireChatById(bot.telegram, chat), { as: person });
    return commands.map(({ command, description }) => [command, description]);
  };
  await expect.poll(() => first("fr", "group").length, { timeout: 20_000 }).toBe(names.length);
  for (const kind of ["private", "group"] as const) {
    expect(first("en", kind).map(([command]) => command)).toEqual(names);
    expect(["en", "es", "ru", "de", "fr", "it"].map((code) => first(code, kind).at(-1)?.[1])).toEqual([
      "Disconnect this chat",
      "Desconectar este chat",
      "Отключить этот чат",
      "Diesen Chat trennen",
      "Déconnecter cette conversation",
      "Disconnect this chat",
    ]);
  }
});

test("BOT-04 /status of a chat that nobody connected says how to connect it", async () => {
  expect(await bot.ask(ana, "/status")).toEqual([
    "No alerts come to this chat yet.\n\nConnect it on the website: one tap is enough.",
  ]);
});

test("BOT-04 MAIL-09 /status tells of each person connected how their watch fares, step by step", async () => {
  await bot.ask(ana, `/start ${await bot.link(alice)}`);
  const status = async () => (await bot.ask(ana, "/status")).join("\n");
  expect(await status()).toBe("a***@example.com\nNo search is saved yet.");
  await bot.saveFilter(alice, ana);
  expect(await status()).toContain("🏮 The first check is under way.");
  const key = `feed ${count}`;
  await bot.sql`
    insert into watch.feeds (key, source, query, interval_seconds, last_ok_at)
    values (${key}, 'official', '{}', 600, ${new Date(bot.clock.now - 180_000)})`;
  await bot.sql`
    insert into watch.searches (filter_id, user_id, filter_url, feed_key, begun_at)
    select id, user_id, filter_url, ${key}, now() from public.filter_settings where user_id = ${alice}`;
  expect(await status()).toBe(
    "a***@example.com\nHomes to rent in Madrid\n🏮 Watching, every 10 min.\nLast check: 3 min ago\nNew in the last 24 hours: 0",
  );
  await bot.sql`update watch.feeds set failing_since = now() where key = ${key}`;
  expect(await status()).toContain(
    "⚠️ Idealista cannot be reached just now. I keep trying.\nLast check: 3 min ago",
  );
  await bot.sql`update watch.feeds set failure_reason = 'quota-spent', spent_until = now() + interval '9 days' where key = ${key}`;
  expect(await status()).toMatch(
    /⚠️ This month's requests are spent\. I look again from \d+ \w+\.\nLast check/,
  );
  await bot.sql`update watch.feeds set failing_since = null, spent_until = null where key = ${key}`;
  const told = async (seconds: number) => {
    await bot.sql`update watch.feeds set interval_seconds = ${seconds} where key = ${key}`;
    return (await status()).split("\n")[2];
  };
  expect(await told(60)).toBe("🏮 Watching, every 10 min.");
  expect(await told(259_200)).toBe("🏮 Watching, every 3 days.");
  await bot.sql`insert into public.received_mails (user_id, outcome) values (${alice}, 'digest')`;
  expect(await told(259_200)).toBe("🏮 Watching, as Idealista sends it.");
  await bot.sql`update watch.searches set problem = 'not-a-search' where user_id = ${alice}`;
  expect(await status()).toContain("not a search I can watch");
  await bot.ask(ana, "/pause");
  expect(await status()).toContain("⏸ Paused. /resume starts it again.");
});

const tell = (chat: number, told: AlertListing, state = "sent") => bot.sql`
  insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, state, sent_at)
  values (${alice}, ${chat}, 'new', ${told.propertyCode}, ${JSON.stringify({ listing: told })}::text::jsonb, ${state}, now())`;

test("BOT-04 /latest shows what this chat was told last, newest first, with what markup there is made harmless", async () => {
  expect(await bot.ask(ana, "/latest")).toEqual(["Nothing has been told here yet."]);
  await connect(ana);
  await tell(ana, listingOf("1", { title: 'Flat <b>1</b> & "more"' }), "merged");
  for (const code of ["2", "3", "4", "5", "6"])
    await tell(ana, listingOf(code, { title: `Flat <b>${code}</b> & "more"` }));
  await tell(ana, listingOf("7", { title: "On its way" }), "pending");
  await tell(999, listingOf("8", { title: "To another chat" }));
  await bot.sql`insert into public.marks (user_id, listing_id, mark) values (${alice}, '6', 'hidden')`;
  const [text = ""] = await bot.ask(ana, "/latest");
  expect(text.split("\n\n")).toEqual([
    "The latest listings",
    ...["5", "4", "3", "2", "1"].map(
      (code) => `Flat <b>${code}</b> & "more"\n€1,250 · 58\u00a0m² · Just now`,
    ),
  ]);
  const links = bot
    .botMessages(ana)
    .at(-1)
    ?.entities?.filter(({ type }) => type === "text_link");
  expect(links?.map(({ url }) => url)).toEqual(
    ["5", "4", "3", "2", "1"].map((code) => `https://www.idealista.com/inmueble/${code}/`),
  );
});

test("BOT-04 /pause and /resume in a private chat stop and start the watch itself", async () => {
  expect(await bot.ask(ana, "/pause")).toEqual([expect.stringContaining("No alerts come to this chat yet.")]);
  await connect(ana);
  expect(await bot.ask(ana, "/pause")).toEqual([
    "⏸ Paused for a***@example.com. I look for nothing until /resume.",
  ]);
  expect(await isPaused()).toBe(true);
  expect(await bot.ask(ana, "/resume")).toEqual(["🏮 Watching again for a***@example.com."]);
  expect(await isPaused()).toBe(false);
});

test.each(KINDS)("BOT-04 /pause in a %s quiets that chat alone, and is an administrator's", async (kind) => {
  const member = bot.person({ languageCode: "es" });
  const chat = chatOf(kind, kind === "channel" ? {} : { [member]: "member" });
  await connect(chat);
  if (kind !== "channel") {
    expect(await bot.ask(member, "/pause", chat)).toEqual(["Aquí solo pueden hacerlo los administradores."]);
    expect(await mutedUntil(chat)).toBeNull();
  }
  expect(await bot.ask(ana, "/pause", chat)).toEqual(["⏸ Paused. Nothing comes to this chat until /resume."]);
  expect([await mutedUntil(chat), await isPaused()]).toEqual(["infinity", false]);
  expect(await bot.ask(ana, "/status", chat)).toEqual([
    expect.stringContaining("Alerts to this chat are paused."),
  ]);
  if (kind !== "channel") await bot.ask(member, "/resume", chat);
  expect(await mutedUntil(chat)).toBe("infinity");
  expect(await bot.ask(ana, "/resume", chat)).toEqual(["🏮 Alerts come to this chat again."]);
  expect(await mutedUntil(chat)).toBeNull();
});

test("LANG-01 /language asks in the chat's language, and the choice outlives everything Telegram says", async () => {
  const person = bot.person({ languageCode: "ru" });
  expect(await bot.ask(person, "/language")).toEqual(["На каком языке писать сюда?"]);
  expect(bot.lastKeyboard(person).map(({ text }) => text)).toEqual([
    "English",
    "Español",
    "✓ Русский",
    "Deutsch",
    "Français",
  ]);
  expect(await bot.press(person, person, { text: "Français" })).toBe("Désormais, j’écris ici en français.");
  expect(bot.botMessages(person).at(-1)?.text).toBe("Désormais, j’écris ici en français.");
  expect(await bot.ask(person, "/stop")).toEqual(["Cette conversation ne reçoit aucune alerte."]);
  const { commands } = viewChat(bot.telegram, requireChatById(bot.telegram, person));
  expect(commands.at(-1)?.description).toBe("Déconnecter cette conversation");
  expect(await bot.ask(person, "/language de")).toEqual(["Ab jetzt schreibe ich hier auf Deutsch."]);
  expect(await bot.ask(person, "/language Español")).toEqual(["Ahora aquí hablo español."]);
});

test.each(KINDS)("LANG-01 a %s speaks what its administrator chose, whoever asks", async (kind) => {
  const member = bot.person({ languageCode: "ru" });
  const chat = chatOf(kind, kind === "channel" ? {} : { [member]: "member" });
  if (kind !== "channel") {
    expect(await bot.ask(member, "/language fr", chat)).toEqual(["Здесь это могут только администраторы."]);
  }
  expect(await bot.ask(ana, "/language fr", chat)).toEqual(["Désormais, j’écris ici en français."]);
  const asking = kind === "channel" ? ana : member;
  expect(await bot.ask(asking, "/latest", chat)).toEqual([
    "Je n’ai encore envoyé ici aucune annonce des recherches actives.",
  ]);
});

test.each(["private", ...KINDS] as const)(
  "BOT-04 /stop in a %s chat ends it for everyone at once, and typing the id again does not undo it",
  async (kind) => {
    const member = bot.person({ languageCode: "de" });
    const chat = kind === "private" ? ana : chatOf(kind, kind === "channel" ? {} : { [member]: "member" });
    const bob = await bot.account(`bob${count}@example.org`);
    await connect(chat);
    await bot.ask(ana, `/start ${await bot.link(bob)}`, chat);
    await bot.saveFilter(bob, chat);
    await tell(chat, listingOf("1", { title: "On its way" }), "pending");
    const byMember = kind === "group" || kind === "supergroup";
    const [said] = await bot.ask(byMember ? member : ana, "/stop", chat);
    expect(said).toContain(byMember ? "Erledigt." : "Done. No alerts come to this chat any more.");
    const stopped = { id: String(chat), state: "declined", reason: "stopped" };
    expect([await stateOf(alice), await stateOf(bob)]).toEqual([stopped, stopped]);
    expect(await bot.sql`select state from watch.alerts where user_id = ${alice} and kind = 'new'`).toEqual([
      { state: "undeliverable" },
    ]);
    expect(await bot.receiverIdsOf(alice)).toEqual([String(chat)]);
    await bot.saveFilter(alice, 501);
    await bot.saveFilter(alice, chat);
    expect(await stateOf(alice)).toMatchObject({ state: "declined", reason: "said-no" });
    expect(
      await bot.sql`select from watch.alerts where kind = 'question' and chat_id = ${chat}`,
    ).toHaveLength(0);
  },
);

test("after /stop the chat itself can come back: /start asks, and Yes connects", async () => {
  await connect(ana);
  await bot.ask(ana, "/stop");
  expect((await bot.ask(ana, "/start")).at(-1)).toContain("a***@example.com would like to get alerts");
  expect(await bot.press(ana, ana, { text: "Yes, send them here" })).toBe("Connected.");
  expect(await stateOf(alice)).toMatchObject({ state: "connected", reason: null });
});

test.each([
  ["stop", "No alerts come to this chat."],
  ["HELP", "I understand these commands:"],
  ["hola", "I understand commands only. /help lists them."],
  ["/strat", "I understand commands only. /help lists them."],
  ["/start@OtherBot", "I understand commands only. /help lists them."],
  ["https://www.idealista.com/alquiler-viviendas/madrid-madrid/", "Shall I watch this search?"],
  ["\u202egnp.\u0000\ud800", "I understand commands only. /help lists them."],
])("a private chat that says %j is answered", async (text, answer) => {
  expect(await bot.ask(ana, text)).toEqual([expect.stringContaining(answer)]);
});

test("in a group the bot minds its own commands alone", async () => {
  const chat = bot.chat({ kind: "supergroup", title: "x", creatorId: ana }, true);
  for (const text of ["hola", "stop", "/strat", "/start@OtherBot", "https://www.idealista.com/x/"]) {
    expect([text, await bot.ask(ana, text, chat)]).toEqual([text, []]);
  }
});

test("U36 a name of ten thousand letters, right-to-left and with markup is a name", async () => {
  const person = bot.person({ firstName: `\u202e<b>&"\u0000\ud800${"й".repeat(9_990)}` });
  expect(await bot.ask(person, "/start")).toHaveLength(1);
  const [row] =
    await bot.sql`select char_length(title) as length, title from watch.chats where chat_id = ${person}`;
  expect(row).toMatchObject({ length: 300, title: expect.stringContaining('<b>&"') });
});
