import { afterAll, expect, test } from "vitest";
import type { Message } from "#simulators/telegram/model.ts";
import { requireChatById } from "#simulators/telegram/phone/create.ts";
import { codesOf, found, mutesOf, namesOf, startTwoSearches } from "#test/delivery/two-searches.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const PICTURE = "https://img.example.com/1.jpg";

const { sql, delivery, personWithTwo, joins, messagesIn, stateOf, close } = await startTwoSearches();
afterAll(close);

async function quiet(searchId: string, ms: number) {
  const wall = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Madrid", timeStyle: "medium" });
  const [from, until] = [-MINUTE, ms].map((after) => wall.format(delivery.clock.now() + after)) as [
    string,
    string,
  ];
  await sql`update public.searches set quiet_from = ${from}, quiet_until = ${until} where id = ${searchId}`;
}

test("MANY-02 with several searches an alert names those that match, each with a mute button", async () => {
  const alone = await delivery.person("private");
  const two = await personWithTwo("private");
  const [own] = await sql`select id from public.filter_settings where user_id = ${alone.user}`;
  const sender = await delivery.startSender();
  await delivery.add(
    found(alone, [String(own?.id)]),
    found(two, [two.second]),
    found(two, [two.first, two.second]),
  );
  await delivery.run(sender, 5 * SECOND);
  expect(messagesIn(alone.chat).map((message) => [namesOf(message), mutesOf(message)])).toEqual([
    [undefined, []],
  ]);
  const [ofOne, ofBoth] = messagesIn(two.chat);
  if (ofOne === undefined || ofBoth === undefined) throw new Error("expected two alerts");
  expect([namesOf(ofOne), mutesOf(ofOne)]).toEqual(["Sea", ["Mute this search"]]);
  expect(namesOf(ofBoth)).toMatch(/^.*Chamberí.* · Sea$/);
  expect(mutesOf(ofBoth)).toHaveLength(2);
  expect(mutesOf(ofBoth)[1]).toContain("Sea");
});

test("EASY-03 an alert of two searches in one district names both, and their mute buttons differ", async () => {
  const two = await personWithTwo("private");
  const link = "https://www.idealista.com/alquiler-viviendas/madrid/chamberi";
  await sql`update public.searches set name = null, filter_url = ${`${link}/`} where id = ${two.first}`;
  await sql`
    update public.searches set name = null, filter_url = ${`${link}/con-precio-hasta_1500,ascensor/`} where id = ${two.second}`;
  const sender = await delivery.startSender();
  await delivery.add(found(two, [two.first, two.second]));
  await delivery.run(sender, 5 * SECOND);
  const [alert] = messagesIn(two.chat);
  if (alert === undefined) throw new Error("expected an alert");
  expect(namesOf(alert)).toBe("Chamberí, all · Chamberí, up to €1,500, lift");
  expect(mutesOf(alert)).toEqual(["Mute “Chamberí, all”", "Mute “up to €1,500, lift”"]);
});

test("MANY-03 requested alerts are sent without an active search, but not in quiet hours", async () => {
  const two = await personWithTwo("private", "private");
  const finds = two.chats.map((chat) => found({ ...two, chat }, []));
  const [here = finds[0], there] = finds;
  if (here === undefined || there === undefined) throw new Error("there are two chats");
  for (const { code } of finds) {
    await sql`insert into public.marks (user_id, listing_id, mark, chat_id) values (${two.user}, ${code}, 'kept', ${two.chat})`;
  }
  const sender = await delivery.startSender();
  for (const id of [two.first, two.second]) await quiet(id, HOUR);
  await delivery.add(...finds);
  await delivery.run(sender, MINUTE);
  expect([await stateOf(here), await stateOf(there)]).toEqual(["pending", "pending"]);
  await sql`update public.searches set is_paused = true where user_id = ${two.user}`;
  await delivery.run(sender, MINUTE);
  expect(messagesIn(two.chat).map(codesOf)).toEqual([[here.code]]);
  expect(await stateOf(there)).toBe("undeliverable");
});

test("MANY-01 each search has its own quiet hours: an alert is sent at once if one search is not quiet, else in the morning", async () => {
  const [one, both] = [await personWithTwo("private"), await personWithTwo("private")];
  await quiet(one.first, 2 * HOUR);
  await quiet(both.first, 2 * HOUR);
  await quiet(both.second, 4 * HOUR);
  const [held, spoken, shared] = [
    found(one, [one.first]),
    found(one, [one.second]),
    found(one, [one.first, one.second]),
  ];
  const late = found(one, [one.first]);
  const night = [
    found(both, [both.first]),
    found(both, [both.first, both.second]),
    found(both, [both.second]),
  ];
  await delivery.add(held, spoken, shared, late, ...night);
  const sender = await delivery.startSender();
  await delivery.run(sender, 5 * SECOND);
  expect(messagesIn(one.chat).map(codesOf)).toEqual([[spoken.code], [shared.code]]);
  // A held alert is sent as soon as a search that is not quiet matches it.
  await joins(late, one.second);
  await delivery.run(sender, MINUTE);
  expect(messagesIn(one.chat).map(codesOf).slice(2)).toEqual([[late.code]]);
  expect(messagesIn(both.chat)).toEqual([]);
  await delivery.run(sender, 2 * HOUR);
  expect(messagesIn(one.chat).map(codesOf).slice(3)).toEqual([[held.code]]);
  expect(messagesIn(both.chat).map(codesOf)).toEqual([night.slice(0, 2).map(({ code }) => code)]);
  await delivery.run(sender, 2 * HOUR);
  expect(messagesIn(both.chat).map(codesOf).slice(1)).toEqual([[night[2]?.code]]);
});

test("MANY-01 a paused search, one muted here and one removed from the chat send nothing there; the others do", async () => {
  const two = await personWithTwo("private", "private");
  const [here = 0, there = 0] = two.chats;
  const sender = await delivery.startSender();
  const chats = [here, there];
  /** The alerts of each chat about homes found by the first search, by the second and by both. */
  const heard = async () => {
    const finds = [[two.first], [two.second], [two.first, two.second]];
    const alerts = finds.map((ids) => chats.map((chat) => found({ ...two, chat }, ids)));
    const before = chats.map((chat) => messagesIn(chat).length);
    await delivery.add(...alerts.flat());
    await delivery.run(sender, MINUTE);
    const told = chats.map((chat, place) => messagesIn(chat).slice(before[place]).flatMap(codesOf));
    const states = await Promise.all(alerts.map((row) => Promise.all(row.map(stateOf))));
    return alerts.map((row, n) =>
      row.map(({ code }, place) => (told[place]?.includes(code) ? "told" : states[n]?.[place])),
    );
  };
  const first = (changes: object) =>
    sql`update public.filter_settings set ${sql(changes)} where user_id = ${two.user}`;
  const second = (changes: object) =>
    sql`update public.searches set ${sql(changes)} where id = ${two.second}`;

  await first({ is_paused: true });
  expect(await heard()).toEqual([
    ["undeliverable", "undeliverable"],
    ["told", "told"],
    ["told", "told"],
  ]);
  expect(namesOf(messagesIn(here).at(-1) as Message)).toBe("Sea");
  await second({ is_paused: true });
  expect((await heard()).flat()).toEqual(Array(6).fill("undeliverable"));
  await Promise.all([first({ is_paused: false }), second({ is_paused: false, receiver_ids: `{${there}}` })]);
  expect(await heard()).toEqual([
    ["told", "told"],
    ["undeliverable", "told"],
    ["told", "told"],
  ]);
  await second({ receiver_ids: `{${here},${there}}` });

  const until = new Date(delivery.clock.now() + HOUR);
  await sql`insert into watch.search_chats (search_id, chat_id, muted_until) values (${two.first}, ${here}, ${until})`;
  expect(await heard()).toEqual([
    ["pending", "told"],
    ["told", "told"],
    ["told", "told"],
  ]);
  await delivery.run(sender, HOUR);
  expect(await sql`select from watch.alerts where user_id = ${two.user} and state = 'pending'`).toHaveLength(
    0,
  );
});

test("MANY-02 alerts go to the search's topic; if it is closed or deleted they go to the group, and a deleted topic is forgotten", async () => {
  const two = await personWithTwo("supergroup");
  const forum = requireChatById(delivery.telegram, two.chat);
  const topics = { 77: two.first, 78: two.second };
  for (const [topic, search] of Object.entries(topics)) {
    forum.topics.set(Number(topic), "open");
    await sql`insert into watch.search_chats (search_id, chat_id, topic_id) values (${search}, ${two.chat}, ${topic})`;
  }
  const sender = await delivery.startSender();
  const threads = async (...alerts: ReturnType<typeof found>[]) => {
    const before = messagesIn(two.chat).length;
    await delivery.add(...alerts);
    await delivery.run(sender, MINUTE);
    return messagesIn(two.chat)
      .slice(before)
      .map(({ message_thread_id }) => message_thread_id);
  };
  const ofBoth = () => [found(two, [two.first]), found(two, [two.second], { pictureUrl: PICTURE })];
  const remembered = async () =>
    (
      await sql`select topic_id::int as id from watch.search_chats where chat_id = ${two.chat} order by 1`
    ).map(({ id }) => id);
  expect(await threads(...ofBoth())).toEqual([77, 78]);

  forum.topics.set(77, "closed");
  forum.topics.delete(78);
  expect(await threads(...ofBoth())).toEqual([undefined, undefined]);
  expect(await remembered()).toEqual([77, null]);
  forum.topics.set(77, "open");
  const refused = delivery.telegram.ledger.refused.length;
  expect(await threads(...ofBoth())).toEqual([77, undefined]);
  expect(delivery.telegram.ledger.refused).toHaveLength(refused);

  // Held alerts are sent as one message per topic.
  await sql`update watch.chats set muted_until = ${new Date(delivery.clock.now() + 30 * SECOND)} where chat_id = ${two.chat}`;
  expect(await threads(...ofBoth(), ...ofBoth())).toEqual([77, undefined]);
});
