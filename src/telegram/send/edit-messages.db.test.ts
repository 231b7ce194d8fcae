import { afterAll, expect, test } from "vitest";
import { requireChatById } from "#simulators/telegram/phone/create.ts";
import { codesOf, found, mutesOf, namesOf, startTwoSearches } from "#test/delivery/two-searches.ts";
import type { Channel } from "./channel.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { editMessages } from "./edit-messages.ts";
import { alertTexts } from "./render/alert-texts.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const PICTURE = "https://img.example.com/1.jpg";

const { sql, delivery, personWithTwo, joins, messagesIn, close } = await startTwoSearches();
afterAll(close);

const edits = () => {
  const { editMessageText = 0, editMessageCaption = 0 } = delivery.telegram.ledger.calls;
  return editMessageText + editMessageCaption;
};
const dueEdits = async ({ user }: { user: string }) =>
  (await sql`select from watch.alerts where user_id = ${user} and edit_due_at is not null`).length;

const { signal: never } = new AbortController();

/** Does what the sending process does every few seconds. */
async function edit(sender: Dispatcher, ms = 0, signal = never) {
  const end = delivery.clock.now() + ms;
  for (;;) {
    await editMessages({
      sql,
      signal,
      now: delivery.clock.now,
      edit: (message, due) => sender.editAside(message, due),
    });
    if (delivery.clock.now() >= end || signal.aborted) return;
    delivery.clock.advance(5 * SECOND);
  }
}

test("MANY-02 a search that matches later is added to the message: in a text, in a caption, and in a text whose picture failed", async () => {
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
  expect(after.map((message) => [namesOf(message)?.endsWith(" · Sea"), mutesOf(message).length])).toEqual(
    Array(3).fill([true, 2]),
  );
  expect(await dueEdits(two)).toBe(0);
  // Telegram refuses an edit without changes, which counts as done.
  await sql`update watch.alerts set edit_due_at = ${new Date(delivery.clock.now())} where listing_id = ${alerts[0]?.code ?? ""}`;
  const count = edits();
  await edit(sender, 5 * MINUTE);
  expect([edits() - count, await dueEdits(two)]).toEqual([1, 0]);
});

test("MANY-02 a failing edit is retried a few times and delays nothing; an impossible one is not retried", async () => {
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

test("LAST-01 an edit that is refused in unknown words takes nothing from the message, and is tried again", async () => {
  const two = await personWithTwo("private");
  const sender = await delivery.startSender();
  const alert = found(two, [two.first]);
  await delivery.add(alert);
  await delivery.run(sender, 10 * SECOND);
  const buttons = () => messagesIn(two.chat)[0]?.reply_markup?.inline_keyboard.flat().length ?? 0;
  const before = buttons();
  await joins(alert, two.second);
  const refused = { kind: "error", method: "editMessageText", chatId: two.chat, errorCode: 400 } as const;
  for (const words of ["something new", "BUTTON_NEW_INVALID", "IMAGE_PROCESS_FAILED"]) {
    delivery.telegram.faults.set({ ...refused, description: `Bad Request: ${words}` });
  }
  await edit(sender, 30 * SECOND);
  expect([buttons(), messagesIn(two.chat).map(namesOf)[0]?.endsWith(" · Sea")]).toEqual([before, false]);
  await edit(sender, 10 * MINUTE);
  expect(buttons()).toBeGreaterThan(before);
  expect(messagesIn(two.chat).map(namesOf)[0]).toMatch(/ · Sea$/);
});

test("MANY-02 a running edit delays no alert, and none starts while an alert waits for a slot", async () => {
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
  expect(messagesIn(two.chat).map(namesOf)[0]).toMatch(/ · Sea$/);

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

test("MANY-02 edits stop with the sender, and wait while Telegram refuses the token", async () => {
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

test("SERV-06 no message is edited while the operator has paused sending", async () => {
  const two = await personWithTwo("private");
  const sender = await delivery.startSender();
  const alert = found(two, [two.first]);
  await delivery.add(alert);
  await delivery.run(sender, 5 * SECOND);
  await joins(alert, two.second);
  const count = edits();
  await sql`insert into watch.pause default values`;
  await edit(sender, MINUTE);
  expect([edits() - count, await dueEdits(two)]).toEqual([0, 1]);
  await sql`delete from watch.pause`;
  await edit(sender, 10 * SECOND);
  expect([edits() - count, await dueEdits(two)]).toEqual([1, 0]);
});

test("MANY-02 FIND-01 an edit keeps the user's mark; in a group the private mark is not shown", async () => {
  const sender = await delivery.startSender();
  const sort = async (kind: "private" | "supergroup") => {
    const two = await personWithTwo(kind);
    const sorted = (["hidden", "kept"] as const).map((mark) => ({ mark, alert: found(two, [two.first]) }));
    await delivery.add(...sorted.map(({ alert }) => alert));
    await delivery.run(sender, 5 * SECOND);
    for (const { mark, alert } of sorted) {
      await sql`insert into public.marks (user_id, listing_id, mark) values (${two.user}, ${alert.code}, ${mark})`;
      await joins(alert, two.second);
    }
    const count = edits();
    await edit(sender, MINUTE);
    expect(await dueEdits(two)).toBe(0);
    return { edited: edits() - count, messages: messagesIn(two.chat) };
  };
  const group = await sort("supergroup");
  expect(group.edited).toBe(2);
  for (const message of group.messages) {
    const words = message.reply_markup?.inline_keyboard.flat().map(({ text }) => text);
    expect(words).toEqual(expect.arrayContaining([alertTexts("en")("hide"), alertTexts("en")("keep")]));
  }
  const { edited, messages } = await sort("private");
  expect([edited, messages[0]?.text]).toEqual([2, expect.stringMatching(/^🙈 Hidden: [^\n]*$/)]);
  const buttons = messages.map(({ reply_markup }) =>
    reply_markup?.inline_keyboard.flat().map(({ text }) => text),
  );
  expect(buttons[0]).toEqual(["✓ Hidden · Undo"]);
  expect(buttons[1]).toContain("✓ Kept · Undo");
  expect(buttons[1]).not.toContain("Keep");
});

test("MANY-02 a summary is edited once for all its news; if the names do not fit, it stays as it is", async () => {
  const [few, many] = [await personWithTwo("private"), await personWithTwo("private")];
  await sql`
    update watch.chats set muted_until = ${new Date(delivery.clock.now() + MINUTE)} where chat_id in (${few.chat}, ${many.chat})`;
  const pair = [found(few, [few.first]), found(few, [few.first])];
  const crowd = Array.from({ length: 60 }, () => found(many, [many.first]));
  await delivery.add(...pair, ...crowd);
  const sender = await delivery.startSender();
  await delivery.run(sender, 5 * MINUTE);
  await sql`insert into public.marks (user_id, listing_id, mark) values (${few.user}, ${pair[0]?.code ?? ""}, 'kept')`;
  await sql`update public.searches set name = 'By the sea, with a garden and a view' where user_id = ${many.user}`;
  const told = crowd.map(({ code }) => code);
  expect(messagesIn(many.chat).flatMap(codesOf)).toEqual(told);
  for (const alert of pair) await joins(alert, few.second);
  for (const alert of crowd) await joins(alert, many.second);
  await edit(sender, 5 * MINUTE);
  const [summary] = messagesIn(few.chat);
  expect(summary?.text?.match(/ · Sea$/gm)).toHaveLength(2);
  expect(messagesIn(many.chat).flatMap(codesOf)).toEqual(told);
  expect([await dueEdits(few), await dueEdits(many)]).toEqual([0, 0]);
});
