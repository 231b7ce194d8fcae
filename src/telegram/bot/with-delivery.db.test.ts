import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { chatLabelOf } from "#core/alert/chat.ts";
import type { Message } from "#simulators/telegram/model.ts";
import { setMember } from "#simulators/telegram/phone/membership.ts";
import { addAlerts, listingOf, type NewAlert, newListing } from "#test/delivery/delivery-fixture.ts";
import { buttonsOf, setUpTestBot } from "#test/test-bot.ts";
import { translatorOf } from "#text/translator.ts";
import { createDelivery, type Delivery } from "../send/create-delivery.ts";
import { createTelegramChannel } from "../send/create-telegram-channel.ts";
import { botTexts } from "./conversation/texts.ts";

/** The bot and the sender on the same database and the same Telegram. */
const bot = setUpTestBot();
let delivery: Delivery;
let count = 0;

beforeAll(async () => {
  const { sql, databaseUrl, token, apiRoot, siteUrl, logger } = bot.botOptions;
  const channel = createTelegramChannel({ token, apiRoot, siteUrl });
  delivery = createDelivery({ sql, databaseUrl, channel, logger });
  delivery.start();
});

afterAll(() => delivery.stop());

const PATIENCE = { timeout: 60_000, interval: 20 };
const [en, es, ru, de, fr] = [botTexts("en"), botTexts("es"), botTexts("ru"), botTexts("de"), botTexts("fr")];

/** Creates an account with this language. */
async function account(language: string): Promise<string> {
  count += 1;
  const userId = await bot.account(`p${count}@example.com`);
  await bot.sql`update public.profiles set language = ${language} where id = ${userId}`;
  return userId;
}

const wordsOf = (message: Message | undefined) => message?.text ?? message?.caption ?? "";
const last = (chat: number) => bot.botMessages(chat).at(-1);
const labels = (message: Message | undefined) => buttonsOf(message).map(({ text }) => text);
/** Waits for this many new messages and returns them. */
async function news(chat: number, since: number, wanted = 1): Promise<Message[]> {
  await vi.waitFor(
    () => expect(bot.botMessages(chat).length).toBeGreaterThanOrEqual(since + wanted),
    PATIENCE,
  );
  return bot.botMessages(chat).slice(since);
}
const question = async (chat: number, ask: () => Promise<void>) => {
  const before = bot.botMessages(chat).length;
  await ask();
  return (await news(chat, before))[0];
};
const tell = (...alerts: NewAlert[]) => addAlerts(bot.botOptions.sql, alerts);
const started = (userId: string, chatId: number): NewAlert => ({
  ...{ userId, chatId, kind: "watch-started" },
  payload: {
    filterUrl: "https://www.idealista.com/alquiler-viviendas/madrid-madrid/",
    ...{ matchCount: 0, isAtLeast: false, newest: [] },
  },
});

test("TRUE-05 a chat is asked in its own language, and the conversation continues in it", async () => {
  const asker = await account("es");
  const ana = bot.person({ languageCode: "de-CH" });
  await bot.ask(ana, "/help");
  const asked = await question(ana, () => bot.saveFilter(asker, ana));
  expect(wordsOf(asked)).toContain(de("question"));
  expect(labels(asked)).toEqual([de("yes"), de("no")]);
  expect(await bot.press(ana, ana, { text: de("yes") })).toBe(de("note_connected"));
  expect(wordsOf(last(ana))).toContain(de("stop_hint"));
  const before = bot.botMessages(ana).length;
  await tell(started(asker, ana), newListing(asker, ana, "801"));
  const [greeting, alert] = await news(ana, before, 2);
  // The greeting continues the conversation; alerts are in the language of the account.
  expect(wordsOf(greeting)).toContain(de("watchStarted"));
  expect(wordsOf(alert)).toContain(
    translatorOf("home")("es")("alerts.new.titleIn", { place: "Trafalgar, Chamberí" }),
  );
  expect(await bot.press(ana, ana, { text: es("keep") })).toBe(es("note_kept"));
});

test("TRUE-05 /language comes first, then Telegram's language if supported, then the last one used, then the account's", async () => {
  const [first, second, third] = [await account("ru"), await account("fr"), await account("fr")];
  const ana = bot.person({ languageCode: "pt-br" });
  const asked = await question(ana, () => bot.saveFilter(first, ana));
  expect(labels(asked)).toEqual([ru("yes"), ru("no")]);
  expect(await bot.press(ana, ana, { text: ru("no") })).toBe(ru("note_declined"));
  expect(wordsOf(last(ana))).toBe(ru("question_declined", { account: "p***@example.com" }));
  expect(labels(await question(ana, () => bot.saveFilter(second, ana)))).toEqual([ru("yes"), ru("no")]);
  await bot.ask(ana, "/language en");
  expect(labels(await question(ana, () => bot.saveFilter(third, ana)))).toEqual([en("yes"), en("no")]);
});

test("TRUE-05 in a group an exchange stays in its first language, even if another member continues it", async () => {
  const asker = await account("es");
  const [ana, boris, jean] = ["de", "ru", "fr"].map((languageCode) => bot.person({ languageCode })) as [
    number,
    number,
    number,
  ];
  const chat = bot.chat({ kind: "supergroup", title: "x", creatorId: ana, members: { [jean]: "member" } });
  setMember(bot.telegram, chat, boris, "administrator");
  await bot.untilIdle();
  await bot.ask(boris, "/help", chat);
  const asked = await question(chat, () => bot.saveFilter(asker, chat));
  expect(labels(asked)).toEqual([ru("yes"), ru("no")]);
  expect(await bot.press(jean, chat, { text: ru("yes") })).toBe(ru("administrators_only"));
  expect(await bot.press(ana, chat, { text: ru("yes") })).toBe(ru("note_connected"));
  expect(wordsOf(last(chat))).toContain(ru("stop_hint"));
  const before = bot.botMessages(chat).length;
  await tell(started(asker, chat));
  expect(wordsOf((await news(chat, before))[0])).toContain(ru("watchStarted"));
  // A new exchange is in the language of the last sender.
  expect(await bot.ask(jean, "/stop", chat)).toEqual([expect.stringContaining(fr("stop_done"))]);
});

test("TRUE-05 an id unknown to Telegram is shown as such, also when it is entered again; /stop is not a refusal", async () => {
  const asker = await account("en");
  const unknown = 4_000_000_001;
  const label = async (chatId: number) => {
    const [row] = await bot.sql`
      select state, reason from public.chats where user_id = ${asker} and chat_id = ${chatId}`;
    return row && chatLabelOf(row.state, row.reason);
  };
  await bot.saveFilter(asker, unknown);
  await expect.poll(() => label(unknown), PATIENCE).toBe("notFound");
  await bot.saveFilter(asker, 501);
  await bot.saveFilter(asker, unknown);
  expect(await label(unknown)).toBe("notFound");
  const [stopper, refuser] = [bot.person(), bot.person()];
  await bot.saveFilter(asker, stopper, refuser);
  for (const person of [stopper, refuser]) {
    const [asked] = await news(person, 0);
    expect(labels(asked)).toEqual([en("yes"), en("no")]);
  }
  await bot.press(refuser, refuser, { text: en("no") });
  await bot.ask(stopper, "/stop");
  expect([await label(stopper), await label(refuser)]).toEqual(["stopped", "declined"]);
});

/** An account connected to a chat of this kind, and a second user who may press buttons there. */
async function connected(kind: "private" | "supergroup") {
  const userId = await account("en");
  const [ana, member] = [bot.person({ languageCode: "en" }), bot.person({ languageCode: "fr" })];
  const members = { [member]: "member" } as const;
  const chat = kind === "private" ? ana : bot.chat({ kind, title: "x", creatorId: ana, members });
  // Connected first, so that no question is sent meanwhile.
  await bot.connect(ana, userId, chat);
  await bot.saveFilter(userId, chat);
  return { userId, chat, presser: kind === "private" ? ana : member };
}

test.each(["private", "supergroup"] as const)(
  "TRUE-05 Hide in a %s chat shortens the alert to one line, with or without a photo, and Undo restores it",
  async (kind) => {
    const { userId, chat, presser } = await connected(kind);
    for (const pictureUrl of [null, "https://img.example.com/1.jpg"]) {
      const code = String(810 + 10 * count + (pictureUrl === null ? 0 : 1));
      const before = bot.botMessages(chat).length;
      await tell(newListing(userId, chat, code, { pictureUrl, isPrivate: false }));
      const [whole] = await news(chat, before);
      expect([whole?.photo !== undefined, wordsOf(whole).split("\n").length]).toEqual([
        pictureUrl !== null,
        4,
      ]);
      const shown = () => bot.botMessages(chat).find(({ message_id }) => message_id === whole?.message_id);
      expect(await bot.press(presser, chat, { data: `h:${code}` })).toBe(en("note_hidden"));
      await expect
        .poll(() => wordsOf(shown()), PATIENCE)
        .toBe(`🙈 ${en("hidden")} Flat, Calle de Fuencarral`);
      await expect.poll(() => labels(shown()), PATIENCE).toEqual([en("button_hidden"), en("less")]);
      expect(await bot.press(presser, chat, { data: `u:${code}` })).toBe(en("note_undone"));
      await expect.poll(() => wordsOf(shown()), PATIENCE).toBe(wordsOf(whole));
      await expect.poll(() => shown()?.reply_markup, PATIENCE).toEqual(whole?.reply_markup);
      // A kept home has no Keep button, neither here nor in a later alert.
      expect(await bot.press(presser, chat, { data: `k:${code}` })).toBe(en("note_kept"));
      const listing = listingOf(code, { pictureUrl, priceEur: 1_150 });
      const cut = { listing, formerPriceEur: 1_250, dropPercent: 8 };
      await tell({ userId, chatId: chat, kind: "price-drop", payload: cut });
      const [, again] = await news(chat, before, 2);
      for (const message of [shown(), again]) {
        expect(labels(message)).toContain(en("button_kept"));
        expect(labels(message)).not.toContain(en("keep"));
      }
    }
  },
);

test("TRUE-05 a summary has a row of buttons for each home, which work as under an alert", async () => {
  const { userId, chat, presser } = await connected("private");
  await bot.sql`update watch.chats set muted_until = now() + interval '1 hour' where chat_id = ${chat}`;
  const codes = ["901", "902", "903"];
  const cut = { listing: listingOf("902", { priceEur: 1_150 }), formerPriceEur: 1_250, dropPercent: 8 };
  await tell(...codes.map((code) => newListing(userId, chat, code, { address: `calle ${code}` })));
  await tell({ userId, chatId: chat, kind: "price-drop", payload: cut });
  const held = () => bot.sql`select from watch.alerts where user_id = ${userId} and held_at is not null`;
  await expect.poll(async () => (await held()).length, PATIENCE).toBe(4);
  const before = bot.botMessages(chat).length;
  // In one transaction, because the sender may scan between the two statements.
  await bot.sql.begin(async (transaction) => {
    await transaction`update watch.chats set muted_until = null where chat_id = ${chat}`;
    await addAlerts(transaction, [newListing(userId, chat, "904", { address: "calle 904" })]);
  });
  const [digest] = await news(chat, before);
  const shown = () => bot.botMessages(chat).find(({ message_id }) => message_id === digest?.message_id);
  const parts = (message = shown()) => wordsOf(message).split("\n\n");
  const rows = (message = shown()) =>
    message?.reply_markup?.inline_keyboard.map((row) => row.map(({ text }) => text)) ?? [];
  // Four homes, one of them with two alerts.
  expect(parts(digest).map((part) => /^\d(?=\. )/.exec(part)?.[0])).toEqual([undefined, "1", "2", "3", "4"]);
  expect(parts(digest)[2]).toContain("€1,250\u00a0→ €1,150");
  const row = (number: number) => [`${number}. ${en("openShort")}`, en("hide"), en("keep")];
  expect(rows(digest)).toEqual([row(1), row(2), row(3), row(4), [en("mute")]]);
  expect(buttonsOf(digest)[0]?.url).toBe("https://www.idealista.com/en/inmueble/901/");

  expect(await bot.press(presser, chat, { data: "h:902" })).toBe(en("note_hidden"));
  await expect.poll(() => parts()[2], PATIENCE).toMatch(/^2\. 🙈 [^\n]*$/);
  expect(await bot.press(presser, chat, { data: "k:903" })).toBe(en("note_kept"));
  const kept = [`3. ${en("openShort")}`, en("kept_short")];
  await expect.poll(() => rows()[2], PATIENCE).toEqual(kept);
  const hidden = [`2. ${en("button_hidden")}`];
  await expect.poll(() => rows(), PATIENCE).toEqual([row(1), hidden, kept, row(4), [en("mute")]]);
  expect(await bot.press(presser, chat, { data: "u:902" })).toBe(en("note_undone"));
  await expect.poll(() => parts(), PATIENCE).toEqual(parts(digest));
  // The message is edited after the buttons, and the edit for the previous press may come in between.
  await expect.poll(() => rows(), PATIENCE).toEqual([row(1), row(2), kept, row(4), [en("mute")]]);
  const [{ marks } = { marks: [] }] = await bot.sql`
    select array_agg(listing_id || ' ' || mark) as marks from public.marks where user_id = ${userId}`;
  expect(marks).toEqual(["903 kept"]);
});
