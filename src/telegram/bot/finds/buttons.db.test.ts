import { expect, test } from "vitest";
import { setMember } from "#simulators/telegram/phone/membership.ts";
import { listingOf } from "#test/delivery/delivery-fixture.ts";
import { buttonsOf, setUpTestBot } from "#test/test-bot.ts";
import { botTexts } from "../conversation/texts.ts";

const en = botTexts("en");

const bot = setUpTestBot();

const OPEN = { text: "Open on Idealista", url: "https://www.idealista.com/en/inmueble/104/" };
const sortingOf = (code: string) => [
  { text: en("hide"), callback_data: `h:${code}` },
  { text: en("keep"), callback_data: `k:${code}` },
  { text: en("mute"), callback_data: "m" },
];
const SORTING = sortingOf("104");

/** Sends an alert with its buttons and inserts its row. */
async function alert(
  chat: number,
  userId = bot.alice,
  code = "104",
  isPrivate: boolean | null = false,
): Promise<void> {
  const payload = { listing: listingOf(code, { isPrivate }) };
  await bot.sql`
    insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, state)
    values (${userId}, ${chat}, 'new', ${code}, ${payload as never}, 'sent')`;
  await bot.post(chat, "A flat", { reply_markup: { inline_keyboard: [[OPEN], sortingOf(code)] } });
}

async function connect(chat: number, userId = bot.alice): Promise<void> {
  await bot.connect(bot.ana, userId, chat);
}

const marksOf = async (userId: string) =>
  (await bot.sql`select listing_id, mark from public.marks where user_id = ${userId}`).map((row) => ({
    ...row,
  }));
const keyboard = (chat: number) => buttonsOf(bot.botMessages(chat).at(-1));
const hoursMuted = async (chat: number) =>
  (
    await bot.sql`
      select round(extract(epoch from muted_until - now()) / 3600)::float8 as hours
      from watch.chats where chat_id = ${chat} and muted_until < 'infinity'`
  )[0]?.hours;

test("Hide hides the listing for the account, changes the button, and can be undone", async () => {
  await connect(bot.ana);
  await alert(bot.ana);
  expect(await bot.press(bot.ana, bot.ana, { text: en("hide") })).toBe(en("note_hidden"));
  expect(await marksOf(bot.alice)).toEqual([{ listing_id: "104", mark: "hidden" }]);
  const less = { text: en("less"), callback_data: "E:104" };
  expect(keyboard(bot.ana)).toEqual([OPEN, { text: en("button_hidden"), callback_data: "u:104" }, less]);
  expect(await bot.press(bot.ana, bot.ana, { text: en("button_hidden") })).toBe(en("note_undone"));
  expect(await marksOf(bot.alice)).toEqual([]);
  expect(keyboard(bot.ana)).toEqual([OPEN, ...SORTING]);
});

test("EASY-02 “Fewer like this” is not offered for a home that no rule could leave out", async () => {
  await connect(bot.ana);
  await alert(bot.ana, bot.alice, "104", null);
  await bot.press(bot.ana, bot.ana, { text: en("hide") });
  expect(keyboard(bot.ana)).toEqual([OPEN, { text: en("button_hidden"), callback_data: "u:104" }]);
});

test("Hide replaces an earlier Keep", async () => {
  await connect(bot.ana);
  await alert(bot.ana);
  expect(await bot.press(bot.ana, bot.ana, { text: en("keep") })).toBe(en("note_kept"));
  expect(await marksOf(bot.alice)).toEqual([{ listing_id: "104", mark: "kept" }]);
  await bot.press(bot.ana, bot.ana, { data: "h:104", isForged: true });
  expect(await marksOf(bot.alice)).toEqual([{ listing_id: "104", mark: "hidden" }]);
});

test("MAIL-06 Keep and Undo work for the longer id of another portal's listing", async () => {
  await connect(bot.ana);
  await alert(bot.ana, bot.alice, "idealista.it:33000111");
  expect(await bot.press(bot.ana, bot.ana, { data: "k:idealista.it:33000111", isForged: true })).toBe(
    en("note_kept"),
  );
  expect(await marksOf(bot.alice)).toEqual([{ listing_id: "idealista.it:33000111", mark: "kept" }]);
  expect(keyboard(bot.ana)).toContainEqual({
    text: en("button_kept"),
    callback_data: "u:idealista.it:33000111",
  });
  expect(await bot.press(bot.ana, bot.ana, { data: "u:idealista.it:33000111", isForged: true })).toBe(
    en("note_undone"),
  );
  expect(await marksOf(bot.alice)).toEqual([]);
});

test("Mute mutes the chat for eight hours, does not shorten a pause, and can be undone", async () => {
  await connect(bot.ana);
  await alert(bot.ana);
  const muted = (await bot.press(bot.ana, bot.ana, { text: en("mute") })) ?? "";
  expect(muted).toBe(en("note_muted", { time: /\d\d:\d\d/.exec(muted)?.[0] ?? "" }));
  expect(await hoursMuted(bot.ana)).toBe(8);
  expect(keyboard(bot.ana).map(({ text }) => text)).toEqual([
    "Open on Idealista",
    en("hide"),
    en("keep"),
    en("button_muted"),
  ]);
  expect(await bot.press(bot.ana, bot.ana, { text: en("button_muted") })).toBe(en("note_unmuted"));
  expect(await hoursMuted(bot.ana)).toBeUndefined();
  expect(keyboard(bot.ana)).toEqual([OPEN, ...SORTING]);
  await bot.sql`update watch.chats set muted_until = 'infinity' where chat_id = ${bot.ana}`;
  expect(await bot.press(bot.ana, bot.ana, { text: en("mute") })).toBe(en("note_paused"));
  await bot.press(bot.ana, bot.ana, { text: en("button_muted") });
  expect(
    (await bot.sql`select muted_until::text from watch.chats where chat_id = ${bot.ana}`)[0]?.muted_until,
  ).toBe("infinity");
});

test("a group member marks a listing for the accounts that were alerted there, and for no others", async () => {
  const member = bot.person({ languageCode: "es" });
  const chat = bot.chat({
    kind: "supergroup",
    title: "x",
    creatorId: bot.ana,
    members: { [member]: "member" },
  });
  const [bob, carol] = await Promise.all([
    bot.account(`b${bot.testNumber}@x.org`),
    bot.account(`c${bot.testNumber}@x.org`),
  ]);
  for (const person of [bot.alice, bob, carol]) await connect(chat, person);
  // Carol was alerted to another home here, and to this one in another chat.
  await alert(chat, carol, "105");
  await alert(chat, bob);
  await alert(chat, bot.alice);
  await bot.sql`
    insert into watch.alerts (user_id, chat_id, kind, listing_id, payload) values (${carol}, 77, 'new', '104', '{}')`;
  await bot.sql`update public.chats set state = 'declined' where user_id = ${bob}`;
  // The answer is in the language of the message, not of the user who presses.
  expect(await bot.press(member, chat, { text: en("hide") })).toBe(en("note_hidden"));
  expect([await marksOf(bot.alice), await marksOf(bob), await marksOf(carol)]).toEqual([
    [{ listing_id: "104", mark: "hidden" }],
    [],
    [],
  ]);
});

test("G08 former group members and readers of a channel cannot use the buttons", async () => {
  const member = bot.person();
  const chat = bot.chat({
    kind: "supergroup",
    title: "x",
    creatorId: bot.ana,
    members: { [member]: "member" },
  });
  const channel = bot.chat({
    kind: "channel",
    title: "x",
    creatorId: bot.ana,
    members: { [member]: "member" },
  });
  setMember(bot.telegram, chat, member, "kicked");
  for (const place of [chat, channel]) {
    await connect(place);
    await alert(place);
    for (const data of ["h:104", "k:104", "m", "w", "u:104", "l:ru"]) {
      expect(await bot.press(member, place, { data, isForged: true })).toBe(en("administrators_only"));
    }
    expect(await hoursMuted(place)).toBeUndefined();
  }
  expect(await marksOf(bot.alice)).toEqual([]);
  expect(await bot.press(bot.ana, channel, { text: en("keep") })).toBe(en("note_kept"));
});

test.each([
  ["nothing", ""],
  ["nonsense", "☃"],
  ["a listing that was never alerted here", "h:999"],
  ["an undo for such a listing", "u:999"],
  ["a code with a quote", "h:1' or true--"],
  ["an answer for an unknown account", "y:AAAAAAAAAAAAAAAAAAAAAA"],
  ["an answer with an invalid id", "n:xyz"],
  ["65 bytes", `h:${"1".repeat(63)}`],
  ["4 KiB", `h:${"1".repeat(4096)}`],
  ["an unsupported language", "l:xx"],
])("G08 forged data with %s does nothing and is answered", async (_, data) => {
  await connect(bot.ana);
  await alert(bot.ana);
  const tables = () =>
    Promise.all([
      bot.sql`select * from public.marks where user_id = ${bot.alice}`,
      bot.sql`select state, reason, updated_at from public.chats where user_id = ${bot.alice}`,
      bot.sql`select language, muted_until from watch.chats where chat_id = ${bot.ana}`,
    ]);
  const before = await tables();
  expect(await bot.press(bot.ana, bot.ana, { data, isForged: true })).toBe(en("note_dead_button"));
  expect(await tables()).toEqual(before);
});

test("G08 a question can be answered only in the chat that was asked", async () => {
  const bob = await bot.account(`bob${bot.testNumber}@example.org`);
  const stranger = bot.person();
  await bot.saveFilter(bob, stranger);
  await bot.ask(stranger, "/start");
  const yes = bot.lastKeyboard(stranger)[0]?.callback_data ?? "";
  expect(yes).toMatch(/^y:/);
  await bot.ask(bot.ana, "/start");
  expect(await bot.press(bot.ana, bot.ana, { data: yes, isForged: true })).toBe(en("note_dead_button"));
  expect(await bot.sql`select state from public.chats where user_id = ${bob}`).toEqual([
    { state: "waiting" },
  ]);
});

test("an old No button does not undo a Yes; /stop does", async () => {
  await bot.saveFilter(bot.alice, bot.ana);
  await bot.ask(bot.ana, "/start");
  await bot.ask(bot.ana, "/id");
  await bot.press(bot.ana, bot.ana, { text: en("yes") });
  expect(await bot.press(bot.ana, bot.ana, { text: "No" })).toBe(en("note_dead_button"));
  expect(bot.botMessages(bot.ana).flatMap(buttonsOf)).toEqual([]);
  expect(await bot.sql`select state from public.chats where user_id = ${bot.alice}`).toEqual([
    { state: "connected" },
  ]);
});

test("a button press is answered even if the message can no longer be edited", async () => {
  await connect(bot.ana);
  await alert(bot.ana);
  bot.telegram.faults.set({
    kind: "error",
    method: "editMessageReplyMarkup",
    errorCode: 400,
    description: "Bad Request: message can't be edited",
  });
  expect(await bot.press(bot.ana, bot.ana, { text: en("hide") })).toContain("Hidden.");
  expect(await marksOf(bot.alice)).toHaveLength(1);
});
