import { expect, test } from "vitest";
import { say } from "#simulators/telegram/phone/speak.ts";
import { listingOf } from "#test/delivery/delivery-fixture.ts";
import { buttonsOf, setUpTestBot } from "#test/test-bot.ts";
import { botTexts } from "../conversation/texts.ts";

const en = botTexts("en");

const bot = setUpTestBot();

const connect = (chat: number, userId = bot.alice) => bot.connect(bot.ana, userId, chat);

/** Sends an alert and inserts its row. Returns the message id. */
async function alert(chat: number, code: string, userId = bot.alice): Promise<number> {
  const messageId = await bot.post(chat, `A flat ${code}`);
  await bot.sql`
    insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, state, message_id, sent_at)
    values (${userId}, ${chat}, 'new', ${code}, ${{ listing: listingOf(code) } as never}, 'sent', ${messageId}, now())`;
  await bot.sql`
    insert into public.listings (listing_id, user_id, details) values (${code}, ${userId}, '{}') on conflict do nothing`;
  return messageId;
}
const forge = (chat: number, data: string, person = bot.ana) =>
  bot.press(person, chat, { data, isForged: true });
const notesOf = async (userId = bot.alice) =>
  (await bot.sql`select note from public.marks where user_id = ${userId}`).map(({ note }) => note);
const placesOf = async (userId = bot.alice) =>
  (
    await bot.sql`select name, latitude, longitude from public.own_places where user_id = ${userId} order by created_at`
  ).map((row) => Object.values(row));
const share = async (location: Record<string, number>, more: object = {}, chatId = bot.ana) => {
  const before = bot.botMessages(chatId).length;
  say(bot.telegram, {
    personId: bot.ana,
    chatId,
    text: "",
    ...more,
    more: { text: undefined as never, location },
  });
  await bot.untilIdle();
  return bot.botMessages(chatId).slice(before);
};

test("FIND-01 a reply to an alert is saved as a note; a reply that is too long or not to a single alert is explained", async () => {
  await connect(bot.ana);
  const message = await alert(bot.ana, "501");
  expect(await bot.ask(bot.ana, "Call on <Monday>", bot.ana, { replyTo: message })).toEqual([
    expect.stringContaining("Noted."),
  ]);
  expect(await notesOf()).toEqual(["Call on <Monday>"]);
  const [due] = await bot.sql`select edit_due_at from watch.alerts where listing_id = '501'`;
  expect(due?.edit_due_at).not.toBeNull();
  expect(await bot.ask(bot.ana, "x".repeat(2_001), bot.ana, { replyTo: message })).toEqual([
    expect.stringContaining("2,000 characters"),
  ]);
  await bot.sql`
    insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, state, message_id)
    values (${bot.alice}, ${bot.ana}, 'new', '502', '{}', 'merged', ${message})`;
  expect(await bot.ask(bot.ana, "Which?", bot.ana, { replyTo: message })).toEqual([en("note_which")]);
  expect(await bot.ask(bot.ana, "/note")).toEqual([expect.stringContaining("/note Call on Monday")]);
  expect(await notesOf()).toEqual(["Call on <Monday>"]);
});

test("FIND-01 FIND-07 in a group only administrators can use /note, and only on the group's own alerts", async () => {
  const stranger = bot.person({ languageCode: "en" });
  const group = bot.chat({
    kind: "supergroup",
    title: en("place_home"),
    creatorId: bot.ana,
    members: { [stranger]: "member" },
  });
  await connect(group);
  const message = await alert(group, "503");
  await bot.ask(bot.ana, "Just talking", group, { replyTo: message });
  await bot.ask(stranger, "/note Mine", group, { replyTo: message });
  expect(await notesOf()).toEqual([]);
  await bot.ask(bot.ana, "/note Ours", group, { replyTo: message });
  expect(await notesOf()).toEqual(["Ours"]);
});

test("FIND-05 the message to the advertiser comes in Spanish as a block to copy, and again in the user's language", async () => {
  await connect(bot.ana);
  await alert(bot.ana, "504");
  await bot.sql`insert into public.find_settings (user_id, who) values (${bot.alice}, 'Ana & Luis <3')`;
  expect(await forge(bot.ana, "j:504")).toBe(en("note_message_sent"));
  const sent = bot.botMessages(bot.ana).at(-1);
  expect(sent?.entities?.filter(({ type }) => type === "pre")).toHaveLength(2);
  expect(sent?.text).toMatch(/Hola:[\s\S]*ref\. 504[\s\S]*Ana & Luis <3[\s\S]*Hello,[\s\S]*Ana & Luis <3/);
  await bot.sql`update public.chats set state = 'declined' where user_id = ${bot.alice}`;
  const before = bot.botMessages(bot.ana).length;
  expect(await forge(bot.ana, "j:504")).toBe(en("note_dead_button"));
  expect(await forge(bot.ana, "v:504")).toBe(en("note_dead_button"));
  expect(bot.botMessages(bot.ana)).toHaveLength(before);
});

test("CALM-09 the message to the advertiser says if the home has ended", async () => {
  await connect(bot.ana);
  await alert(bot.ana, "520");
  await bot.sql`
    insert into watch.portal_listings (listing_id, home_id, listing, card, price_eur, first_seen_at, last_seen_at)
    values ('520', '520', '{}', '{}', 1250, now(), now())`;
  const press = async () => {
    await forge(bot.ana, "j:520");
    return bot.botMessages(bot.ana).at(-1)?.text;
  };
  expect(await press()).not.toContain(en("message_gone"));
  await bot.sql`update watch.portal_listings set gone_at = now() where listing_id = '520'`;
  expect(await press()).toContain(en("message_gone"));
});

test("FIND-05 FIND-07 in a group the message contains nothing about the user, and there is none for a listing not alerted there", async () => {
  const group = bot.chat({ kind: "supergroup", title: en("place_home"), creatorId: bot.ana });
  await connect(group);
  await connect(bot.ana);
  await alert(group, "505");
  await alert(bot.ana, "506");
  await bot.sql`insert into public.find_settings (user_id, who) values (${bot.alice}, 'A nurse')`;
  await forge(group, "j:505");
  const last = bot.botMessages(group).at(-1);
  expect(last?.text).toContain("ref. 505");
  expect(last?.text).not.toContain("A nurse");
  expect(await forge(group, "j:506")).toBe(en("note_dead_button"));
});

test("FIND-01 more photos are sent as an album of at most ten; if Telegram refuses them, the reply links to the advert", async () => {
  await connect(bot.ana);
  await alert(bot.ana, "507");
  const photos = Array.from({ length: 14 }, (_, n) => `https://img.example.com/507-${n}.jpg`);
  const record = (urls: readonly string[]) => bot.sql`
    insert into watch.portal_listings (listing_id, listing, card, price_eur, home_id, first_seen_at, last_seen_at, photos)
    values ('507', '{}', '{}', 1, '507', now(), now(), ${urls as never})
    on conflict (listing_id) do update set photos = excluded.photos`;
  expect(await forge(bot.ana, "v:507")).toBe(en("photos_none"));
  await record(photos);
  const before = bot.botMessages(bot.ana).length;
  expect(await forge(bot.ana, "v:507")).toBe(en("note_photos_sent"));
  expect(
    bot
      .botMessages(bot.ana)
      .slice(before)
      .map(({ photo }) => photo?.length),
  ).toEqual(Array(10).fill(expect.any(Number)));
  await record(photos.slice(0, 2));
  expect(await forge(bot.ana, "v:507")).toBe(en("note_photos_sent"));
  bot.telegram.pictures.rule("507-1", "unreachable");
  await forge(bot.ana, "v:507");
  expect(bot.botMessages(bot.ana).at(-1)?.text).toContain("https://www.idealista.com/en/inmueble/507/");
});

test("FIND-06 a shared location is saved as a place by a button or with a replied name; with three places one is moved", async () => {
  expect((await share({ latitude: 40.4, longitude: -3.7 }))[0]?.text).toContain(en("place_unconnected"));
  await connect(bot.ana);
  const [question] = await share({ latitude: 40.123456, longitude: -3.7 });
  expect(buttonsOf(question).map(({ text }) => text)).toEqual([
    en("place_work"),
    en("place_home"),
    en("place_named"),
  ]);
  await bot.press(bot.ana, bot.ana, { text: en("place_work") });
  expect(await placesOf()).toEqual([[en("place_work"), 40.12346, -3.7]]);
  await share({ latitude: 41, longitude: 2 }, { isForwarded: true });
  await bot.press(bot.ana, bot.ana, { text: en("place_named") });
  const ask = bot.botMessages(bot.ana).at(-1);
  expect(await bot.ask(bot.ana, "x".repeat(41), bot.ana, { replyTo: ask?.message_id })).toEqual([
    expect.stringContaining("1 to 40 characters"),
  ]);
  const again = bot.botMessages(bot.ana).at(-1);
  await bot.ask(bot.ana, "Mum & <dad>", bot.ana, { replyTo: again?.message_id });
  await share({ latitude: 39, longitude: -0.4 });
  await bot.press(bot.ana, bot.ana, { text: en("place_home") });
  const [full] = await share({ latitude: 42, longitude: 1 });
  expect(buttonsOf(full).map(({ text }) => text)).toEqual([
    en("place_work"),
    "Mum & <dad>",
    en("place_home"),
  ]);
  await bot.press(bot.ana, bot.ana, { text: "Mum & <dad>" });
  expect(await placesOf()).toEqual([
    [en("place_work"), 40.12346, -3.7],
    ["Mum & <dad>", 42, 1],
    [en("place_home"), 39, -0.4],
  ]);
});

test("FIND-06 FIND-07 live, invalid and group locations set nothing, nor does a forged button for another user's place", async () => {
  const group = bot.chat({ kind: "supergroup", title: en("place_home"), creatorId: bot.ana }, true);
  await connect(group);
  await connect(bot.ana);
  expect(await share({ latitude: 40, longitude: 3 }, {}, group)).toEqual([]);
  expect((await share({ latitude: 40, longitude: 3, live_period: 60 }))[0]?.text).toContain("live location");
  expect(await share({ latitude: 400, longitude: 3 })).toEqual([]);
  const bob = await bot.account(`bob${bot.testNumber}@example.com`);
  const [theirs] = await bot.sql`
    insert into public.own_places (user_id, name, latitude, longitude) values (${bob}, 'Work', 1, 1) returning id`;
  const packed = Buffer.from(String(theirs?.id).replaceAll("-", ""), "hex").toString("base64url");
  await alert(bot.ana, "508");
  await alert(group, "508");
  expect(await forge(bot.ana, `R:${packed}:40.00000,3.00000`)).toBe(en("note_dead_button"));
  expect(await forge(group, "W:40.00000,3.00000")).toBe(en("note_dead_button"));
  expect([await placesOf(), await placesOf(bob)]).toEqual([[], [[en("place_work"), 1, 1]]]);
});
