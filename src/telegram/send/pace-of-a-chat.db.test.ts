import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import { newListing } from "#test/delivery/delivery-fixture.ts";
import { judge, numberedAlert } from "#test/delivery/delivery-processes.ts";
import { type DeliveryRun, startDeliveryRun } from "#test/delivery/run-delivery.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import type { Channel } from "./channel.ts";
import { editMessages } from "./edit-messages.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const PATIENCE = { timeout: 60_000, interval: 20 };

let database: TestDatabase;
let sql: ReturnType<typeof openDatabase>;
let delivery: DeliveryRun;

beforeEach(async () => {
  database = await createTestDatabase();
  sql = openDatabase({ url: database.url, max: 4 });
  delivery = await startDeliveryRun({ sql, floodControl: { chatCounting: "window" } });
});

afterEach(async () => {
  await delivery.close();
  // Without a timeout the driver waits for connections that the server has closed.
  await sql.end({ timeout: 1 });
  await database.drop();
});

const countTo = (count: number) => Array.from({ length: count }, (_, index) => index);
/** The real channel, with a database outage between Telegram's answer and its recording. */
function answersIntoAnOutage(): Channel {
  const real = delivery.channel();
  return {
    ...real,
    send: async (message) => {
      const outcome = await real.send(message);
      await database.shut();
      return outcome;
    },
  };
}

const retriesOf = (log: readonly string[]) =>
  log.filter((line) => line.includes("could not record an outcome")).length;

/** Lets this many writes fail, then ends the outage and waits for the dispatcher. */
async function runThroughOutage(running: Promise<void>, times: number): Promise<void> {
  for (let tries = 1; tries <= times; tries += 1) {
    await vi.waitFor(() => expect(retriesOf(delivery.log)).toBeGreaterThanOrEqual(tries), PATIENCE);
    delivery.clock.advance(SECOND / 2);
  }
  await database.reopen();
  let hasEnded = false;
  const ended = running.finally(() => {
    hasEnded = true;
  });
  await vi.waitFor(() => {
    if (!hasEnded) delivery.clock.advance(SECOND / 2);
    expect(hasEnded).toBe(true);
  }, PATIENCE);
  await ended;
}

test("DOOR-14 a single 500 from Telegram during a database outage counts as one failure of the chat", async () => {
  const { user, chat } = await delivery.person("private");
  await delivery.add(numberedAlert(user, chat, 0));
  delivery.telegram.faults.set({ kind: "error", errorCode: 500, chatId: chat });
  const sender = await delivery.startSender(answersIntoAnOutage());
  const begun = delivery.clock.now();
  await runThroughOutage(delivery.run(sender), 8);
  const [pace] = await database.sql`
    select failures, paused_until - to_timestamp(${begun / 1000}) < interval '4 seconds' as is_short from watch.chat_paces`;
  expect(pace).toEqual({ failures: 1, is_short: true });
  expect(await database.sql`select state, attempts from watch.alerts`).toEqual([
    { state: "pending", attempts: 1 },
  ]);
});

test("120 alerts for one chat cause no 429, even if Telegram allows only five in any five seconds", async () => {
  const { user, chat } = await delivery.person("private");
  await delivery.add(...countTo(120).map((number) => numberedAlert(user, chat, number)));
  await delivery.run(await delivery.startSender(), 5 * MINUTE);
  expect(judge(delivery.telegram, 120)).toEqual({ lost: 0, duplicates: 0, outOfOrder: 0 });
  expect(delivery.telegram.ledger.refused).toEqual([]);
});

test("DOOR-14 a single 429 from Telegram during a database outage slows the chat down by one step", async () => {
  const { user, chat } = await delivery.person("private");
  await delivery.add(numberedAlert(user, chat, 0));
  delivery.telegram.faults.set({ kind: "error", errorCode: 429, retryAfter: 600, chatId: chat });
  const sender = await delivery.startSender(answersIntoAnOutage());
  await runThroughOutage(delivery.run(sender), 3);
  expect(await delivery.states()).toEqual(["1 pending"]);
  expect(await database.sql`select slowdown, failures from watch.chat_paces`).toEqual([
    { slowdown: 1, failures: 0 },
  ]);
});

test("after a 429 the gap between messages grows, also for the next sender, and shrinks again later", async () => {
  const { user, chat } = await delivery.person("private");
  const gaps = async (first: number, ms: number) => {
    await delivery.add(...countTo(6).map((number) => numberedAlert(user, chat, first + number)));
    const before = delivery.telegram.ledger.accepted.length;
    await delivery.run(await delivery.startSender(), ms);
    const times = delivery.telegram.ledger.accepted.slice(before).map(({ at }) => at);
    expect(times).toHaveLength(6);
    return times.slice(1).map((at, index) => at - (times[index] ?? 0));
  };
  const usual = await gaps(0, MINUTE);
  expect(Math.min(...usual)).toBe(0);
  delivery.telegram.faults.set({ kind: "error", errorCode: 429, retryAfter: 2, chatId: chat });
  const mean = (5_100 * 5) / 4 / 5;
  expect(Math.min(...(await gaps(10, MINUTE)))).toBeGreaterThan(mean);
  expect(Math.min(...(await gaps(20, 10 * MINUTE)))).toBeGreaterThan(mean);
  expect(await gaps(30, MINUTE)).toEqual(usual);
  expect(delivery.telegram.ledger.refused).toHaveLength(1);
});

test("G30 thirty listings for one group: twenty a minute at most, in order, none lost, also over a restart", async () => {
  const { user, chat } = await delivery.person("supergroup");
  await delivery.add(...countTo(30).map((number) => numberedAlert(user, chat, number)));
  await delivery.run(await delivery.startSender(), 30 * SECOND);
  expect(delivery.telegram.ledger.accepted).toHaveLength(18);
  await delivery.run(await delivery.startSender(), 3 * MINUTE);
  expect(judge(delivery.telegram, 30)).toEqual({ lost: 0, duplicates: 0, outOfOrder: 0 });
  expect(delivery.telegram.ledger.refused).toEqual([]);
});

test("LAST-01 a picture that Telegram twice asks to wait for is left out", async () => {
  const { user, chat } = await delivery.person("private");
  const fault = { errorCode: 403, description: "Forbidden: try later", retryAfter: 7200 };
  delivery.telegram.faults.set({
    kind: "error",
    ...fault,
    chatId: chat,
    method: "sendPhoto",
    forMs: 72 * HOUR,
  });
  const sender = await delivery.startSender();
  await delivery.add({ ...newListing(user, chat, "1", { pictureUrl: "https://img.example.com/1.jpg" }) });
  await delivery.run(sender, 3 * HOUR);
  expect(await delivery.states()).toEqual(["1 pending"]);
  await delivery.run(sender, 2 * HOUR);
  expect(await delivery.states()).toEqual(["1 sent"]);
});

test("LAST-03 an edit that was told to wait a day ago does not make the chat's next message wait longer", async () => {
  const { user, chat } = await delivery.person("private");
  const sender = await delivery.startSender();
  await delivery.add(newListing(user, chat, "1"));
  await delivery.run(sender, 10 * SECOND);
  await sql`update watch.alerts set edit_due_at = ${new Date(delivery.clock.now())}`;
  delivery.telegram.faults.set({ kind: "error", errorCode: 429, retryAfter: 3, method: "editMessageText" });
  const { signal } = new AbortController();
  await editMessages({
    ...{ sql, signal, now: delivery.clock.now },
    edit: (message, due) => sender.editAside(message, due),
  });
  expect(delivery.telegram.ledger.refused).toHaveLength(1);
  await delivery.run(sender, 25 * HOUR);
  delivery.telegram.faults.set({ kind: "error", errorCode: 429, retryAfter: 5 });
  await delivery.add(newListing(user, chat, "2"));
  await delivery.run(sender, 30 * SECOND);
  expect(delivery.textsIn(chat)).toHaveLength(2);
});
