import { expect, test } from "vitest";
import { setUpTestBot } from "#test/test-bot.ts";
import { botTexts } from "../conversation/texts.ts";

const en = botTexts("en");

const bot = setUpTestBot();

const connect = async (chat = bot.ana, userId = bot.alice) => {
  await bot.connect(bot.ana, userId, chat);
};
const urlsOf = async (userId = bot.alice) =>
  (
    await bot.sql`
      select filter_url from public.searches where user_id = ${userId} order by is_first desc, created_at, id`
  ).map(({ filter_url }) => String(filter_url).replace(/\?.*/, ""));
const lastText = (chat = bot.ana) => bot.botMessages(chat).at(-1)?.text ?? "";
const marks = async () =>
  (await bot.sql`select listing_id, mark, chat_id::text from public.marks where user_id = ${bot.alice}`).map(
    (row) => ({
      ...row,
    }),
  );
test("MANY-03 a single listing can be watched if a feed sees it, and a button ends it", async () => {
  await connect();
  const code = String(880_000 + bot.testNumber);
  const link = `https://www.idealista.com/en/inmueble/${code}/?utm_medium=app`;
  expect(await bot.ask(bot.ana, `Look! ${link}`)).toEqual([
    expect.stringContaining("I can't see this listing"),
  ]);
  // Without any facts, the bot's own questions ask what the person is looking for.
  expect(bot.lastKeyboard(bot.ana).map(({ text }) => text)).toEqual([en("questions_button")]);
  await bot.sql`insert into watch.feeds (key, source, query, interval_seconds) values (${`feed ${code}`}, 'official', '{}', 600)`;
  await bot.sql`
    insert into watch.portal_listings (listing_id, listing, card, price_eur, home_id, first_seen_at, last_seen_at)
    values (${code}, '{}', ${bot.sql.json({ title: "Flat <b>1</b>" })}, 1250, ${code}, now(), now())`;
  await bot.sql`
    insert into watch.feed_listings (feed_key, listing_id, rank, price_eur, first_seen_at)
    values (${`feed ${code}`}, ${code}, 1, 1250, now())`;
  const [offer] = await bot.ask(bot.ana, link);
  expect(offer).toContain(en("listing_question"));
  expect(offer).toContain("Flat <b>1</b> · €1,250");
  expect(await bot.press(bot.ana, bot.ana, { text: en("listing_watch") })).toBe(en("listing_watched"));
  expect(await marks()).toEqual([{ listing_id: code, mark: "kept", chat_id: String(bot.ana) }]);
  // A watched listing is not offered again.
  expect((await bot.ask(bot.ana, link))[0]).toContain(en("listing_watched"));
  expect(bot.lastKeyboard(bot.ana).map(({ text }) => text)).toEqual([en("listing_unwatch")]);
  await bot.press(bot.ana, bot.ana, { text: en("listing_unwatch") });
  expect(await marks()).toEqual([]);
  await bot.sql`update watch.feed_listings set gone_at = now() where listing_id = ${code}`;
  expect(await bot.press(bot.ana, bot.ana, { text: en("listing_watch") })).toBe(en("note_listing_unseen"));
  expect(await marks()).toEqual([]);
  await bot.sql`update watch.feed_listings set gone_at = null where listing_id = ${code}`;
  await bot.sql`update watch.feeds set idle_since = now() where key = ${`feed ${code}`}`;
  expect((await bot.ask(bot.ana, link))[0]).toContain("I can't see this listing");
});

test("EASY-04 MANY-03 a listing from the user's own alert mails can be watched, one from another user's mails cannot", async () => {
  await connect();
  const code = String(990_000 + bot.testNumber);
  const bob = await bot.account(`bob${bot.testNumber}@example.org`);
  const mail = async (userId: string) => {
    await bot.sql`insert into public.listings (listing_id, user_id, details) values (${code}, ${userId}, '{}')`;
    await bot.sql`
      insert into watch.mail_listings (user_id, listing_id, price_eur, sent_at) values (${userId}, ${code}, 900, now())`;
    await bot.sql`insert into public.received_mails (user_id, outcome) values (${userId}, 'alert')`;
  };
  await mail(bob);
  const link = `https://www.idealista.com/inmueble/${code}/`;
  expect((await bot.ask(bot.ana, link))[0]).toContain("I can't see this listing");
  expect(bot.lastKeyboard(bot.ana).map(({ text }) => text)).toEqual([en("questions_button")]);
  await mail(bot.alice);
  await bot.ask(bot.ana, link);
  await bot.press(bot.ana, bot.ana, { text: en("listing_watch") });
  expect(await marks()).toEqual([{ listing_id: code, mark: "kept", chat_id: String(bot.ana) }]);
});

test("CALM-07 the link of a listing that was seen leads to a search for similar ones, also after nothing sees it", async () => {
  await connect();
  const code = String(770_000 + bot.testNumber);
  const link = `https://www.idealista.com/inmueble/${code}/`;
  const flat = { operation: "rent", kind: "homes", rooms: 2, typology: "flat" };
  await bot.sql`
    insert into watch.portal_listings (listing_id, listing, card, price_eur, home_id, place_id, first_seen_at, last_seen_at)
    values (${code}, '{}', ${bot.sql.json(flat)}, 1150, ${code}, '0-EU-ES-28-07-001-079-07', now(), now())`;
  expect((await bot.ask(bot.ana, link))[0]).toContain(en("listing_like"));
  expect(bot.lastKeyboard(bot.ana).map(({ text }) => text)).toEqual([en("listing_similar")]);
  const { callback_data: similar = "" } = bot.lastKeyboard(bot.ana)[0] ?? {};
  await bot.press(bot.ana, bot.ana, { text: en("listing_similar") });
  expect(lastText()).toContain(en("link_question"));
  expect(lastText()).toContain("1,030");
  await bot.press(bot.ana, bot.ana, { text: en("watch_it") });
  expect(await urlsOf()).toEqual([
    "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1270,precio-desde_1030,de-dos-dormitorios/",
  ]);
  // A forged press for another account, and one under a message without a listing.
  const bob = await bot.account(`bob${bot.testNumber}@example.org`);
  const packed = Buffer.from(bob.replaceAll("-", ""), "hex").toString("base64url");
  await bot.ask(bot.ana, link);
  expect(await bot.press(bot.ana, bot.ana, { data: `L:${packed}`, isForged: true })).toBe(
    en("note_dead_button"),
  );
  await bot.ask(bot.ana, "/help");
  expect(await bot.press(bot.ana, bot.ana, { data: similar, isForged: true })).toBe(en("note_send_again"));
});

test("CALM-07 an unconnected chat that sends a listing is sent to the website with the link", async () => {
  const stranger = bot.person({ languageCode: "de" });
  const link = "https://www.idealista.com/inmueble/123456/";
  expect((await bot.ask(stranger, link))[0]).toContain("ähnlichen Inseraten");
  const { url = "" } = bot.lastKeyboard(stranger)[0] ?? {};
  expect(new URL(url).searchParams.get("link")).toBe(link);
});
