import { beforeEach, expect, test } from "vitest";
import { say } from "#simulators/telegram/phone/speak.ts";
import { setUpTestBot } from "#test/test-bot.ts";
import { botTexts } from "../conversation/texts.ts";

const en = botTexts("en");
const HOUR_MS = 3_600_000;
/** As a group sees them. */
const [MASKED_ALICE, MASKED_BOB] = ["For a***@example.com", "For b***@example.org"];

const bot = setUpTestBot();
let bob: string;
let [forAlice, forBob] = ["", ""];

/** A chat with two confirmed accounts and an unconfirmed one. */
beforeEach(async () => {
  bob = await bot.account(`bob${bot.testNumber}@example.org`);
  forAlice = `For alice${bot.testNumber}@example.com`;
  forBob = `For bob${bot.testNumber}@example.org`;
  await bot.connect(bot.ana, bot.alice);
  await bot.connect(bot.ana, bob);
  const stranger = await bot.account(`stranger${bot.testNumber}@example.net`);
  await bot.ask(bot.ana, `/start ${await bot.link(stranger)}`);
});

async function tell(code: string, userIds: readonly string[], chat = bot.ana): Promise<number> {
  const messageId = await bot.post(chat, "A home");
  for (const userId of userIds) {
    await bot.sql`
      insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, state, message_id, sent_at)
      values (${userId}, ${chat}, 'new', ${code}, '{}', 'sent', ${messageId}, now())`;
  }
  return messageId;
}

const forge = (data: string, chat = bot.ana, person = bot.ana) =>
  bot.press(person, chat, { data, isForged: true });
const choices = (chat = bot.ana) => bot.lastKeyboard(chat).map(({ text }) => text);
const lastText = () => bot.botMessages(bot.ana).at(-1)?.text;
const placesOf = async (userId: string) =>
  (await bot.sql`select name, latitude from public.own_places where user_id = ${userId}`).map((row) => ({
    ...row,
  }));
const marksOf = async (userId: string) =>
  (await bot.sql`select listing_id, mark, note from public.marks where user_id = ${userId} order by 1`).map(
    (row) => Object.values(row).join(" "),
  );
const everyonesPlaces = async () =>
  (
    await bot.sql`select count(*)::int as count from public.own_places where user_id in (
    select user_id from public.chats where chat_id = ${bot.ana}
  )`
  )[0]?.count;
const share = async () => {
  const location = { latitude: 40.5, longitude: -3.7 };
  say(bot.telegram, { personId: bot.ana, text: "", more: { text: undefined as never, location } });
  await bot.untilIdle();
};

test("READ-09: with several confirmed accounts the bot asks which one a place is for, and sets it only there", async () => {
  await share();
  await bot.press(bot.ana, bot.ana, { text: en("place_home") });
  expect([lastText(), choices()]).toEqual([en("whose_question"), [forAlice, forBob, en("whose_all")]]);
  expect(await everyonesPlaces()).toBe(0);
  await bot.press(bot.ana, bot.ana, { text: forBob });
  expect([await placesOf(bot.alice), await placesOf(bob)]).toEqual([
    [],
    [{ name: en("place_home"), latitude: 40.5 }],
  ]);
  expect(lastText()).toBe(en("place_set", { name: en("place_home") }));
});

test("READ-09: the bot also asks for a place named by a reply, and asks which place to move if the account has three", async () => {
  for (const name of ["One", "Two", "Three"]) {
    await bot.sql`insert into public.own_places (user_id, name, latitude, longitude) values (${bob}, ${name}, 1, 1)`;
  }
  await share();
  await bot.press(bot.ana, bot.ana, { text: en("place_named") });
  await bot.ask(bot.ana, "Mum", bot.ana, { replyTo: bot.botMessages(bot.ana).at(-1)?.message_id });
  await bot.press(bot.ana, bot.ana, { text: forBob });
  expect(choices()).toEqual(["One", "Two", "Three"]);
  await bot.press(bot.ana, bot.ana, { text: "Two" });
  expect(await placesOf(bob)).toContainEqual({ name: "Two", latitude: 40.5 });
  expect(await placesOf(bot.alice)).toEqual([]);
});

test("READ-09: the bot asks for the account of a mark or a note only if several accounts were alerted to the listing", async () => {
  const [both, one] = [`${bot.testNumber}01`, `${bot.testNumber}02`];
  const message = await tell(both, [bot.alice, bob]);
  expect(await forge(`k:${both}`)).toBe(en("whose_question"));
  await bot.press(bot.ana, bot.ana, { text: forAlice });
  expect(lastText()).toBe(en("note_kept"));
  await bot.ask(bot.ana, "Call on Monday", bot.ana, { replyTo: message });
  await bot.press(bot.ana, bot.ana, { text: en("whose_all") });
  await tell(one, [bob]);
  expect(await forge(`h:${one}`)).toBe(en("note_hidden"));
  expect([await marksOf(bot.alice), await marksOf(bob)]).toEqual([
    [`${both} kept Call on Monday`],
    [`${both}  Call on Monday`, `${one} hidden `],
  ]);
});

test("READ-09: /pause asks which account's searches to pause", async () => {
  await bot.saveFilter(bot.alice, bot.ana);
  await bot.saveFilter(bob, bot.ana);
  await bot.ask(bot.ana, "/pause");
  await bot.press(bot.ana, bot.ana, { text: forAlice });
  expect(lastText()).toBe(en("paused_watch", { people: `alice${bot.testNumber}@example.com` }));
  const paused =
    await bot.sql`select user_id from public.filter_settings where is_paused and user_id in (${bot.alice}, ${bob})`;
  expect(paused).toEqual([{ user_id: bot.alice }]);
});

test("READ-09: a request is stored for an hour, at most three per chat, and carried out once", async () => {
  const code = `${bot.testNumber}03`;
  await tell(code, [bot.alice, bob]);
  for (let times = 0; times < 5; times += 1) await forge(`k:${code}`);
  const kept = () =>
    bot.sql`select id from watch.account_questions where chat_id = ${bot.ana} order by asked_at, id`;
  expect(await kept()).toHaveLength(3);
  bot.clock.now += HOUR_MS;
  expect(await bot.press(bot.ana, bot.ana, { text: forAlice })).toBe(en("note_dead_button"));
  await forge(`k:${code}`);
  const { callback_data: data = "" } = bot.lastKeyboard(bot.ana)[0] ?? {};
  await forge(data);
  expect(await forge(data)).toBe(en("note_dead_button"));
  expect([await marksOf(bot.alice), await marksOf(bob)]).toEqual([[`${code} kept `], []]);
});

test("READ-09: an answer cannot reach an unconfirmed account or another chat's question", async () => {
  const code = `${bot.testNumber}04`;
  await tell(code, [bot.alice, bob]);
  await forge(`k:${code}`);
  const data = bot.lastKeyboard(bot.ana)[0]?.callback_data ?? "";
  const ben = bot.person({ languageCode: "en" });
  const carol = await bot.account(`carol${bot.testNumber}@example.com`);
  await bot.connect(ben, carol);
  expect(await forge(data, ben, ben)).toBe(en("note_dead_button"));
  const packed = Buffer.from(carol.replaceAll("-", ""), "hex").toString("base64url");
  expect(await forge(`${data.slice(0, -22)}${packed}`)).toBe(en("note_dead_button"));
  expect([await marksOf(bot.alice), await marksOf(carol)]).toEqual([[], []]);
});

test("READ-09: in a group any member chooses the account of a mark, and only an administrator that of a note", async () => {
  const member = bot.person();
  const order = {
    kind: "supergroup",
    title: "x",
    creatorId: bot.ana,
    members: { [member]: "member" },
  } as const;
  const group = bot.chat(order, true);
  await bot.connect(bot.ana, bot.alice, group);
  await bot.connect(bot.ana, bob, group);
  const code = `${bot.testNumber}05`;
  const message = await tell(code, [bot.alice, bob], group);
  await forge(`k:${code}`, group, member);
  await bot.press(member, group, { text: MASKED_BOB });
  await bot.ask(bot.ana, "/note Ours", group, { replyTo: message });
  expect(await bot.press(member, group, { text: MASKED_BOB })).toBe(en("administrators_only"));
  expect([await marksOf(bot.alice), await marksOf(bob)]).toEqual([[], [`${code} kept `]]);
  await bot.press(bot.ana, group, { text: MASKED_ALICE });
  expect(await marksOf(bot.alice)).toEqual([`${code}  Ours`]);
});
