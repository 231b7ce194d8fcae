import { setTimeout as wait } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { say } from "#simulators/telegram/phone/speak.ts";
import { listingOf } from "#test/delivery/delivery-fixture.ts";
import { proveByMail } from "#test/proven-address.ts";
import { buttonsOf, setUpTestBot } from "#test/test-bot.ts";
import { botTexts } from "../conversation/texts.ts";
import type { NeedingAct } from "./router.ts";

const en = botTexts("en");
const LINK = "https://www.idealista.com/alquiler-viviendas/madrid/retiro/";
const ADVERT = "https://www.idealista.com/inmueble/501/";
/** Data of the account that a chat must not see. */
const SECRETS = /Secret flat|Chamberí|A nurse|Grandma|Call her|€1,234/;

const bot = setUpTestBot();
let searchId: string;
let placeId: string;
let alertId: number;

/** An account with a search, a place, a profile, a note and an alert in this chat. The chat has not confirmed it. */
beforeEach(async () => {
  await bot.ask(bot.ana, `/start ${await bot.link(bot.alice)}`);
  const [search] = await bot.sql`
    insert into public.filter_settings (user_id, filter_url, receiver_ids, name)
    values (${bot.alice}, 'https://www.idealista.com/alquiler-viviendas/madrid/chamberi/', ${[String(bot.ana)]}, 'Secret flat')
    returning id`;
  searchId = search?.id;
  const [place] = await bot.sql`
    insert into public.own_places (user_id, name, latitude, longitude) values (${bot.alice}, 'Grandma', 40, -3) returning id`;
  placeId = place?.id;
  await bot.sql`insert into public.find_settings (user_id, who) values (${bot.alice}, 'A nurse')`;
  await bot.sql`insert into public.marks (user_id, listing_id, note) values (${bot.alice}, '502', 'Call her')`;
  alertId = await tell("501");
});

const send = (text: string) => bot.post(bot.ana, text, { parse_mode: "HTML" });

/** Inserts an alert of the account in this chat. */
async function tell(code: string, userId = bot.alice): Promise<number> {
  const messageId = await send("A home");
  const listing = { ...listingOf(code), priceEur: 1234 };
  await bot.sql`
    insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, state, message_id, sent_at)
    values (${userId}, ${bot.ana}, 'new', ${code}, ${{ listing } as never}, 'sent', ${messageId}, now())`;
  return messageId;
}

const packed = (id: string) => Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
const forge = (data: string) => bot.press(bot.ana, bot.ana, { data, isForged: true });
const pressUnder = async (url: string, data: string) => {
  await send(`<a href="${url}">A link</a>`);
  return forge(data);
};
const share = async (latitude: number) => {
  const more = { text: undefined as never, location: { latitude, longitude: -3.7 } };
  say(bot.telegram, { personId: bot.ana, text: "", more });
  await bot.untilIdle();
};
/** All data of the account that a chat could change. */
const accountOf = async (userId = bot.alice) => {
  const [row] = await bot.sql`
    select
      (select jsonb_agg(to_jsonb(t) order by id) from public.searches as t where user_id = ${userId}) as searches,
      (select jsonb_agg(to_jsonb(t) order by id) from public.own_places as t where user_id = ${userId}) as places,
      (select jsonb_agg(to_jsonb(t) order by listing_id) from public.marks as t where user_id = ${userId}) as marks,
      (select jsonb_agg(to_jsonb(t)) from public.find_settings as t where user_id = ${userId}) as settings,
      (select time_zone from public.profiles where id = ${userId}) as zone,
      (select jsonb_agg(to_jsonb(t) order by chat_id) from watch.search_chats as t where search_id = ${searchId}) as here`;
  return row;
};

/** How to perform each act that needs a confirmed account. */
const ACTS: Readonly<Record<NeedingAct | Message, () => Promise<unknown>>> = {
  searches: () => bot.ask(bot.ana, "/searches"),
  rules: () => bot.ask(bot.ana, "/rules"),
  less: () => forge("E:501"),
  rule: () => forge(`Y:${packed(searchId)}:a.agency:l`),
  "rules-search": () => forge(`U:${packed(searchId)}`),
  "rules-add": () => forge(`I:${packed(searchId)}`),
  "fold-search": () => forge(`F:${packed(searchId)}`),
  "unfold-search": () => forge(`G:${packed(searchId)}`),
  watch: async () => [
    await bot.ask(bot.ana, `/watch ${LINK}`),
    await pressUnder(LINK, `a:${packed(bot.alice)}`),
  ],
  status: () => bot.ask(bot.ana, "/status"),
  latest: () => bot.ask(bot.ana, "/latest"),
  shortlist: () => bot.ask(bot.ana, "/shortlist"),
  receives: () => forge("S:kept"),
  zone: () => forge(`Z:${packed(bot.alice)}:c`),
  export: () => bot.ask(bot.ana, "/export"),
  delete: () => bot.ask(bot.ana, "/delete"),
  "delete-account": () => forge("D"),
  rename: () => bot.ask(bot.ana, "/rename 1 Mine"),
  note: () => bot.ask(bot.ana, "/note Mine", bot.ana, { replyTo: alertId }),
  hide: () => forge("h:501"),
  keep: () => forge("k:501"),
  undo: () => forge("u:501"),
  message: () => forge("j:501"),
  photos: () => forge("v:501"),
  unwatch: () => pressUnder(ADVERT, `e:${packed(bot.alice)}`),
  similar: () => pressUnder(ADVERT, `L:${packed(bot.alice)}`),
  whose: () => forge(`A:${packed(searchId)}:${packed(bot.alice)}`),
  "list-searches": () => forge("z"),
  "open-search": () => forge(`o:${packed(searchId)}`),
  "mute-search": () => forge(`s:${packed(searchId)}`),
  "unmute-search": () => forge(`r:${packed(searchId)}`),
  "pause-search": () => forge(`p:${packed(searchId)}`),
  "resume-search": () => forge(`g:${packed(searchId)}`),
  "rename-search": () => forge(`i:${packed(searchId)}`),
  "delete-search": () => forge(`q:${packed(searchId)}`),
  "delete-search-now": () => forge(`f:${packed(searchId)}`),
  "topic-here": () => forge(`b:${packed(searchId)}`),
  "topic-none": () => forge(`c:${packed(searchId)}`),
  "place-work": () => forge("W:40.50000,-3.70000"),
  "place-home": () => forge("H:40.50000,-3.70000"),
  "place-other": () => forge("O:40.50000,-3.70000"),
  "move-place": () => forge(`R:${packed(placeId)}:40.50000,-3.70000`),
  location: () => share(40.5),
  link: () => bot.ask(bot.ana, LINK),
  "name-reply": async () => {
    await bot.sql`
      insert into watch.name_questions (chat_id, message_id, search_id) values (${bot.ana}, ${alertId}, ${searchId})
      on conflict (chat_id) do nothing`;
    return bot.ask(bot.ana, "Mine", bot.ana, { replyTo: alertId });
  },
  "place-reply": async () =>
    bot.ask(bot.ana, "Mine", bot.ana, { replyTo: await send("Name it (40.50000,-3.70000).") }),
  "note-reply": () => bot.ask(bot.ana, "Mine", bot.ana, { replyTo: alertId }),
};

/** What a chat can do besides commands and buttons. */
type Message = "location" | "link" | "name-reply" | "place-reply" | "note-reply";

/** Expects that the act reveals and changes nothing. Returns the last reply. */
async function actInVain(act: () => Promise<unknown>) {
  const before = await accountOf();
  const told = bot.botMessages(bot.ana).length;
  const note = await act();
  const answers = bot.botMessages(bot.ana).slice(told);
  expect(JSON.stringify([note, answers])).not.toMatch(SECRETS);
  expect(await accountOf()).toEqual(before);
  return answers.at(-1);
}

test.each(Object.entries(ACTS))(
  "READ-09: %s reveals and changes nothing in an unconfirmed chat",
  async (_, act) => {
    const answer = await actInVain(act);
    expect(buttonsOf(answer).map(({ text }) => text)).toEqual([en("thatsMe"), en("notMe")]);
  },
);

test("READ-10 a chat that the first proof of the address ended neither acts nor comes back by an old button", async () => {
  await forge(`t:${packed(bot.alice)}`);
  await proveByMail(bot.sql, bot.alice);
  const before = await accountOf();
  for (const said of ["t", "x", "t"]) {
    expect(await forge(`${said}:${packed(bot.alice)}`)).toBe(en("note_dead_button"));
  }
  for (const act of Object.values(ACTS)) await act();
  await bot.ask(bot.ana, "/start");
  await bot.ask(bot.ana, "/id");
  expect(await accountOf()).toEqual(before);
  expect(
    await bot.sql`select state, reason, confirmed_at, title from public.chats where user_id = ${bot.alice}`,
  ).toEqual([{ state: "declined", reason: "ended", confirmed_at: null, title: null }]);
});

test.each(["keep", "note-reply", "place-work", "zone"] as const)(
  "TIME-01 READ-09 %s by a chat whose account is being disconnected changes nothing",
  async (name) => {
    await forge(`t:${packed(bot.alice)}`);
    const before = await accountOf();
    let acting: Promise<unknown> | undefined;
    await bot.sql.begin(async (db) => {
      await db`select private.lock_person(${bot.alice})`;
      acting = ACTS[name]();
      // Time for the bot to get as far as it can.
      await wait(500);
      await db`select private.end_chats(${bot.alice}, array[${bot.ana}]::bigint[])`;
    });
    await acting;
    expect(await accountOf()).toEqual(before);
  },
);

test("READ-09: an unconfirmed chat may always mute itself, choose its language and leave", async () => {
  const before = await accountOf();
  const muted = async () =>
    (await bot.sql`select muted_until is not null as muted from watch.chats where chat_id = ${bot.ana}`)[0]
      ?.muted;
  expect(await bot.ask(bot.ana, "/pause")).toEqual([en("paused_chat")]);
  expect(await muted()).toBe(true);
  expect(await bot.ask(bot.ana, "/resume")).toEqual([en("resumed_chat")]);
  expect(await muted()).toBe(false);
  await forge("m");
  expect(await muted()).toBe(true);
  expect(await bot.ask(bot.ana, "/language en")).toEqual([en("language_chosen")]);
  expect(await forge(`x:${packed(bot.alice)}`)).toBe(en("note_declined"));
  expect(await bot.ask(bot.ana, "/stop")).toEqual([en("stop_nothing")]);
  expect(await accountOf()).toEqual(before);
});

test("READ-09: after “That's me” the same chat reads and writes the account", async () => {
  expect(await forge(`t:${packed(bot.alice)}`)).toBe(en("note_connected"));
  expect((await bot.ask(bot.ana, "/searches"))[0]).toContain("Secret flat");
  await forge("k:501");
  await bot.ask(bot.ana, "/pause");
  expect(await accountOf()).toMatchObject({
    searches: [{ is_paused: true }],
    marks: [{ listing_id: "501", mark: "kept" }, {}],
  });
});
