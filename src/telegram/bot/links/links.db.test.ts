import { expect, test } from "vitest";
import { pressButton, say } from "#simulators/telegram/phone/speak.ts";
import { buttonsOf, setUpTestBot } from "#test/test-bot.ts";
import filter from "#text/locales/en/filter.json" with { type: "json" };
import { botTexts } from "../conversation/texts.ts";

const en = botTexts("en");
const { refusals } = filter;

const bot = setUpTestBot();

const CHAMBERI = "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500/";
const connect = async (chat = bot.ana, userId = bot.alice) => {
  await bot.connect(bot.ana, userId, chat);
};
const urlsOf = async (userId = bot.alice) =>
  (
    await bot.sql`
      select filter_url from public.searches where user_id = ${userId} order by is_first desc, created_at, id`
  ).map(({ filter_url }) => String(filter_url).replace(/\?.*/, ""));
const lastText = (chat = bot.ana) => bot.botMessages(chat).at(-1)?.text ?? "";
/** Sends a message with additional fields and returns the bot's replies. */
const send = async (more: object, text = "") => {
  const before = bot.botMessages(bot.ana).length;
  say(bot.telegram, { personId: bot.ana, text, more });
  await bot.untilIdle();
  return bot.botMessages(bot.ana).slice(before);
};

test("MANY-03 one button turns a link into a search, and pressing it again or on a copy changes nothing", async () => {
  await connect();
  const [offer] = await bot.ask(bot.ana, CHAMBERI);
  expect(offer).toContain(en("link_question"));
  expect(offer).toContain("Chamberí");
  expect(offer).toContain("1,500");
  expect(bot.lastKeyboard(bot.ana).map(({ text }) => text)).toEqual([en("watch_it"), en("no_thanks")]);
  expect(await urlsOf()).toEqual([]);
  const { callback_data: watch = "" } = bot.lastKeyboard(bot.ana)[0] ?? {};
  expect(await bot.press(bot.ana, bot.ana, { text: en("watch_it") })).toBe(en("note_search_added"));
  expect(await urlsOf()).toEqual([CHAMBERI]);
  expect(await bot.receiverIdsOf(bot.alice)).toEqual([String(bot.ana)]);
  expect(lastText()).toMatch(/^✅ I'm watching “Chamberí.*” now\./);
  expect(bot.lastKeyboard(bot.ana).map(({ text }) => text)).toEqual([
    en("search_rename"),
    en("all_searches"),
  ]);
  expect(await bot.press(bot.ana, bot.ana, { data: watch, isForged: true })).toBe(en("note_search_same"));
  await bot.ask(bot.ana, CHAMBERI);
  await bot.sql`update public.filter_settings set name = 'Near <b>work</b>' where user_id = ${bot.alice}`;
  await bot.press(bot.ana, bot.ana, { text: en("watch_it") });
  expect(lastText()).toContain("I'm already watching this as “Near <b>work</b>”.");
  expect(await urlsOf()).toHaveLength(1);
});

test.each([
  ["share text", `¡Mira este anuncio!\n\n${CHAMBERI}?utm_source=app&xts=1\n\nEnviado desde idealista`],
  [
    "a link to the mobile site",
    "Mira: m.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500/.",
  ],
  [
    "another language and invisible characters",
    `\u200f\u202ahttps://www.ideal\u200bista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500/\u2069`,
  ],
  ["4,096 letters around it", `${"🏠 palabra ".repeat(180)}${CHAMBERI} ${"x ".repeat(900)}`.slice(0, 4096)],
  [
    "a text with other links",
    `https://example.com/a https://t.me/x ${CHAMBERI} https://www.fotocasa.es/es/alquiler`,
  ],
])("MANY-03 a link is found in %s", async (_, text) => {
  await connect();
  expect(await bot.ask(bot.ana, text)).toEqual([expect.stringContaining(en("link_question"))]);
  await bot.press(bot.ana, bot.ana, { text: en("watch_it") });
  expect(await urlsOf()).toEqual([CHAMBERI]);
});

test("MANY-03 links in text entities, captions and forwarded messages are found too", async () => {
  await connect();
  const entity = { type: "text_link", offset: 0, length: 4, url: CHAMBERI };
  const ways = [
    await send({ text: "Look", entities: [entity, null, { type: 7 }] }, "Look"),
    await send({ text: undefined, caption: `Look ${CHAMBERI}`, photo: [] }),
    await send({ text: undefined, caption: "Look", caption_entities: [entity], photo: [] }),
  ];
  const forwarded = await bot.ask(bot.ana, CHAMBERI, bot.ana, { isForwarded: true });
  expect([...ways.map(([message]) => message?.text), ...forwarded]).toEqual(
    Array(4).fill(expect.stringContaining(en("link_question"))),
  );
  expect(await bot.ask(bot.ana, "/pause", bot.ana, { isForwarded: true })).toEqual([]);
});

test("MANY-03 fifty links give three offers and a notice; No, thanks removes the buttons", async () => {
  await connect();
  const links = Array.from({ length: 50 }, (_, n) => `${CHAMBERI.replace("1500", String(1000 + n))}`).join(
    "\n",
  );
  const answers = await bot.ask(bot.ana, links.slice(0, 4096));
  expect(answers).toHaveLength(4);
  expect(answers.at(-1)).toBe("I've read the first 3 links. Please send me the others in another message.");
  expect(await bot.press(bot.ana, bot.ana, { text: en("no_thanks") })).toBe(en("note_declined"));
  expect(
    bot
      .botMessages(bot.ana)
      .slice(-4)
      .map((message) => buttonsOf(message).length),
  ).toEqual([2, 2, 0, 0]);
  expect(await urlsOf()).toEqual([]);
});

test.each([
  ["https://www.fotocasa.es/es/alquiler/viviendas/madrid/", refusals["other-site"].title],
  ["https://www.idealista.pt/arrendar-casas/lisboa/", refusals["other-country"].title],
  ["https://www.idealista.com/", refusals["home-page"].title],
  ["https://user@www.idealista.com/alquiler-viviendas/madrid-madrid/", refusals["unsafe-url"].title],
  ["https://www.idealista.com/pro/agencia/", refusals.agency.title],
  [`https://www.idealista.com/${"a".repeat(3000)}`, refusals["too-long"].title],
])("MANY-03 %s is not a search, and the reply says why", async (link, why) => {
  await connect();
  expect(await bot.ask(bot.ana, link)).toEqual([expect.stringContaining(why)]);
  expect(bot.lastKeyboard(bot.ana)).toEqual([]);
});

test("MANY-03 a search that no source can watch is not offered", async () => {
  await connect();
  const [answer] = await bot.ask(bot.ana, "https://www.idealista.com/multi/alquiler-viviendas/aaa,bbb/");
  expect(answer).toContain(en("link_blocked"));
  expect(bot.lastKeyboard(bot.ana)).toEqual([]);
});

test("MANY-03 an unconnected chat is sent to the website, which keeps the link until after the sign-up", async () => {
  const russian = bot.person({ languageCode: "ru" });
  const [answer] = await bot.ask(russian, CHAMBERI);
  expect(answer).toContain("Этот чат ещё не подключён.");
  const { url = "" } = bot.lastKeyboard(russian)[0] ?? {};
  expect(url).toMatch(/^https:\/\/sereno\.example\/ru\/filter-settings\?link=/);
  expect(new URL(url).searchParams.get("link")).toContain(CHAMBERI);
});

test("MANY-03 an eleventh search is refused with an explanation", async () => {
  await connect();
  for (let n = 0; n < 10; n++) {
    await bot.sql`select watch.add_search(${bot.alice}, ${bot.ana}, ${CHAMBERI.replace("1500", String(900 + n))})`;
  }
  await bot.ask(bot.ana, CHAMBERI);
  expect(await bot.press(bot.ana, bot.ana, { text: en("watch_it") })).toContain("/searches");
  expect(await urlsOf()).toHaveLength(10);
  expect(bot.lastKeyboard(bot.ana)).toHaveLength(2);
});

test("MANY-03 forged data cannot add searches for others or links that are not in the bot's message", async () => {
  await connect();
  const bob = await bot.account(`bob${bot.testNumber}@example.org`);
  await bot.ask(bot.ana, CHAMBERI);
  const packed = Buffer.from(bob.replaceAll("-", ""), "hex").toString("base64url");
  expect(await bot.press(bot.ana, bot.ana, { data: `a:${packed}`, isForged: true })).toBe(
    en("note_dead_button"),
  );
  expect(await urlsOf(bob)).toEqual([]);
  const own = Buffer.from(bot.alice.replaceAll("-", ""), "hex").toString("base64url");
  await bot.ask(bot.ana, "/help");
  expect(await bot.press(bot.ana, bot.ana, { data: `a:${own}`, isForged: true })).toContain(
    "send it to me again",
  );
  expect(await bot.press(bot.ana, bot.ana, { data: `e:${own}`, isForged: true })).toContain(
    "send it to me again",
  );
  // A message of the user, with a link.
  const { message_id: messageId } = say(bot.telegram, { personId: bot.ana, text: CHAMBERI });
  const { press } = pressButton(bot.telegram, {
    personId: bot.ana,
    messageId,
    data: `a:${own}`,
    isForged: true,
  });
  await bot.untilIdle();
  expect(press?.answer?.text).toContain("send it to me again");
  expect(await urlsOf()).toEqual([]);
  // After the chat is disconnected, its old buttons do nothing.
  await bot.ask(bot.ana, CHAMBERI);
  await bot.ask(bot.ana, "/stop");
  expect(await bot.press(bot.ana, bot.ana, { text: en("watch_it") })).toBe(en("note_dead_button"));
  expect(await urlsOf()).toEqual([]);
});

test("MANY-03 in a group an administrator uses /watch, and chooses one of several accounts", async () => {
  const member = bot.person();
  const chat = bot.chat(
    { kind: "supergroup", title: "x", creatorId: bot.ana, members: { [member]: "member" } },
    true,
  );
  const bob = await bot.account(`bob${bot.testNumber}@example.org`);
  await connect(chat);
  await connect(chat, bob);
  expect(await bot.ask(bot.ana, CHAMBERI, chat)).toEqual([]);
  expect(await bot.ask(member, `/watch ${CHAMBERI}`, chat)).toEqual([en("administrators_only")]);
  expect(await bot.ask(bot.ana, "/watch", chat)).toEqual([expect.stringContaining("reply with /watch")]);
  const { message_id: replyTo } = say(bot.telegram, {
    personId: member,
    chatId: chat,
    text: `Mira ${CHAMBERI}`,
  });
  expect(await bot.ask(bot.ana, "/watch", chat, { replyTo })).toEqual([
    expect.stringContaining(en("link_whose")),
  ]);
  expect(bot.lastKeyboard(chat).map(({ text }) => text)).toEqual([
    "For a***@example.com",
    "For b***@example.org",
    en("no_thanks"),
  ]);
  expect(await bot.press(member, chat, { text: "For b***@example.org" })).toBe(en("administrators_only"));
  await bot.press(bot.ana, chat, { text: "For b***@example.org" });
  expect([await urlsOf(bot.alice), await urlsOf(bob)]).toEqual([[], [CHAMBERI]]);
});
