import { afterEach, beforeEach, expect, test } from "vitest";
import { requireChatById } from "#simulators/telegram/phone/create.ts";
import { changeStanding, upgradeGroup } from "#simulators/telegram/phone/membership.ts";
import { connectPeople, listingOf, newListing } from "#test/delivery/delivery-fixture.ts";
import { judge, numberedAlert } from "#test/delivery/delivery-processes.ts";
import { type OwnDelivery, startOwnDelivery } from "#test/delivery/run-delivery.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let sql: OwnDelivery["sql"];
let delivery: OwnDelivery;

beforeEach(async () => {
  delivery = await startOwnDelivery({ floodControl: { chatCounting: "window" } });
  sql = delivery.sql;
});

afterEach(() => delivery.close());

const arrived = () => delivery.telegram.ledger.accepted;
const countTo = (count: number) => Array.from({ length: count }, (_, index) => index);

test("G18 a storm of 429 over all chats for 14 s: everything arrives afterwards, in order, and nothing is asked twice of it", async () => {
  const people = await Promise.all(countTo(12).map(() => delivery.person("private")));
  await delivery.add(
    ...countTo(60).map((number) =>
      numberedAlert(people[number % 12]?.user ?? "", people[number % 12]?.chat ?? 0, number),
    ),
  );
  delivery.telegram.faults.set({ kind: "storm", forMs: 14 * SECOND });
  const sender = await delivery.startSender();
  await delivery.run(sender, 13 * SECOND);
  expect(arrived()).toEqual([]);
  await delivery.run(sender, 2 * MINUTE);
  expect(judge(delivery.telegram, 60)).toEqual({ lost: 0, duplicates: 0, outOfOrder: 0 });
  expect(await delivery.states()).toEqual(["60 sent"]);
  // Those in flight when it broke loose were told; then everyone was silent.
  expect(delivery.telegram.ledger.refused.length).toBeLessThanOrEqual(30);
  expect(delivery.telegram.ledger.refused.every(({ fault }) => fault !== undefined)).toBe(true);
});

test("G21 while Telegram's server fails for everybody, one message a second is tried, and all arrive within a minute after", async () => {
  const people = await Promise.all(countTo(100).map(() => delivery.person("private")));
  await delivery.add(
    ...people.flatMap(({ user, chat }, number) => [
      numberedAlert(user, chat, number),
      numberedAlert(user, chat, 100 + number),
    ]),
  );
  delivery.telegram.faults.set({ kind: "error", errorCode: 502, times: Number.POSITIVE_INFINITY });
  const sender = await delivery.startSender();
  await delivery.run(sender, 2 * MINUTE);
  expect(arrived()).toEqual([]);
  expect(delivery.telegram.ledger.refused.length).toBeLessThanOrEqual(30 + 120);
  delivery.telegram.faults.clear();
  await delivery.run(sender, 66 * SECOND + 10 * SECOND);
  expect(judge(delivery.telegram, 200)).toEqual({ lost: 0, duplicates: 0, outOfOrder: 0 });
});

test("G18 one chat's 429 holds up that chat alone, and outlives a restart", async () => {
  const [slow, quick] = [await delivery.person("private"), await delivery.person("private")];
  delivery.telegram.faults.set({ kind: "error", errorCode: 429, retryAfter: 3600, chatId: slow.chat });
  await delivery.add(newListing(slow.user, slow.chat, "1"));
  await delivery.run(await delivery.startSender());
  await delivery.add(newListing(slow.user, slow.chat, "2"), newListing(quick.user, quick.chat, "3"));
  delivery.clock.advance(SECOND);
  const successor = await delivery.startSender();
  await delivery.run(successor, HOUR - 3 * SECOND);
  expect([delivery.textsIn(slow.chat).length, delivery.textsIn(quick.chat).length]).toEqual([0, 1]);
  await delivery.run(successor, 10 * SECOND);
  expect(delivery.textsIn(slow.chat)).toHaveLength(2);
});

test("five hundred alerts to a hundred chats keep all limits: not one 429", { tags: "long" }, async () => {
  const people = await Promise.all(countTo(100).map(() => delivery.person("private")));
  await delivery.add(
    ...countTo(500).map((number) =>
      numberedAlert(people[number % 100]?.user ?? "", people[number % 100]?.chat ?? 0, number),
    ),
  );
  const begun = delivery.clock.now();
  await delivery.run(await delivery.startSender(), MINUTE);
  expect(judge(delivery.telegram, 500)).toEqual({ lost: 0, duplicates: 0, outOfOrder: 0 });
  expect(delivery.telegram.ledger.refused).toEqual([]);
  expect((arrived().at(-1)?.at ?? 0) - begun).toBeLessThan(18 * SECOND);
});

test("one person's flood over ten chats does not delay another's alert", { tags: "long" }, async () => {
  const flood = await delivery.person(...countTo(10).map(() => "private" as const));
  const other = await delivery.person("private");
  await delivery.add(
    ...countTo(400).map((number) => numberedAlert(flood.user, flood.chats[number % 10] ?? 0, number)),
  );
  const sender = await delivery.startSender();
  await delivery.run(sender, 5 * SECOND);
  await delivery.add(newListing(other.user, other.chat, "9000"));
  const writtenAt = delivery.clock.now();
  await delivery.run(sender, MINUTE);
  const message = arrived().find(({ chatId }) => chatId === other.chat);
  expect((message?.at ?? Number.POSITIVE_INFINITY) - writtenAt).toBeLessThanOrEqual(SECOND);
});

test("G19 a refused token stops everything, loses nothing and counts no try; once it is good the backlog flows", async () => {
  const { user, chat } = await delivery.person("private");
  await delivery.add(...countTo(3).map((number) => numberedAlert(user, chat, number)));
  delivery.telegram.isTokenRevoked = true;
  const sender = await delivery.startSender();
  await delivery.run(sender, 10 * MINUTE);
  expect(await sql`select distinct state, attempts from watch.alerts`).toEqual([
    { state: "pending", attempts: 0 },
  ]);
  // One send found it out; nothing was tried after that.
  expect(delivery.outcomes).toEqual(["refused-us"]);
  expect(delivery.log.filter((line) => line.includes("does not accept"))).toHaveLength(1);
  delivery.telegram.isTokenRevoked = false;
  await delivery.run(sender, MINUTE + 10 * SECOND);
  expect(judge(delivery.telegram, 3)).toEqual({ lost: 0, duplicates: 0, outOfOrder: 0 });
});

test("G18 a 429 on getMe keeps a stopped sender waiting, no more", async () => {
  const { user, chat } = await delivery.person("private");
  await delivery.add(newListing(user, chat, "1"));
  delivery.telegram.faults.set({ kind: "error", errorCode: 401, method: "sendMessage" });
  delivery.telegram.faults.set({ kind: "error", errorCode: 429, retryAfter: 5, method: "getMe", times: 2 });
  const sender = await delivery.startSender();
  await delivery.run(sender, 61 * SECOND);
  expect(arrived()).toEqual([]);
  await delivery.run(sender, MINUTE);
  expect(arrived()).toHaveLength(1);
});

test("G17 a group that became a supergroup gets its alerts at once, in order, under its new id, known before or not", async () => {
  const { user, chat } = await delivery.person("group");
  await delivery.add(numberedAlert(user, chat, 0));
  const sender = await delivery.startSender();
  await delivery.run(sender);
  const upgraded = upgradeGroup(delivery.telegram, chat);
  await sql`insert into watch.chats (chat_id, kind) values (${upgraded.id}, 'supergroup')`;
  await delivery.add(numberedAlert(user, chat, 1), numberedAlert(user, chat, 2));
  await delivery.run(sender, 5 * SECOND);
  expect(arrived().map(({ chatId }) => chatId)).toEqual([chat, upgraded.id, upgraded.id]);
  expect(await sql`select receiver_ids[1] as id from public.filter_settings`).toEqual([
    { id: String(upgraded.id) },
  ]);
  expect(await delivery.states()).toEqual(["3 sent"]);
});

test("G17 a group whose supergroup is connected too gets each home once, also if it is upgraded in a burst", async () => {
  const { user, chats } = await delivery.person("group", "supergroup");
  const [group = 0, supergroup = 0] = chats;
  const both = (number: number) => [group, supergroup].map((chat) => numberedAlert(user, chat, number));
  await delivery.add(...countTo(6).flatMap(both));
  delivery.telegram.faults.set({ kind: "error", errorCode: 429, retryAfter: 20, chatId: supergroup });
  const sender = await delivery.startSender();
  await delivery.run(sender, 2 * SECOND);
  Object.assign(requireChatById(delivery.telegram, group), { standing: "migrated", migratedTo: supergroup });
  await delivery.run(sender, 5 * MINUTE);
  const numbers = delivery.textsIn(supergroup).map((text) => Number(/número (\d)/.exec(text)?.[1]));
  expect(numbers).toEqual(countTo(6));
});

test("a message of the old group is nobody's answer in the new one", async () => {
  const { user, chat } = await delivery.person("group");
  await delivery.add(newListing(user, chat, "7"));
  const sender = await delivery.startSender();
  await delivery.run(sender);
  upgradeGroup(delivery.telegram, chat);
  const listing = listingOf("7", { priceEur: 1100 });
  await delivery.add({
    userId: user,
    chatId: chat,
    kind: "price-drop",
    payload: { listing, formerPriceEur: 1250, dropPercent: 12 },
  });
  await delivery.run(sender, 5 * SECOND);
  expect(arrived().at(-1)).toMatchObject({ replyTo: undefined });
});

test("P18 an alert that cannot be put into words blocks neither its chat nor others, and is given up after an hour", async () => {
  const { user, chat } = await delivery.person("private");
  await delivery.add(
    { userId: user, chatId: chat, kind: "new", payload: {} as never },
    numberedAlert(user, chat, 1),
  );
  const sender = await delivery.startSender();
  await delivery.run(sender, MINUTE);
  expect(judge(delivery.telegram, 1)).toMatchObject({ lost: 0, duplicates: 0 });
  expect(await delivery.states()).toEqual(["1 pending", "1 sent"]);
  await delivery.run(sender, 26 * HOUR);
  expect(await delivery.states()).toEqual(["1 sent", "1 undeliverable"]);
});

test("RUN-09 an alert that Telegram's server fails on lets the later ones of its chat pass after three tries, in order", async () => {
  const { user, chat } = await delivery.person("private");
  await delivery.add(...countTo(6).map((number) => numberedAlert(user, chat, number)));
  const sender = await delivery.startSender();
  const fault = { errorCode: 500, description: "Internal Server Error" };
  delivery.telegram.faults.set({ kind: "error", ...fault, text: "número 0.", forMs: 48 * HOUR });
  await delivery.run(sender, 2 * MINUTE);
  expect(judge(delivery.telegram, 6)).toMatchObject({ lost: 1, duplicates: 0, outOfOrder: 0 });
  expect(await delivery.states()).toEqual(["1 pending", "5 sent"]);
  await delivery.run(sender, 26 * HOUR);
  expect(await delivery.states()).toEqual(["1 expired", "5 sent"]);
});

test("COVER-01 what a group that is closed to posts for days missed is summed up when it is open again", async () => {
  const { user, chat } = await delivery.person("supergroup");
  const fault = { errorCode: 400, description: "Bad Request: TOPIC_CLOSED" };
  delivery.telegram.faults.set({ kind: "error", ...fault, chatId: chat, forMs: 72 * HOUR });
  const sender = await delivery.startSender();
  for (let number = 1; number <= 6; number++) {
    await delivery.add(numberedAlert(user, chat, number));
    await delivery.run(sender, 11 * HOUR);
  }
  expect((await delivery.states()).join()).not.toContain("expired");
  await delivery.run(sender, 24 * HOUR);
  expect((await delivery.states()).join()).not.toContain("pending");
  expect((await delivery.states()).join()).not.toContain("expired");
  // In the chat, and in fewer messages than homes.
  expect(await sql`select from watch.alerts where message_id is null`).toEqual([]);
  const [summary = "", ...others] = delivery.textsIn(chat);
  expect(others.length).toBeLessThan(3);
  // It has no quiet hours.
  expect(summary).toMatch(/^🏮 \d alerts in one message/);
});

test("a chat that fails for a day has its alerts expired and shown as such; between tries it is left alone", async () => {
  const { user, chat } = await delivery.person("private");
  await delivery.add(...countTo(3).map((number) => numberedAlert(user, chat, number)));
  const fault = { errorCode: 403, description: "Forbidden: something new" };
  delivery.telegram.faults.set({ kind: "error", ...fault, chatId: chat, forMs: 48 * HOUR });
  const sender = await delivery.startSender();
  await delivery.run(sender, 23 * HOUR);
  expect(await delivery.states()).toEqual(["3 pending"]);
  await delivery.run(sender, 3 * HOUR);
  expect(await delivery.states()).toEqual(["3 expired"]);
  const tries = delivery.telegram.ledger.calls.sendMessage ?? 0;
  expect(tries).toBeGreaterThan(20);
  expect(tries).toBeLessThan(40);
});

test("LAST-02 a chat that comes back gets everything, in order, after few sends that might have been copies", async () => {
  const { user, chat } = await delivery.person("group");
  await delivery.add(...countTo(5).map((number) => numberedAlert(user, chat, number)));
  delivery.telegram.faults.set({ kind: "reset", chatId: chat, forMs: 10 * MINUTE });
  await delivery.run(await delivery.startSender(), 12 * MINUTE);
  expect(judge(delivery.telegram, 5)).toEqual({ lost: 0, duplicates: 0, outOfOrder: 0 });
  expect(delivery.outcomes.filter((type) => type === "unknown")).toHaveLength(3);
});

test("G12 a blocked chat gets nothing more, and what waits there is undeliverable for everyone", async () => {
  const { user, chat } = await delivery.person("private");
  const [other = ""] = await connectPeople(sql, [{ chats: [{ id: chat, kind: "private" }] }]);
  changeStanding(delivery.telegram, chat, { standing: "blocked" });
  await delivery.add(
    numberedAlert(user, chat, 1),
    numberedAlert(user, chat, 2),
    numberedAlert(other, chat, 3),
  );
  await delivery.run(await delivery.startSender(), HOUR);
  expect(delivery.telegram.ledger.calls.sendMessage).toBe(1);
  expect(await delivery.states()).toEqual(["3 undeliverable"]);
  expect(await sql`select distinct state from public.chats`).toEqual([{ state: "blocked" }]);
});

test("an alert that a dead sender held is sent when its lease ends, and counted as perhaps told twice", async () => {
  const { user, chat } = await delivery.person("private");
  await delivery.add(numberedAlert(user, chat, 0), numberedAlert(user, chat, 1));
  await sql`
    update watch.alerts set state = 'sending', lease_by = gen_random_uuid(), attempts = 1,
      lease_until = ${new Date(delivery.clock.now() + 30 * SECOND)} where listing_id = '0'`;
  const sender = await delivery.startSender();
  await delivery.run(sender, 29 * SECOND);
  expect(arrived()).toEqual([]);
  await delivery.run(sender, 10 * SECOND);
  expect(judge(delivery.telegram, 2)).toEqual({ lost: 0, duplicates: 0, outOfOrder: 0 });
  expect(await sql`select listing_id from watch.alerts where is_ambiguous`).toEqual([{ listing_id: "0" }]);
});

test("an outcome that comes after the lease was taken by another changes nothing", async () => {
  const { user, chat } = await delivery.person("private");
  await delivery.add(numberedAlert(user, chat, 1));
  const sender = await delivery.startSender({
    ...delivery.channel(),
    send: async () => {
      await sql`update watch.alerts set lease_by = gen_random_uuid()`;
      return { type: "sent", messageId: "1", includedCount: 1 };
    },
  });
  await delivery.run(sender);
  expect(await delivery.states()).toEqual(["1 sending"]);
});
