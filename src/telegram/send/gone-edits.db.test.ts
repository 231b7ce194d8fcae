import { afterAll, expect, test } from "vitest";
import type { Message } from "#simulators/telegram/model.ts";
import { codesOf, type Find, found, startTwoSearches } from "#test/delivery/two-searches.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { editMessages } from "./edit-messages.ts";
import { alertTexts } from "./render/alert-texts.ts";
import { scheduleGoneEdits } from "./rows/gone-edits.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const { signal } = new AbortController();
/** A minute passes in a story before the second advert ends. */
const GONE = /^🚪 Gone after 3[01] minutes/;

const { sql, delivery, personWithTwo, joins, messagesIn, close } = await startTwoSearches();
afterAll(close);

const now = () => delivery.clock.now();
const wordsIn = ({ text, caption }: Message) => text ?? caption ?? "";
const buttonsOf = ({ reply_markup }: Message) =>
  reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? [];

/** The home of the alert, as the watcher stores it. It was found half an hour ago. */
async function store(alert: Find, { home = alert.code, goneAt = null as Date | null } = {}): Promise<void> {
  const foundAt = new Date(now() - 30 * MINUTE);
  await sql`
    insert into watch.portal_listings (listing_id, home_id, listing, card, price_eur, first_seen_at, last_seen_at, gone_at)
    values (${alert.code}, ${home}, '{}', '{}', 1250, ${foundAt}, ${foundAt}, ${goneAt})
    on conflict (listing_id) do update set gone_at = excluded.gone_at`;
  await sql`select watch.settle_homes(array[${alert.code}])`;
  await sql`
    insert into public.listings (user_id, listing_id, created_at, details)
    values (${alert.userId}, ${alert.code}, ${foundAt}, '{}')
    on conflict (user_id, listing_id) do update set created_at = excluded.created_at`;
}

/** A source sees the home end. */
const end = (alert: Find, { home = alert.code } = {}) => store(alert, { home, goneAt: new Date(now()) });

/** Does what the sending process does every minute. */
async function edit(sender: Dispatcher, ms = 0): Promise<void> {
  await scheduleGoneEdits(sql, now());
  const until = now() + ms;
  for (;;) {
    await editMessages({
      sql,
      signal,
      now,
      edit: (message, due) => sender.editAside(message, due),
    });
    if (now() >= until) return;
    await delivery.run(sender, 5 * SECOND);
  }
}

const edits = () => {
  const { editMessageText = 0, editMessageCaption = 0 } = delivery.telegram.ledger.calls;
  return editMessageText + editMessageCaption;
};

test("CALM-09 the alert of a home that ended says so, in a text and a caption, and its message button too; back on offer, it is as before", async () => {
  const two = await personWithTwo("private");
  const sender = await delivery.startSender();
  const [plain, photo, offered] = [
    found(two, [two.first]),
    found(two, [two.first], { pictureUrl: "https://img.example.com/1.jpg" }),
    found(two, [two.first]),
  ];
  const all = [plain, photo, offered];
  await delivery.add(...all);
  await delivery.run(sender, 5 * SECOND);
  const before = messagesIn(two.chat);
  for (const alert of all) await store(alert);
  const count = edits();
  await edit(sender, MINUTE);
  expect(edits()).toBe(count);

  await end(plain);
  await end(photo);
  await edit(sender, MINUTE);
  const after = messagesIn(two.chat);
  expect(after.map(({ message_id }) => message_id)).toEqual(before.map(({ message_id }) => message_id));
  expect(after.map((message) => GONE.test(wordsIn(message)))).toEqual([true, true, false]);
  expect(wordsIn(after[0] as Message)).toMatch(GONE);
  expect(wordsIn(after[0] as Message)).not.toContain("Sereno saw");
  const texts = alertTexts("en");
  expect(after.map((message) => buttonsOf(message).includes(texts("messageGone")))).toEqual([
    true,
    true,
    false,
  ]);
  expect(buttonsOf(after[0] as Message)).not.toContain(texts("message"));
  expect(edits() - count).toBe(2);
  await edit(sender, 2 * HOUR);
  expect(edits() - count).toBe(2);

  await sql`
    update watch.portal_listings set gone_at = null, back_at = ${new Date(now())} where listing_id = ${plain.code}`;
  await edit(sender, MINUTE);
  expect(wordsIn(messagesIn(two.chat)[0] as Message)).toBe(wordsIn(before[0] as Message));
});

test("CALM-09 a home with another advert on offer has not ended; in a summary each home has its own end", async () => {
  const two = await personWithTwo("private");
  const sender = await delivery.startSender();
  const [former, latter] = [found(two, [two.first]), found(two, [two.first])];
  await delivery.add(former, latter);
  await delivery.run(sender, 5 * SECOND);
  await end(former, { home: former.code });
  await store(latter, { home: former.code });
  const isGone = () => messagesIn(two.chat).map((message) => GONE.test(wordsIn(message)));
  await edit(sender, MINUTE);
  expect(isGone()).toEqual([false, false]);
  await end(latter, { home: former.code });
  await edit(sender, MINUTE);
  expect(isGone()).toEqual([true, true]);

  const quiet = await personWithTwo("private");
  await sql`
    update watch.chats set muted_until = ${new Date(now() + MINUTE)} where chat_id = ${quiet.chat}`;
  const pair = [found(quiet, [quiet.first]), found(quiet, [quiet.first])] as const;
  await delivery.add(...pair);
  await delivery.run(sender, 5 * MINUTE);
  await store(pair[0]);
  await end(pair[1]);
  await edit(sender, MINUTE);
  const [summary] = messagesIn(quiet.chat);
  expect(summary && wordsIn(summary).match(/Gone after 30 minutes/g)).toHaveLength(1);
  expect(summary && codesOf(summary)).toEqual(pair.map(({ code }) => code));
});

test("CALM-09 edits of ended homes delay no alert and no other edit: they leave 25 of 30 slots and wait for what is due", async () => {
  const sender = await delivery.startSender();
  const people = await Promise.all(Array.from({ length: 25 }, () => personWithTwo("private")));
  const first = people.map((two) => found(two, [two.first]));
  await delivery.add(...first);
  await delivery.run(sender, 5 * SECOND);
  for (const alert of first) await end(alert);
  const [marked] = [first.at(-1) as Find];
  const count = edits();
  await scheduleGoneEdits(sql, now());
  await joins(marked, people.at(-1)?.second ?? "");
  await edit(sender);
  // The added search goes first, although its message has waited for less long.
  expect([edits() - count, messagesIn(Number(marked.chatId)).map(wordsIn)[0]]).toEqual([
    5,
    expect.stringContaining("Sea"),
  ]);

  // Twenty edits still wait. All alerts that come now are sent at once.
  const next = people.map((two) => found(two, [two.second]));
  await delivery.add(...next);
  await edit(sender);
  await delivery.run(sender);
  const sentTo = people.filter(({ chat }) => messagesIn(chat).length === 2);
  expect(sentTo).toHaveLength(25);
  expect(edits() - count).toBe(5);
  await edit(sender, 2 * MINUTE);
  expect(edits() - count).toBe(25);
});

test("CALM-09 an edit that was not possible within a day is dropped", async () => {
  const two = await personWithTwo("private");
  const sender = await delivery.startSender();
  const alert = found(two, [two.first]);
  await delivery.add(alert);
  await delivery.run(sender, 5 * SECOND);
  await end(alert);
  const count = edits();
  await sql`insert into watch.pause default values`;
  await edit(sender, MINUTE);
  delivery.clock.advance(24 * HOUR);
  await sql`delete from watch.pause`;
  await edit(sender, MINUTE);
  expect(edits()).toBe(count);
  const [row] = await sql`select edit_due_at, edit_until from watch.alerts where listing_id = ${alert.code}`;
  expect(row).toEqual({ edit_due_at: null, edit_until: null });
});
