import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { numberedAlert } from "#test/delivery/delivery-processes.ts";
import { type OwnDelivery, startOwnDelivery } from "#test/delivery/run-delivery.ts";
import { claimAlerts } from "./claim-alerts.ts";
import { alertTexts } from "./render/alert-texts.ts";

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

test("a muted chat gets nothing for eight hours, then one message with all held alerts, each marked as sent", async () => {
  const { user, chat } = await delivery.person("private");
  await sql`update watch.chats set muted_until = ${new Date(delivery.clock.now() + 8 * HOUR)}`;
  const sender = await delivery.startSender();
  for (const number of countTo(5)) {
    await delivery.add(numberedAlert(user, chat, number));
    await delivery.run(sender, HOUR);
  }
  await delivery.add({ userId: user, chatId: chat, kind: "test", payload: {} });
  await delivery.run(sender, MINUTE);
  expect(delivery.textsIn(chat)).toEqual([expect.stringContaining(alertTexts("en")("test"))]);
  await delivery.run(sender, 4 * HOUR);
  const [, summary] = delivery.textsIn(chat);
  expect(delivery.textsIn(chat)).toHaveLength(2);
  for (const number of countTo(5)) expect(summary).toContain(`número ${number}.`);
  expect(await delivery.states()).toEqual(["4 merged", "2 sent"]);
});

test("quiet hours hold only that user's alerts, and a single held alert is sent as a normal one", async () => {
  const [quiet, awake] = [await delivery.person("private"), await delivery.person("private")];
  const wall = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Madrid", timeStyle: "medium" });
  const from = wall.format(delivery.clock.now() - MINUTE);
  const until = wall.format(delivery.clock.now() + 2 * HOUR);
  await sql`update public.filter_settings set quiet_from = ${from}, quiet_until = ${until} where user_id = ${quiet.user}`;
  await delivery.add(numberedAlert(quiet.user, quiet.chat, 1), numberedAlert(awake.user, awake.chat, 2));
  const sender = await delivery.startSender();
  await delivery.run(sender, HOUR);
  expect(arrived().map(({ chatId }) => chatId)).toEqual([awake.chat]);
  await delivery.run(sender, HOUR + MINUTE);
  expect(delivery.textsIn(quiet.chat)).toEqual([expect.stringMatching(/^🏮 New in/)]);
});

test("after quiet hours are switched off, held alerts are sent within a minute", async () => {
  const { user, chat } = await delivery.person("private");
  await sql`update watch.chats set muted_until = ${new Date(delivery.clock.now() + 8 * HOUR)}`;
  await delivery.add(numberedAlert(user, chat, 1), numberedAlert(user, chat, 2));
  const sender = await delivery.startSender();
  await delivery.run(sender, MINUTE);
  await sql`update watch.chats set muted_until = null`;
  await delivery.run(sender, MINUTE);
  expect(delivery.textsIn(chat)).toEqual([expect.stringContaining("🌙 2 alerts")]);
});

test("LAST-06 the sender never claims without pause, whatever the end of quiet hours is taken for", async () => {
  const { user, chat } = await delivery.person("private");
  await delivery.add(numberedAlert(user, chat, 1));
  const nowMs = delivery.clock.now();
  await sql`update watch.chats set muted_until = ${new Date(nowMs + 1)}`;
  const options = { sql, nowMs, leaseBy: randomUUID(), leaseMs: SECOND };
  const { waiting } = await claimAlerts([[{ chatId: String(chat), userId: user }]], options);
  expect(waiting.map(({ nextMs }) => nextMs)).toEqual([nowMs + SECOND]);
});

test("LAST-01 alerts that wait for the end of a mute outlive a day in which their chat fails", async () => {
  const { user, chat } = await delivery.person("private");
  const [saved] = await sql`
    insert into public.searches (user_id, filter_url, receiver_ids, name)
    select user_id, replace(filter_url, '1500', '1600'), receiver_ids, 'Sea' from public.searches where user_id = ${user}
    returning id, (select id from public.searches where user_id = ${user}) as first`;
  const [muted, loud] = [String(saved?.id), String(saved?.first)];
  const until = new Date(delivery.clock.now() + 40 * HOUR);
  await sql`
    insert into watch.search_chats (search_id, chat_id, muted_until) values (${muted}, ${chat}, ${until})`;
  const sender = await delivery.startSender();
  await delivery.add({ ...numberedAlert(user, chat, 1), searchIds: [muted] });
  const fault = { kind: "error", errorCode: 403, description: "Forbidden: something new" } as const;
  delivery.telegram.faults.set({ ...fault, chatId: chat, forMs: 30 * HOUR });
  for (const number of [2, 3, 4]) {
    await delivery.add({ ...numberedAlert(user, chat, number), searchIds: [loud] });
    await delivery.run(sender, 10 * HOUR);
  }
  await delivery.run(sender, 24 * HOUR);
  expect(delivery.textsIn(chat).join()).toContain("número 1.");
});

test("LAST-02 an alert that joins a summary which was not answered has as many sends of its own", async () => {
  const { user, chat } = await delivery.person("private");
  await sql`update watch.chats set muted_until = ${new Date(delivery.clock.now() + HOUR)}`;
  const sender = await delivery.startSender();
  await delivery.add(numberedAlert(user, chat, 1), numberedAlert(user, chat, 2));
  await delivery.run(sender, HOUR - MINUTE);
  delivery.telegram.faults.set({ kind: "reset", method: "sendMessage", chatId: chat, times: 4 });
  await delivery.run(sender, 5 * MINUTE);
  await delivery.add(numberedAlert(user, chat, 3), numberedAlert(user, chat, 4));
  await delivery.run(sender, 30 * HOUR);
  const ended =
    await sql`select listing_id as code, unanswered from watch.alerts where failure = 'unanswered'`;
  // The last send is not counted any more.
  expect(ended.filter(({ unanswered }) => unanswered < 2)).toEqual([]);
  for (const number of [3, 4]) expect(delivery.textsIn(chat).join()).toContain(`número ${number}.`);
});

test("two hundred held alerts are sent as a few messages, none too long, none missing", async () => {
  const { user, chat } = await delivery.person("private");
  await sql`update watch.chats set muted_until = ${new Date(delivery.clock.now() + HOUR)}`;
  await delivery.add(...countTo(200).map((number) => numberedAlert(user, chat, number)));
  await delivery.run(await delivery.startSender(), 2 * HOUR);
  const texts = delivery.textsIn(chat);
  const told = texts.flatMap((text) =>
    [...text.matchAll(/número (\d+)\./g)].map(([, number]) => Number(number)),
  );
  expect(told).toEqual(countTo(200));
  expect(texts.length).toBeLessThan(12);
  expect(delivery.telegram.ledger.refused).toEqual([]);
});

test("P18 a held alert that cannot be rendered does not stop the others", async () => {
  const { user, chat } = await delivery.person("private");
  await sql`update watch.chats set muted_until = ${new Date(delivery.clock.now() + HOUR)}`;
  const unreadable = { userId: user, chatId: chat, kind: "new", payload: { listing: {} as never } } as const;
  await delivery.add(numberedAlert(user, chat, 0), unreadable, numberedAlert(user, chat, 2));
  await delivery.run(await delivery.startSender(), 2 * HOUR);
  expect(delivery.textsIn(chat).map((text) => /número (\d)/.exec(text)?.[1])).toEqual(["0", "2"]);
  expect(await delivery.states()).toEqual(["1 pending", "2 sent"]);
});
