import { afterEach, beforeEach, expect, test } from "vitest";
import { connectPeople, listingOf, newListing } from "#test/delivery/delivery-fixture.ts";
import { numberedAlert } from "#test/delivery/delivery-processes.ts";
import { type OwnDelivery, startOwnDelivery } from "#test/delivery/run-delivery.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let sql: OwnDelivery["sql"];
let delivery: OwnDelivery;

beforeEach(async () => {
  delivery = await startOwnDelivery({ floodControl: true });
  sql = delivery.sql;
});

afterEach(() => delivery.close());

const arrived = () => delivery.telegram.ledger.accepted;
const countTo = (count: number) => Array.from({ length: count }, (_, index) => index);

test("alerts about a price drop, a return, a new advert and a removal reply to the first alert about that home", async () => {
  const { user, chat } = await delivery.person("private");
  const alert = { userId: user, chatId: chat };
  const listing = listingOf("7", { priceEur: 1100 });
  await delivery.add(
    newListing(user, chat, "7"),
    newListing(user, chat, "8"),
    { ...alert, kind: "price-drop", payload: { listing, formerPriceEur: 1250, dropPercent: 12 } },
    { ...alert, kind: "back", payload: { listing } },
    {
      ...alert,
      kind: "new",
      payload: { listing: listingOf("9"), formerListingId: "7", formerPriceEur: 1300 },
    },
    { ...alert, kind: "gone", payload: { listing: listingOf("8") } },
  );
  await delivery.run(await delivery.startSender(), 20 * SECOND);
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

test("P17 pending alerts are not sent after the chat is removed, the search paused or deleted, or the home hidden", async () => {
  const people = await Promise.all(countTo(5).map(() => delivery.person("private")));
  const [taken, paused, deleted, hidden, stays] = people;
  if (!taken || !paused || !deleted || !hidden || !stays) throw new Error("five people are needed");
  await delivery.add(...people.map(({ user, chat }, index) => numberedAlert(user, chat, index)));
  await sql`update public.filter_settings set receiver_ids = array['424242'] where user_id = ${taken.user}`;
  await sql`delete from watch.alerts where kind = 'question'`;
  await sql`update public.filter_settings set is_paused = true where user_id = ${paused.user}`;
  await sql`delete from public.filter_settings where user_id = ${deleted.user}`;
  await sql`insert into public.marks (user_id, listing_id, mark) values (${hidden.user}, '3', 'hidden')`;
  await delivery.run(await delivery.startSender(), MINUTE);
  expect(arrived().map(({ chatId }) => chatId)).toEqual([stays.chat]);
  expect(await delivery.states()).toEqual(["1 sent", "4 undeliverable"]);
});

test("an event is sent to a chat once, even if several of its accounts match", async () => {
  const { user, chat } = await delivery.person("supergroup");
  const [other = ""] = await connectPeople(sql, [{ chats: [{ id: chat, kind: "supergroup" }] }]);
  const sourceDown = {
    kind: "source-down",
    payload: { sinceMs: delivery.clock.now(), reason: "x" },
    eventKey: "1",
  } as const;
  await delivery.add(newListing(user, chat, "7"), newListing(other, chat, "7"), newListing(other, chat, "8"));
  await delivery.add(
    { ...sourceDown, userId: user, chatId: chat },
    { ...sourceDown, userId: other, chatId: chat },
  );
  await delivery.run(await delivery.startSender(), 20 * SECOND);
  expect(arrived()).toHaveLength(3);
  expect(await delivery.states()).toEqual(["2 merged", "3 sent"]);
});

test("LAST-04 a source that flaps is two notices, the second of which says so", async () => {
  const { user, chat } = await delivery.person("private");
  const sender = await delivery.startSender();
  for (let round = 0; round < 6; round += 1) {
    const base = { userId: user, chatId: chat, eventKey: `${round}` } as const;
    const sinceMs = delivery.clock.now();
    await delivery.add({ ...base, kind: "source-down", payload: { sinceMs, reason: "timeout" } });
    await delivery.run(sender, 20 * MINUTE);
    const untilMs = delivery.clock.now();
    await delivery.add({ ...base, kind: "source-up", payload: { sinceMs, untilMs, mayHaveMissed: false } });
    await delivery.run(sender, 20 * MINUTE);
  }
  const texts = delivery.textsIn(chat);
  expect(texts.map((text) => text.split("\n")[0])).toEqual([
    expect.stringContaining("get new listings right now"),
    expect.stringContaining("comes and goes"),
  ]);
  await delivery.run(sender, 2 * HOUR);
  expect(delivery.textsIn(chat).slice(2)).toEqual([expect.stringContaining("getting listings again")]);
});

test("G01 a chat that has not consented gets one question and nothing else", async () => {
  const { user, chat } = await delivery.person("private");
  await sql`update public.chats set state = 'waiting'`;
  await delivery.add(
    newListing(user, chat, "7"),
    { userId: user, chatId: chat, kind: "test", payload: {} },
    { userId: user, chatId: chat, kind: "question", payload: {} },
  );
  await delivery.run(await delivery.startSender(), MINUTE);
  expect(delivery.textsIn(chat)).toEqual([expect.stringContaining(`${user.slice(0, 1)}***@example.org`)]);
  expect(await delivery.states()).toEqual(["1 sent", "2 undeliverable"]);
});

test("a question that is already answered is not sent", async () => {
  const { user, chat } = await delivery.person("private");
  await sql`insert into watch.chat_questions (user_id, chat_id, answer) values (${user}, ${chat}, 'yes')`;
  await delivery.add({
    userId: user,
    chatId: chat,
    kind: "question",
    payload: {},
  });
  await delivery.run(await delivery.startSender(), MINUTE);
  expect(arrived()).toEqual([]);
});

test("LANG-01 the language is the chat's choice, else the account's, else Telegram's", async () => {
  const { user, chat } = await delivery.person("private");
  const sender = await delivery.startSender();
  const wishes = [
    { chat: "de", person: "es", telegram: "ru" },
    { chat: null, person: "es", telegram: "ru" },
    { chat: null, person: null, telegram: "fr" },
    { chat: null, person: "it", telegram: "ru" },
    { chat: null, person: null, telegram: null },
  ];
  for (const [index, wish] of wishes.entries()) {
    await sql`update watch.chats set language = ${wish.chat}, telegram_language = ${wish.telegram}`;
    await sql`update public.profiles set language = ${wish.person} where id = ${user}`;
    await delivery.add(numberedAlert(user, chat, index));
    await delivery.run(sender, 5 * SECOND);
  }
  expect(delivery.textsIn(chat).map((text) => text.split(" ")[1])).toEqual([
    "Neu",
    "Nuevo",
    "Nouveau",
    "New",
    "New",
  ]);
});

test("G27 the texts of a listing are escaped", async () => {
  const { user, chat } = await delivery.person("private");
  const names = [
    `<b>&"'🏠 \u202eрусский עברית</b>`,
    "x".repeat(5000),
    "_*[]()~`>#+-=|{}.!\\",
    "\u200b\u200b\u2800",
    "👩‍👩‍👧‍👦".repeat(200),
    "a\n\n\nb\tc",
  ];
  await delivery.add(
    ...names.map((address, index) =>
      newListing(user, chat, String(index), { address, neighborhood: address }),
    ),
  );
  await delivery.run(await delivery.startSender(), MINUTE);
  expect(await delivery.states()).toEqual([`${names.length} sent`]);
  expect(delivery.telegram.ledger.refused).toEqual([]);
  expect(delivery.textsIn(chat).every((text) => text.split("\n").length <= 6 && text.length < 1024)).toBe(
    true,
  );
  expect(delivery.textsIn(chat)[0]).toContain(`<b>&"'🏠 русский עברית</b>`);
});

test("G28 an alert whose picture fails is sent as text with the page's preview", async () => {
  const { user, chat } = await delivery.person("private");
  const { pictures } = delivery.telegram;
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
  await delivery.add(
    ...urls.map((pictureUrl, index) => newListing(user, chat, String(index), { pictureUrl })),
  );
  await delivery.run(await delivery.startSender(), MINUTE);
  expect(arrived().map(({ method }) => method)).toEqual(["sendPhoto", ...Array(5).fill("sendMessage")]);
});
