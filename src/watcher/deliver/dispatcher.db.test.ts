import { afterEach, beforeEach, expect, test } from "vitest";
import { changeStanding, upgradeGroup } from "#simulators/telegram/phone/membership.ts";
import { openDatabase } from "#store/open-database.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { type Rehearsal, startRehearsal } from "../../../bench/deliver-rehearsal.ts";
import {
  addAlerts,
  type ChatKind,
  connectPeople,
  listingOf,
  type NewAlert,
  newListing,
  openChat,
} from "../../../bench/deliver-stage.ts";
import { judge, numberedAlert } from "../../../bench/deliver-theatre.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let database: TestDatabase;
let sql: ReturnType<typeof openDatabase>;
let stage: Rehearsal;

beforeEach(async () => {
  database = await createTestDatabase();
  sql = openDatabase({ url: database.url, max: 4 });
  stage = await startRehearsal({ sql, floodControl: true });
});

afterEach(async () => {
  await stage.close();
  await sql.end();
  await database.drop();
});

/** Someone with chats of these kinds. */
async function person(...kinds: ChatKind[]): Promise<{ user: string; chats: number[]; chat: number }> {
  const chats = kinds.map((kind) => ({ id: openChat(stage.telegram, kind), kind }));
  const [user = ""] = await connectPeople(sql, [{ chats }]);
  return { user, chats: chats.map(({ id }) => id), chat: chats[0]?.id ?? 0 };
}

const add = (...alerts: NewAlert[]) =>
  addAlerts(
    sql,
    alerts.map((alert) => ({ at: stage.clock.now(), ...alert })),
  );
const states = async () =>
  (await sql`select state, count(*)::int as count from watch.alerts group by 1 order by 1`).map(
    ({ state, count }) => `${count} ${state}`,
  );
const arrived = () => stage.telegram.ledger.accepted;
const textsIn = (chatId: number) =>
  arrived()
    .filter((message) => message.chatId === chatId)
    .map(({ text }) => text);
const countTo = (count: number) => Array.from({ length: count }, (_, index) => index);

test("G18 a storm of 429 over all chats for 14 s: everything arrives afterwards, in order, and nothing is asked twice of it", async () => {
  const people = await Promise.all(countTo(12).map(() => person("private")));
  await add(
    ...countTo(60).map((number) =>
      numberedAlert(people[number % 12]?.user ?? "", people[number % 12]?.chat ?? 0, number),
    ),
  );
  stage.telegram.faults.set({ kind: "storm", forMs: 14 * SECOND });
  const sender = await stage.enter();
  await stage.run(sender, 13 * SECOND);
  expect(arrived()).toEqual([]);
  await stage.run(sender, 2 * MINUTE);
  expect(judge(stage.telegram, 60)).toEqual({ lost: 0, duplicates: 0, outOfOrder: 0 });
  expect(await states()).toEqual(["60 sent"]);
  // Those in flight when it broke loose were told; then everyone was silent.
  expect(stage.telegram.ledger.refused.length).toBeLessThanOrEqual(30);
  expect(stage.telegram.ledger.refused.every(({ fault }) => fault !== undefined)).toBe(true);
});

test("G18 one chat's 429 holds up that chat alone, and outlives a restart", async () => {
  const [slow, quick] = [await person("private"), await person("private")];
  stage.telegram.faults.set({ kind: "error", errorCode: 429, retryAfter: 3600, chatId: slow.chat });
  await add(newListing(slow.user, slow.chat, "1"));
  await stage.run(await stage.enter());
  await add(newListing(slow.user, slow.chat, "2"), newListing(quick.user, quick.chat, "3"));
  stage.clock.advance(SECOND);
  const successor = await stage.enter();
  await stage.run(successor, HOUR - 3 * SECOND);
  expect([textsIn(slow.chat).length, textsIn(quick.chat).length]).toEqual([0, 1]);
  await stage.run(successor, 10 * SECOND);
  expect(textsIn(slow.chat)).toHaveLength(2);
});

test("G30 thirty listings for one group: twenty a minute at most, in order, none lost, also over a restart", async () => {
  const { user, chat } = await person("supergroup");
  await add(...countTo(30).map((number) => numberedAlert(user, chat, number)));
  await stage.run(await stage.enter(), 20 * SECOND);
  expect(arrived()).toHaveLength(20);
  await stage.run(await stage.enter(), 3 * MINUTE);
  expect(judge(stage.telegram, 30)).toEqual({ lost: 0, duplicates: 0, outOfOrder: 0 });
  expect(stage.telegram.ledger.refused).toEqual([]);
});

test("five hundred alerts to a hundred chats keep all limits: not one 429", async () => {
  const people = await Promise.all(countTo(100).map(() => person("private")));
  await add(
    ...countTo(500).map((number) =>
      numberedAlert(people[number % 100]?.user ?? "", people[number % 100]?.chat ?? 0, number),
    ),
  );
  const begun = stage.clock.now();
  await stage.run(await stage.enter(), MINUTE);
  expect(judge(stage.telegram, 500)).toEqual({ lost: 0, duplicates: 0, outOfOrder: 0 });
  expect(stage.telegram.ledger.refused).toEqual([]);
  expect((arrived().at(-1)?.at ?? 0) - begun).toBeLessThan(18 * SECOND);
});

test("one person's flood over ten chats does not delay another's alert", async () => {
  const flood = await person(...countTo(10).map(() => "private" as const));
  const other = await person("private");
  await add(
    ...countTo(400).map((number) => numberedAlert(flood.user, flood.chats[number % 10] ?? 0, number)),
  );
  const sender = await stage.enter();
  await stage.run(sender, 5 * SECOND);
  await add(newListing(other.user, other.chat, "9000"));
  const writtenAt = stage.clock.now();
  await stage.run(sender, MINUTE);
  const message = arrived().find(({ chatId }) => chatId === other.chat);
  expect((message?.at ?? Number.POSITIVE_INFINITY) - writtenAt).toBeLessThanOrEqual(SECOND);
});

test("G19 a refused token stops everything, loses nothing and counts no try; once it is good the backlog flows", async () => {
  const { user, chat } = await person("private");
  await add(...countTo(3).map((number) => numberedAlert(user, chat, number)));
  stage.telegram.isTokenRevoked = true;
  const sender = await stage.enter();
  await stage.run(sender, 10 * MINUTE);
  expect(sender.isRefused).toBe(true);
  expect(await sql`select distinct state, attempts from watch.alerts`).toEqual([
    { state: "pending", attempts: 0 },
  ]);
  // One send found it out; nothing was tried after that.
  expect(stage.counts.all["refused-us"]).toBe(1);
  expect(stage.log.filter((line) => line.includes("does not accept"))).toHaveLength(1);
  stage.telegram.isTokenRevoked = false;
  await stage.run(sender, MINUTE + 10 * SECOND);
  expect(judge(stage.telegram, 3)).toEqual({ lost: 0, duplicates: 0, outOfOrder: 0 });
});

test("G18 a 429 on getMe keeps a stopped sender waiting, no more", async () => {
  const { user, chat } = await person("private");
  await add(newListing(user, chat, "1"));
  stage.telegram.faults.set({ kind: "error", errorCode: 401, method: "sendMessage" });
  stage.telegram.faults.set({ kind: "error", errorCode: 429, retryAfter: 5, method: "getMe" });
  const sender = await stage.enter();
  await stage.run(sender, 61 * SECOND);
  expect(arrived()).toEqual([]);
  await stage.run(sender, MINUTE);
  expect(arrived()).toHaveLength(1);
});

test("G17 a group that became a supergroup gets its alerts at once, in order, under its new id, known before or not", async () => {
  const { user, chat } = await person("group");
  await add(numberedAlert(user, chat, 0));
  const sender = await stage.enter();
  await stage.run(sender);
  const upgraded = upgradeGroup(stage.telegram, chat);
  await sql`insert into watch.chats (chat_id, kind) values (${upgraded.id}, 'supergroup')`;
  await add(numberedAlert(user, chat, 1), numberedAlert(user, chat, 2));
  await stage.run(sender, 5 * SECOND);
  expect(arrived().map(({ chatId }) => chatId)).toEqual([chat, upgraded.id, upgraded.id]);
  expect(await sql`select receiver_ids[1] as id from public.filter_settings`).toEqual([
    { id: String(upgraded.id) },
  ]);
  expect(await sql`select distinct state, attempts from watch.alerts`).toEqual([
    { state: "sent", attempts: 1 },
  ]);
});

test("a message of the old group is nobody's answer in the new one", async () => {
  const { user, chat } = await person("group");
  await add(newListing(user, chat, "7"));
  const sender = await stage.enter();
  await stage.run(sender);
  upgradeGroup(stage.telegram, chat);
  const listing = listingOf("7", { priceEur: 1100 });
  await add({
    userId: user,
    chatId: chat,
    kind: "price-drop",
    payload: { listing, formerPriceEur: 1250, dropPercent: 12 },
  });
  await stage.run(sender, 5 * SECOND);
  expect(arrived().at(-1)).toMatchObject({ replyTo: undefined });
});

test("a price cut, a return, a new advert and the end each answer the first alert about that home", async () => {
  const { user, chat } = await person("private");
  const alert = { userId: user, chatId: chat };
  const listing = listingOf("7", { priceEur: 1100 });
  await add(
    newListing(user, chat, "7"),
    newListing(user, chat, "8"),
    { ...alert, kind: "price-drop", payload: { listing, formerPriceEur: 1250, dropPercent: 12 } },
    { ...alert, kind: "back", payload: { listing } },
    {
      ...alert,
      kind: "readvertised",
      payload: { listing: listingOf("9"), formerListingId: "7", formerPriceEur: 1300 },
    },
    { ...alert, kind: "gone", payload: { listing: listingOf("8") } },
  );
  await stage.run(await stage.enter(), 20 * SECOND);
  const [first, second] = arrived();
  expect(arrived().map(({ replyTo }) => replyTo)).toEqual([
    undefined,
    undefined,
    first?.messageId,
    first?.messageId,
    first?.messageId,
    second?.messageId,
  ]);
});

test("P17 what was found before the chat was taken out, the watch paused, the filter deleted or the home hidden is not told", async () => {
  const people = await Promise.all(countTo(5).map(() => person("private")));
  const [taken, paused, deleted, hidden, stays] = people;
  if (!taken || !paused || !deleted || !hidden || !stays) throw new Error("five people are needed");
  await add(...people.map(({ user, chat }, index) => numberedAlert(user, chat, index)));
  await sql`update public.filter_settings set receiver_ids = array['424242'] where user_id = ${taken.user}`;
  await sql`delete from watch.alerts where kind = 'question'`;
  await sql`update public.filter_settings set is_paused = true where user_id = ${paused.user}`;
  await sql`delete from public.filter_settings where user_id = ${deleted.user}`;
  await sql`insert into watch.marks (user_id, listing_id, mark) values (${hidden.user}, '3', 'hidden')`;
  await stage.run(await stage.enter(), MINUTE);
  expect(arrived().map(({ chatId }) => chatId)).toEqual([stays.chat]);
  expect(await states()).toEqual(["1 sent", "4 undeliverable"]);
});

test("P18 an alert that cannot be put into words blocks neither its chat nor others, and is given up after a day", async () => {
  const { user, chat } = await person("private");
  await add({ userId: user, chatId: chat, kind: "new", payload: {} as never }, numberedAlert(user, chat, 1));
  const sender = await stage.enter();
  await stage.run(sender, MINUTE);
  expect(judge(stage.telegram, 1)).toMatchObject({ lost: 0, duplicates: 0 });
  expect(await states()).toEqual(["1 pending", "1 sent"]);
  await stage.run(sender, 26 * HOUR);
  expect(await states()).toEqual(["1 expired", "1 sent"]);
});

test("a chat that fails for a day has its alerts expired and shown as such; between tries it is left alone", async () => {
  const { user, chat } = await person("private");
  await add(...countTo(3).map((number) => numberedAlert(user, chat, number)));
  stage.telegram.faults.set({ kind: "error", errorCode: 500, chatId: chat, forMs: 48 * HOUR });
  const sender = await stage.enter();
  await stage.run(sender, 23 * HOUR);
  expect(await states()).toEqual(["3 pending"]);
  await stage.run(sender, 3 * HOUR);
  expect(await states()).toEqual(["3 expired"]);
  const tries = stage.telegram.ledger.calls.sendMessage ?? 0;
  expect(tries).toBeGreaterThan(20);
  expect(tries).toBeLessThan(40);
});

test("a chat that comes back gets everything, in order", async () => {
  const { user, chat } = await person("group");
  await add(...countTo(5).map((number) => numberedAlert(user, chat, number)));
  stage.telegram.faults.set({ kind: "reset", chatId: chat, forMs: 10 * MINUTE });
  await stage.run(await stage.enter(), 12 * MINUTE);
  expect(judge(stage.telegram, 5)).toEqual({ lost: 0, duplicates: 0, outOfOrder: 0 });
  expect(stage.counts.all.unknown).toBeGreaterThan(10);
});

test("one event is told to a chat once, whoever of its people it was found for", async () => {
  const { user, chat } = await person("supergroup");
  const [other = ""] = await connectPeople(sql, [{ chats: [{ id: chat, kind: "supergroup" }] }]);
  const blind = {
    kind: "blind",
    payload: { sinceMs: stage.clock.now(), reason: "x" },
    eventKey: "1",
  } as const;
  await add(newListing(user, chat, "7"), newListing(other, chat, "7"), newListing(other, chat, "8"));
  await add({ ...blind, userId: user, chatId: chat }, { ...blind, userId: other, chatId: chat });
  await stage.run(await stage.enter(), 20 * SECOND);
  expect(arrived()).toHaveLength(3);
  expect(await states()).toEqual(["2 merged", "3 sent"]);
});

test("G01 a chat that has not said yes gets the one question and nothing else", async () => {
  const { user, chat } = await person("private");
  await sql`update public.chats set state = 'waiting'`;
  await add(
    newListing(user, chat, "7"),
    { userId: user, chatId: chat, kind: "test", payload: {} },
    { userId: user, chatId: chat, kind: "question", payload: { email: "a***@example.com" } },
  );
  await stage.run(await stage.enter(), MINUTE);
  expect(textsIn(chat)).toEqual([expect.stringContaining("a***@example.com")]);
  expect(await states()).toEqual(["1 sent", "2 undeliverable"]);
});

test("a question whose answer is known is not put", async () => {
  const { user, chat } = await person("private");
  await sql`insert into watch.chat_questions (user_id, chat_id, answer) values (${user}, ${chat}, 'yes')`;
  await add({ userId: user, chatId: chat, kind: "question", payload: { email: "a***@example.com" } });
  await stage.run(await stage.enter(), MINUTE);
  expect(arrived()).toEqual([]);
});

test("LANG-01 the chat's choice of language counts, then the person's, then what Telegram says", async () => {
  const { user, chat } = await person("private");
  const sender = await stage.enter();
  const wishes = [
    { chat: "de", person: "es", telegram: "ru" },
    { chat: null, person: "es", telegram: "ru" },
    { chat: null, person: null, telegram: "fr-CA" },
    { chat: null, person: null, telegram: "it" },
    { chat: null, person: null, telegram: null },
  ];
  for (const [index, wish] of wishes.entries()) {
    await sql`update watch.chats set language = ${wish.chat}, telegram_language = ${wish.telegram}`;
    await sql`update public.profiles set language = ${wish.person} where id = ${user}`;
    await add(numberedAlert(user, chat, index));
    await stage.run(sender, 5 * SECOND);
  }
  expect(textsIn(chat).map((text) => text.split(" ")[1])).toEqual(["Neu", "Nuevo", "Nouveau", "New", "New"]);
});

test("a muted chat is silent for its eight hours; then what waited comes as one message, and each alert is marked", async () => {
  const { user, chat } = await person("private");
  await sql`update watch.chats set muted_until = ${new Date(stage.clock.now() + 8 * HOUR)}`;
  const sender = await stage.enter();
  for (const number of countTo(5)) {
    await add(numberedAlert(user, chat, number));
    await stage.run(sender, HOUR);
  }
  await add({ userId: user, chatId: chat, kind: "test", payload: {} });
  await stage.run(sender, MINUTE);
  expect(textsIn(chat)).toEqual([expect.stringContaining("test")]);
  await stage.run(sender, 4 * HOUR);
  const [, summary] = textsIn(chat);
  expect(textsIn(chat)).toHaveLength(2);
  for (const number of countTo(5)) expect(summary).toContain(`número ${number}.`);
  expect(await states()).toEqual(["4 merged", "2 sent"]);
});

test("quiet hours hold one person's alerts and nobody else's, and a single one comes as itself", async () => {
  const [quiet, awake] = [await person("private"), await person("private")];
  const wall = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Madrid", timeStyle: "medium" });
  const from = wall.format(stage.clock.now() - MINUTE);
  const until = wall.format(stage.clock.now() + 2 * HOUR);
  await sql`update public.profiles set quiet_from = ${from}, quiet_until = ${until} where id = ${quiet.user}`;
  await add(numberedAlert(quiet.user, quiet.chat, 1), numberedAlert(awake.user, awake.chat, 2));
  const sender = await stage.enter();
  await stage.run(sender, HOUR);
  expect(arrived().map(({ chatId }) => chatId)).toEqual([awake.chat]);
  await stage.run(sender, HOUR + MINUTE);
  expect(textsIn(quiet.chat)).toEqual([expect.stringMatching(/^🏮 New in/)]);
});

test("quiet hours that are switched off let everything go within a minute", async () => {
  const { user, chat } = await person("private");
  await sql`update watch.chats set muted_until = ${new Date(stage.clock.now() + 8 * HOUR)}`;
  await add(numberedAlert(user, chat, 1), numberedAlert(user, chat, 2));
  const sender = await stage.enter();
  await stage.run(sender, MINUTE);
  await sql`update watch.chats set muted_until = null`;
  await stage.run(sender, MINUTE);
  expect(textsIn(chat)).toEqual([expect.stringContaining("🌙 2 alerts")]);
});

test("two hundred alerts of one night come as a few messages, none too long, none missing", async () => {
  const { user, chat } = await person("private");
  await sql`update watch.chats set muted_until = ${new Date(stage.clock.now() + HOUR)}`;
  await add(...countTo(200).map((number) => numberedAlert(user, chat, number)));
  await stage.run(await stage.enter(), 2 * HOUR);
  const texts = textsIn(chat);
  const told = texts.flatMap((text) =>
    [...text.matchAll(/número (\d+)\./g)].map(([, number]) => Number(number)),
  );
  expect(told).toEqual(countTo(200));
  expect(texts.length).toBeLessThan(12);
  expect(stage.telegram.ledger.refused).toEqual([]);
});

test("G27 whatever a listing says of itself is told as text", async () => {
  const { user, chat } = await person("private");
  const names = [
    `<b>&"'🏠 \u202eрусский עברית</b>`,
    "x".repeat(5000),
    "_*[]()~`>#+-=|{}.!\\",
    "\u200b\u200b\u2800",
    "👩‍👩‍👧‍👦".repeat(200),
    "a\n\n\nb\tc",
  ];
  await add(
    ...names.map((address, index) =>
      newListing(user, chat, String(index), { address, neighborhood: address }),
    ),
  );
  await stage.run(await stage.enter(), MINUTE);
  expect(await states()).toEqual([`${names.length} sent`]);
  expect(stage.telegram.ledger.refused).toEqual([]);
  expect(textsIn(chat).every((text) => text.split("\n").length <= 6 && text.length < 1024)).toBe(true);
  expect(textsIn(chat)[0]).toContain(`<b>&"'🏠 русский עברית</b>`);
});

test("G28 no alert fails for its picture: it comes as text with the page's preview", async () => {
  const { user, chat } = await person("private");
  const { pictures } = stage.telegram;
  pictures.rule("gone", "unreachable");
  pictures.rule("page", "not-a-picture");
  pictures.rule("huge", "too-big");
  const urls = [
    "https://img.example.com/ok.jpg",
    "https://img.example.com/gone.jpg",
    "https://img.example.com/page",
    "https://img.example.com/huge.webp",
    "http://localhost/a.jpg",
    "not a url",
  ];
  await add(...urls.map((pictureUrl, index) => newListing(user, chat, String(index), { pictureUrl })));
  await stage.run(await stage.enter(), MINUTE);
  expect(arrived().map(({ method }) => method)).toEqual(["sendPhoto", ...Array(5).fill("sendMessage")]);
});

test("G12 a blocked chat gets nothing more, and what waits there is undeliverable for everyone", async () => {
  const { user, chat } = await person("private");
  const [other = ""] = await connectPeople(sql, [{ chats: [{ id: chat, kind: "private" }] }]);
  changeStanding(stage.telegram, chat, { standing: "blocked" });
  await add(numberedAlert(user, chat, 1), numberedAlert(user, chat, 2), numberedAlert(other, chat, 3));
  await stage.run(await stage.enter(), HOUR);
  expect(stage.telegram.ledger.calls.sendMessage).toBe(1);
  expect(await states()).toEqual(["3 undeliverable"]);
  expect(await sql`select distinct state from public.chats`).toEqual([{ state: "blocked" }]);
});

test("an alert that a dead sender held is sent when its lease ends, and counted as perhaps told twice", async () => {
  const { user, chat } = await person("private");
  await add(numberedAlert(user, chat, 0), numberedAlert(user, chat, 1));
  await sql`
    update watch.alerts set state = 'sending', lease_by = gen_random_uuid(), attempts = 1,
      lease_until = ${new Date(stage.clock.now() + 30 * SECOND)} where listing_id = '0'`;
  const sender = await stage.enter();
  await stage.run(sender, 29 * SECOND);
  expect(arrived()).toEqual([]);
  await stage.run(sender, 10 * SECOND);
  expect(judge(stage.telegram, 2)).toEqual({ lost: 0, duplicates: 0, outOfOrder: 0 });
  expect(await sql`select listing_id from watch.alerts where is_ambiguous`).toEqual([{ listing_id: "0" }]);
});

test("an outcome that comes after the lease was taken by another changes nothing", async () => {
  const { user, chat } = await person("private");
  await add(numberedAlert(user, chat, 1));
  const sender = await stage.enter({
    send: async () => {
      await sql`update watch.alerts set lease_by = gen_random_uuid()`;
      return { type: "sent", messageId: "1", toldCount: 1 };
    },
    probe: async () => "known",
  });
  await stage.run(sender);
  expect(await states()).toEqual(["1 sending"]);
});
