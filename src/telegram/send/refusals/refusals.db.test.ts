import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fault } from "#simulators/telegram/faults.ts";
import { requireChatById } from "#simulators/telegram/phone/create.ts";
import { listingOf, newListing } from "#test/delivery/delivery-fixture.ts";
import { judge, numberedAlert } from "#test/delivery/delivery-processes.ts";
import { type OwnDelivery, startOwnDelivery } from "#test/delivery/run-delivery.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let sql: OwnDelivery["sql"];
let delivery: OwnDelivery;

beforeEach(async () => {
  delivery = await startOwnDelivery();
  sql = delivery.sql;
});

afterEach(() => delivery.close());

const arrived = () => delivery.telegram.ledger.accepted;
const countTo = (count: number) => Array.from({ length: count }, (_, index) => index);

test("G17 two groups that name each other as the new one are asked no more often than failing ones", async () => {
  const [{ user, chat }, other] = [await delivery.person("supergroup"), await delivery.person("supergroup")];
  await delivery.add(numberedAlert(user, chat, 0));
  const description = "Bad Request: group chat was upgraded to a supergroup chat";
  const moved = { kind: "error", errorCode: 400, description, forMs: 48 * HOUR } as const;
  delivery.telegram.faults.set({ ...moved, chatId: chat, migrateTo: other.chat });
  delivery.telegram.faults.set({ ...moved, chatId: other.chat, migrateTo: chat });
  await delivery.run(await delivery.startSender(), 26 * HOUR);
  expect(delivery.telegram.ledger.calls.sendMessage).toBeLessThan(50);
  expect(await delivery.states()).toEqual(["1 expired"]);
});

test("RUN-09 a 404 that one alert gets stops neither the bot nor its chat", async () => {
  const [one, other] = [await delivery.person("private"), await delivery.person("private")];
  const fault = { errorCode: 404, description: "Not Found: method not found" };
  delivery.telegram.faults.set({ kind: "error", ...fault, text: "número 0.", forMs: 48 * HOUR });
  await delivery.add(...countTo(3).map((number) => numberedAlert(one.user, one.chat, number)));
  await delivery.add(numberedAlert(other.user, other.chat, 3));
  const sender = await delivery.startSender();
  await delivery.run(sender, 10 * SECOND);
  expect(judge(delivery.telegram, 4)).toMatchObject({ lost: 1, duplicates: 0 });
  await delivery.run(sender, 26 * HOUR);
  expect(await delivery.states()).toEqual(["3 sent", "1 undeliverable"]);
});

test("RUN-09 an alert whose picture is refused and whose text meets a 429 each time is sent without the picture", async () => {
  const { user, chat } = await delivery.person("private");
  await delivery.add(newListing(user, chat, "1", { pictureUrl: "https://img.example.com/1.jpg" }));
  const refused = {
    kind: "error",
    errorCode: 400,
    description: "Bad Request: not now",
    method: "sendPhoto",
  } as const;
  delivery.telegram.faults.set({ ...refused, forMs: HOUR });
  delivery.telegram.faults.set({
    kind: "error",
    errorCode: 429,
    retryAfter: 1,
    method: "sendMessage",
    times: 3,
  });
  await delivery.run(await delivery.startSender(), MINUTE);
  expect(arrived().map(({ method }) => method)).toEqual(["sendMessage"]);
});

test("LAST-03 a chat that is only ever told to wait has its alerts expired and shown after a day", async () => {
  const { user, chat } = await delivery.person("private");
  await delivery.add(numberedAlert(user, chat, 1));
  delivery.telegram.faults.set({
    kind: "error",
    errorCode: 429,
    retryAfter: 7200,
    chatId: chat,
    forMs: 48 * HOUR,
  });
  await delivery.run(await delivery.startSender(), 27 * HOUR);
  expect(await delivery.states()).toEqual(["1 expired"]);
  expect(await sql`select failure from watch.alerts`).toEqual([{ failure: "expired" }]);
  expect(delivery.telegram.ledger.calls.sendMessage).toBeLessThan(16);
});

const NEW_WORDS = { kind: "error", errorCode: 400, description: "Bad Request: something new" } as const;
const REFUSALS: readonly Omit<Fault, "chatId">[] = [
  NEW_WORDS,
  { ...NEW_WORDS, errorCode: 403, description: "Forbidden: something new" },
  { ...NEW_WORDS, errorCode: 413, description: "Request Entity Too Large" },
  { ...NEW_WORDS, errorCode: 500, description: "Internal Server Error" },
];

test.each([
  ...["photo", "reply_markup", "parse_mode", "reply_parameters"],
  ...["message_thread_id", "disable_notification", "link_preview_options"],
])(
  "LAST-01 an alert arrives without its %s if Telegram refuses that in whatever words",
  async (parameter) => {
    const sender = await delivery.startSender();
    for (const refusal of REFUSALS) {
      const { user, chat } = await delivery.person("supergroup");
      requireChatById(delivery.telegram, chat).topics.set(7, "open");
      await delivery.add(numberedAlert(user, chat, 1));
      await delivery.run(sender, MINUTE);
      const [search] = await sql`select id from public.searches where user_id = ${user}`;
      await sql`insert into watch.search_chats (search_id, chat_id, topic_id) values (${search?.id}, ${chat}, 7)`;
      const listing = listingOf("1", { pictureUrl: "https://img.example.com/1.jpg" });
      const payload = { listing, formerPriceEur: 2000, dropPercent: 30 };
      await delivery.add({
        userId: user,
        chatId: chat,
        kind: "price-drop",
        payload,
        searchIds: [search?.id],
      });
      await sql`update watch.alerts set is_silent = true where state = 'pending'`;
      delivery.telegram.faults.set({ ...refusal, parameter, chatId: chat, forMs: 48 * HOUR });
      await delivery.run(sender, 2 * HOUR);
      expect([refusal.errorCode, delivery.textsIn(chat).length]).toEqual([refusal.errorCode, 2]);
      delivery.telegram.faults.clear();
    }
  },
);

test("LAST-01 after an hour in which Telegram takes no message of anybody, alerts arrive whole", async () => {
  const people = await Promise.all(countTo(5).map(() => delivery.person("private")));
  const pictureUrl = "https://img.example.com/1.jpg";
  await delivery.add(
    ...countTo(15).map((number) => {
      const { user, chat } = people[number % 5] ?? { user: "", chat: 0 };
      return newListing(user, chat, String(number), { pictureUrl });
    }),
  );
  const down = { kind: "error", errorCode: 502, description: "Bad Gateway", forMs: HOUR } as const;
  for (const method of ["sendMessage", "sendPhoto"]) delivery.telegram.faults.set({ ...down, method });
  await delivery.run(await delivery.startSender(), 3 * HOUR);
  expect(await delivery.states()).toEqual(["15 sent"]);
  expect(arrived().filter(({ method }) => method === "sendPhoto").length).toBeGreaterThan(10);
});

test("LAST-02 a sender that is replaced after every unanswered send makes three copies at most", async () => {
  const { user, chat } = await delivery.person("private");
  delivery.telegram.faults.set({ kind: "drop", chatId: chat, forMs: 48 * HOUR });
  await delivery.add(numberedAlert(user, chat, 1));
  for (let round = 0; round < 30; round += 1) {
    const sender = await delivery.startSender();
    await delivery.run(sender, 30 * MINUTE);
    await sender.close();
  }
  expect(arrived().length).toBeLessThanOrEqual(3);
  expect(await sql`select state, failure from watch.alerts`).toEqual([
    { state: "undeliverable", failure: "unanswered" },
  ]);
});

test("LAST-01 whatever one of a person's chats answers, the other gets everything at once and in order", async () => {
  const sender = await delivery.startSender();
  const broken: readonly Omit<Fault, "chatId">[] = [
    ...REFUSALS,
    ...([{ kind: "reset" }, { kind: "drop" }, { kind: "html", errorCode: 502 }, { kind: "not-ok" }] as const),
    { kind: "error", errorCode: 429, retryAfter: 3600 },
    { kind: "error", errorCode: 404, description: "Not Found" },
  ];
  for (const fault of broken) {
    const { user, chats } = await delivery.person("private", "supergroup");
    const [failing = 0, fine = 0] = chats;
    delivery.telegram.faults.set({ ...fault, chatId: failing, forMs: 48 * HOUR });
    const both = (number: number) => [failing, fine].map((chat) => numberedAlert(user, chat, number));
    await delivery.add(...countTo(5).flatMap(both));
    await delivery.run(sender, 30 * SECOND);
    const numbers = delivery.textsIn(fine).map((text) => Number(/número (\d)/.exec(text)?.[1]));
    expect([fault, numbers]).toEqual([fault, countTo(5)]);
    await delivery.run(sender, HOUR);
  }
});
