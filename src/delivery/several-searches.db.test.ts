import { afterAll, beforeAll, expect, test } from "vitest";
import type { Channel } from "#core/ports/channel.ts";
import type { Message } from "#simulators/telegram/model.ts";
import { requireChatById } from "#simulators/telegram/phone/create.ts";
import { openDatabase } from "#store/connection/open-database.ts";
import { namesToo } from "#store/listings/alert-names.ts";
import { type NewAlert, newListing } from "#test/delivery/delivery-fixture.ts";
import { type DeliveryRun, startDeliveryRun } from "#test/delivery/run-delivery.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { editMessages } from "./edit-messages.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const PICTURE = "https://img.example.com/1.jpg";

let database: TestDatabase;
let sql: ReturnType<typeof openDatabase>;
let delivery: DeliveryRun;
let lastCode = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase({ url: database.url, max: 4 });
  delivery = await startDeliveryRun({ sql });
});
afterAll(async () => {
  await delivery.close();
  await sql.end();
  await database.drop();
});

/** Someone with two searches, the second one called "Sea", in all of these chats. */
async function personWithTwo(...kinds: Parameters<DeliveryRun["person"]>) {
  const person = await delivery.person(...kinds);
  const [row] = await sql`
    insert into public.other_searches (user_id, filter_url, receiver_ids, name)
    select user_id, replace(filter_url, '1500', '1600'), receiver_ids, 'Sea' from public.filter_settings
    where user_id = ${person.user}
    returning id, (select id from public.filter_settings where user_id = ${person.user}) as first`;
  return { ...person, first: String(row?.first), second: String(row?.id) };
}

type Two = Awaited<ReturnType<typeof personWithTwo>>;

/** A find of these searches, under a code of its own. */
function found(
  { user, chat }: Pick<Two, "user" | "chat">,
  searchIds: readonly string[],
  changes: Parameters<typeof newListing>[3] = {},
): NewAlert & { readonly code: string } {
  lastCode += 1;
  const code = String(lastCode);
  return {
    ...newListing(user, chat, code, { address: `calle número ${code}.`, ...changes }),
    searchIds,
    code,
  };
}

/** Another search finds the same, as the watcher writes it. */
async function joins({ userId, chatId, kind, code }: ReturnType<typeof found>, searchId: string) {
  const now = new Date(delivery.clock.now());
  await sql`
    insert into watch.alerts as held (user_id, chat_id, kind, listing_id, payload, search_ids)
    values (${userId}, ${chatId}, ${kind}, ${code}, '{}', array[${searchId}]::uuid[])
    on conflict (user_id, chat_id, listing_id) where kind in ('new', 'readvertised') do update set ${namesToo(sql, now)}`;
}

const messagesIn = (chat: number): Message[] =>
  requireChatById(delivery.telegram, chat).messages.flatMap(({ message }) =>
    message.from?.is_bot && (message.text ?? message.caption) !== undefined ? [message] : [],
  );
const wordsOf = ({ text, caption }: Message) => text ?? caption ?? "";
const namesOf = (message: Message) => /🔎 (.*)$/.exec(wordsOf(message))?.[1];
const codesOf = (message: Message) =>
  [...wordsOf(message).matchAll(/número (\d+)\./g)].map(([, code]) => code);
const mutesOf = ({ reply_markup }: Message) =>
  (reply_markup?.inline_keyboard ?? [])
    .flat()
    .flatMap(({ text }) => (/mute .*(search|“)/i.test(text) ? [text] : []));
const stateOf = async ({ code }: { code: string }) =>
  (await sql`select state from watch.alerts where listing_id = ${code}`)[0]?.state;

const edits = () => {
  const { editMessageText = 0, editMessageCaption = 0 } = delivery.telegram.ledger.calls;
  return editMessageText + editMessageCaption;
};
const dueEdits = async ({ user }: { user: string }) =>
  (await sql`select from watch.alerts where user_id = ${user} and edit_due_at is not null`).length;

const { signal: never } = new AbortController();

/** As the process does it every few seconds. */
async function edit(sender: Dispatcher, ms = 0, signal = never) {
  const end = delivery.clock.now() + ms;
  for (;;) {
    await editMessages({
      sql,
      signal,
      now: delivery.clock.now,
      edit: (message, id) => sender.editAside(message, id),
    });
    if (delivery.clock.now() >= end || signal.aborted) return;
    delivery.clock.advance(5 * SECOND);
  }
}

async function quiet(searchId: string, ms: number) {
  const wall = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Madrid", timeStyle: "medium" });
  const [from, until] = [-MINUTE, ms].map((after) => wall.format(delivery.clock.now() + after)) as [
    string,
    string,
  ];
  for (const table of ["public.filter_settings", "public.other_searches"]) {
    await sql`update ${sql(table)} set quiet_from = ${from}, quiet_until = ${until} where id = ${searchId}`;
  }
}

test("MANY-02 an alert names the searches it speaks for, each with its mute, once there is more than one", async () => {
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
  if (ofOne === undefined || ofBoth === undefined) throw new Error("two were to be told");
  expect([namesOf(ofOne), mutesOf(ofOne)]).toEqual(["Sea", ["Mute this search"]]);
  expect(namesOf(ofBoth)).toMatch(/^.*Chamberí.*, Sea$/);
  expect(mutesOf(ofBoth)).toHaveLength(2);
  expect(mutesOf(ofBoth)[1]).toContain("Sea");
});

test("MANY-02 a search that finds it later is added to the message: a text, a picture's words, and a text that lost its picture", async () => {
  const two = await personWithTwo("supergroup");
  const sender = await delivery.startSender();
  delivery.telegram.pictures.rule("lost", "unreachable");
  const alerts = [null, PICTURE, "https://img.example.com/lost.jpg"].map((pictureUrl) =>
    found(two, [two.first], { pictureUrl }),
  );
  await delivery.add(...alerts);
  await delivery.run(sender, 10 * SECOND);
  const before = messagesIn(two.chat);
  expect(before.map((message) => namesOf(message)?.includes("Sea"))).toEqual([false, false, false]);
  for (const alert of alerts) await joins(alert, two.second);
  await edit(sender, 20 * SECOND);
  const after = messagesIn(two.chat);
  expect(after.map(({ message_id }) => message_id)).toEqual(before.map(({ message_id }) => message_id));
  expect(after.map((message) => [namesOf(message)?.endsWith(", Sea"), mutesOf(message).length])).toEqual(
    Array(3).fill([true, 2]),
  );
  expect(await dueEdits(two)).toBe(0);
  // What says it already is left as it is, and Telegram's word for that is as good as an edit.
  await sql`update watch.alerts set edit_due_at = ${new Date(delivery.clock.now())} where listing_id = ${alerts[0]?.code ?? ""}`;
  const count = edits();
  await edit(sender, 5 * MINUTE);
  expect([edits() - count, await dueEdits(two)]).toEqual([1, 0]);
});

test("MANY-02 an edit that fails is tried a few times and holds up nothing; one that cannot be is not tried again", async () => {
  const two = await personWithTwo("private");
  const other = await personWithTwo("private");
  const sender = await delivery.startSender();
  const [failing, deleted] = [found(two, [two.first]), found(other, [other.first])];
  await delivery.add(failing, deleted);
  await delivery.run(sender, 5 * SECOND);
  requireChatById(delivery.telegram, other.chat).messages.length = 0;
  await joins(deleted, other.second);
  let count = edits();
  await edit(sender, 3 * MINUTE);
  expect([edits() - count, await dueEdits(other)]).toEqual([1, 0]);

  await joins(failing, two.second);
  delivery.telegram.faults.set({ kind: "error", errorCode: 500, method: "editMessageText", forMs: HOUR });
  count = edits();
  await edit(sender, 20 * MINUTE);
  expect([edits() - count, await dueEdits(two)]).toEqual([5, 0]);
  delivery.telegram.faults.clear();
});

test("MANY-02 an edit under way holds up no alert, and none begins where an alert waits for its place", async () => {
  const two = await personWithTwo("private");
  const channel = delivery.channel();
  const [begun, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow: Channel = {
    ...channel,
    edit: async (message, id) => {
      begun.resolve();
      await answered.promise;
      return channel.edit(message, id);
    },
  };
  const sender = await delivery.startSender(slow);
  const first = found(two, [two.first]);
  await delivery.add(first);
  await delivery.run(sender, 10 * SECOND);
  await joins(first, two.second);
  const editing = edit(sender);
  await begun.promise;
  const next = found(two, [two.second]);
  await delivery.add(next);
  await delivery.run(sender);
  expect(messagesIn(two.chat).map(codesOf)).toEqual([[first.code], [next.code]]);
  answered.resolve();
  await editing;
  expect(messagesIn(two.chat).map(namesOf)[0]).toMatch(/, Sea$/);

  await joins(next, two.first);
  const burst = Array.from({ length: 9 }, () => found(two, [two.second]));
  await delivery.add(...burst);
  await delivery.run(sender);
  const count = edits();
  await edit(sender);
  expect(messagesIn(two.chat).length).toBeLessThan(11);
  expect([edits() - count, await dueEdits(two)]).toEqual([0, 1]);
  await delivery.run(sender, MINUTE);
  await edit(sender);
  expect(messagesIn(two.chat).map(codesOf).slice(2)).toEqual(burst.map(({ code }) => [code]));
  expect([edits() - count, await dueEdits(two)]).toEqual([1, 0]);
});

test("MANY-02 edits end with the sender, and wait with all else while Telegram refuses the bot", async () => {
  const two = await personWithTwo("private", "private", "private");
  const alerts = two.chats.map((chat) => found({ ...two, chat }, [two.first]));
  await delivery.add(...alerts);
  const stopping = new AbortController();
  const channel = delivery.channel();
  const sender = await delivery.startSender({
    ...channel,
    edit: (message, id) => {
      stopping.abort();
      return channel.edit(message, id);
    },
  });
  await delivery.run(sender, 5 * SECOND);
  for (const alert of alerts) await joins(alert, two.second);
  const count = edits();
  await edit(sender, 0, stopping.signal);
  expect([edits() - count, await dueEdits(two)]).toEqual([1, 2]);

  delivery.telegram.isTokenRevoked = true;
  await edit(sender, 10 * MINUTE);
  delivery.telegram.isTokenRevoked = false;
  expect(await dueEdits(two)).toBe(2);
  await delivery.run(sender, MINUTE);
  await edit(sender, 5 * SECOND);
  expect([edits() - count, await dueEdits(two)]).toEqual([3, 0]);
});

test("MANY-02 a message that somebody sorted by a button keeps what that made of it", async () => {
  const two = await personWithTwo("private");
  const sender = await delivery.startSender();
  const sorted = (["hidden", "kept"] as const).map((mark) => ({ mark, alert: found(two, [two.first]) }));
  await delivery.add(...sorted.map(({ alert }) => alert));
  await delivery.run(sender, 5 * SECOND);
  for (const { mark, alert } of sorted) {
    await sql`insert into watch.marks (user_id, listing_id, mark) values (${two.user}, ${alert.code}, ${mark})`;
    await joins(alert, two.second);
  }
  const count = edits();
  await edit(sender, MINUTE);
  expect([edits() - count, await dueEdits(two)]).toEqual([0, 0]);
});

test("MANY-02 a summary is edited once for all that it told; where the names leave no room for all, it stays as it is", async () => {
  const [few, many] = [await personWithTwo("private"), await personWithTwo("private")];
  await sql`
    update watch.chats set muted_until = ${new Date(delivery.clock.now() + MINUTE)} where chat_id in (${few.chat}, ${many.chat})`;
  const pair = [found(few, [few.first]), found(few, [few.first])];
  const crowd = Array.from({ length: 60 }, () => found(many, [many.first]));
  await delivery.add(...pair, ...crowd);
  const sender = await delivery.startSender();
  await delivery.run(sender, 5 * MINUTE);
  await sql`insert into watch.marks (user_id, listing_id, mark) values (${few.user}, ${pair[0]?.code ?? ""}, 'kept')`;
  await sql`update public.other_searches set name = 'By the sea, with a garden and a view' where user_id = ${many.user}`;
  const told = crowd.map(({ code }) => code);
  expect(messagesIn(many.chat).flatMap(codesOf)).toEqual(told);
  for (const alert of pair) await joins(alert, few.second);
  for (const alert of crowd) await joins(alert, many.second);
  await edit(sender, 5 * MINUTE);
  const [summary] = messagesIn(few.chat);
  expect(summary?.text?.match(/, Sea$/gm)).toHaveLength(2);
  expect(messagesIn(many.chat).flatMap(codesOf)).toEqual(told);
  expect([await dueEdits(few), await dueEdits(many)]).toEqual([0, 0]);
});

test("MANY-03 what was asked for in a chat is told there with no search to speak for it, but in their quiet hours", async () => {
  const two = await personWithTwo("private", "private");
  const finds = two.chats.map((chat) => found({ ...two, chat }, []));
  const [here = finds[0], there] = finds;
  if (here === undefined || there === undefined) throw new Error("there are two chats");
  for (const { code } of finds) {
    await sql`insert into watch.marks (user_id, listing_id, mark, chat_id) values (${two.user}, ${code}, 'kept', ${two.chat})`;
  }
  const sender = await delivery.startSender();
  for (const id of [two.first, two.second]) await quiet(id, HOUR);
  await delivery.add(...finds);
  await delivery.run(sender, MINUTE);
  expect([await stateOf(here), await stateOf(there)]).toEqual(["pending", "pending"]);
  await sql`update public.filter_settings set is_paused = true where user_id = ${two.user}`;
  await sql`update public.other_searches set is_paused = true where user_id = ${two.user}`;
  await delivery.run(sender, MINUTE);
  expect(messagesIn(two.chat).map(codesOf)).toEqual([[here.code]]);
  expect(await stateOf(there)).toBe("undeliverable");
});

test("MANY-01 each search keeps its own quiet hours: what another may say is said at once, the rest comes in the morning", async () => {
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
  // One that waits is told as soon as a search finds it that may speak.
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

test("MANY-01 a paused search, one muted here and one that let go of the chat say nothing there; the others do", async () => {
  const two = await personWithTwo("private", "private");
  const [here = 0, there = 0] = two.chats;
  const sender = await delivery.startSender();
  const chats = [here, there];
  /** What each chat hears of a find of the first, of the second and of both. */
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
    sql`update public.other_searches set ${sql(changes)} where user_id = ${two.user}`;

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

test("MANY-02 a search speaks in its topic; where that is closed or gone it speaks in the group, and forgets the one that is gone", async () => {
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

  // What waited comes as one message for each topic.
  await sql`update watch.chats set muted_until = ${new Date(delivery.clock.now() + 30 * SECOND)} where chat_id = ${two.chat}`;
  expect(await threads(...ofBoth(), ...ofBoth())).toEqual([77, undefined]);
});
