import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import { addAlerts, connectPeople, newListing } from "#test/delivery/delivery-fixture.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { expirePausedAlerts, leaseAlerts, markSent, releaseAlerts } from "./alert-states.ts";
import { readNextAlerts } from "./outbox.ts";
import { findOpenRecipients } from "./recipients.ts";
import { forgetOldPaces, readPaces, readSender, savePaces, saveSender } from "./send-state.ts";

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 15, 10);

let database: TestDatabase;
let sql: ReturnType<typeof openDatabase>;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase({ url: database.url, max: 4 });
});

afterAll(async () => {
  await sql.end();
  await database.drop();
});

beforeEach(async () => {
  await sql`truncate watch.alerts, watch.chat_paces, watch.chats, public.chats, public.searches cascade`;
});

const chat = (id: number) => ({ id, kind: "private" as const });
const ids = async () =>
  (await sql`select id from watch.alerts order by position`).map(({ id }) => String(id));

test("the open recipients are all persons and chats with open alerts, each once", async () => {
  const [ana = "", bo = ""] = await connectPeople(sql, [{ chats: [chat(1), chat(2)] }, { chats: [chat(2)] }]);
  expect(await findOpenRecipients(sql)).toEqual([]);
  await addAlerts(sql, [
    ...["1", "2", "3"].flatMap((code) => [newListing(ana, 1, code), newListing(ana, 2, code)]),
    newListing(bo, 2, "9"),
    newListing(bo, 2, "10"),
  ]);
  await sql`update watch.alerts set state = 'sent' where chat_id = 1`;
  const recipients = (await findOpenRecipients(sql)).map(({ chatId, userId }) => [chatId, userId]);
  expect(recipients.toSorted()).toEqual(
    [
      ["2", ana],
      ["2", bo],
    ].toSorted(),
  );
});

test("an alert is leased by one sender, and only that sender can settle it", async () => {
  const [ana = ""] = await connectPeople(sql, [{ chats: [chat(1)] }]);
  await addAlerts(sql, [{ ...newListing(ana, 1, "1"), at: NOW }]);
  const [one, other] = [randomUUID(), randomUUID()];
  const lease = (leaseBy: string, nowMs: number) =>
    ids().then((all) => leaseAlerts(sql, { ids: all, leaseBy, nowMs, untilMs: nowMs + 60_000 }));
  expect([(await lease(one, NOW)).size, (await lease(other, NOW + 59_999)).size]).toEqual([1, 0]);
  expect((await lease(other, NOW + 60_000)).size).toBe(1);
  await markSent(sql, { ids: await ids(), leaseBy: one, messageId: "5", language: "en", nowMs: NOW });
  await releaseAlerts(sql, { ids: await ids(), leaseBy: one, error: "late", isTry: true });
  const row = sql`select state, attempts, is_ambiguous, last_error from watch.alerts`;
  expect(await row).toEqual([{ state: "sending", attempts: 2, is_ambiguous: true, last_error: null }]);
});

test("the next alert of a recipient is the first due one, or the time when one will be due", async () => {
  const [ana = ""] = await connectPeople(sql, [{ chats: [chat(1)] }]);
  await addAlerts(sql, [
    { ...newListing(ana, 1, "1"), at: NOW + HOUR },
    { ...newListing(ana, 1, "2"), at: NOW + 2 * HOUR },
  ]);
  const recipient = { chatId: "1", userId: ana };
  const [early] = await readNextAlerts(sql, [recipient], { nowMs: NOW });
  expect(early).toMatchObject({ recipient, alert: undefined, nextDueMs: NOW + HOUR, inFlightUntilMs: null });
  const [late] = await readNextAlerts(sql, [recipient], { nowMs: NOW + 3 * HOUR });
  expect(late?.alert?.id).toBe((await ids())[0]);
});

test("alerts expire after a day in a chat that is paused without an end, but not during a mute of eight hours", async () => {
  const [ana = ""] = await connectPeople(sql, [{ chats: [chat(1), chat(2)] }]);
  for (const id of [1, 2]) {
    await addAlerts(sql, [
      { ...newListing(ana, id, "old"), at: NOW - 25 * HOUR },
      { ...newListing(ana, id, "young"), at: NOW - HOUR },
    ]);
  }
  await sql`update watch.alerts set held_at = created_at`;
  await sql`update watch.chats set muted_until = 'infinity' where chat_id = 1`;
  await sql`update watch.chats set muted_until = ${new Date(NOW + HOUR)} where chat_id = 2`;
  await expirePausedAlerts(sql, NOW - 24 * HOUR);
  const expired =
    await sql`select chat_id::int as chat, listing_id from watch.alerts where state = 'expired'`;
  expect(expired).toEqual([{ chat: 1, listing_id: "old" }]);
});

test("paces and the sender's state are restored as written, and old paces are deleted", async () => {
  const pace = (chatId: string, lastMs: number) => ({
    ...{ chatId, recentMs: [lastMs, lastMs - 1000], pausedUntilMs: null, failingSinceMs: null },
    ...{ failures: 0, slowdown: 0, floodedAtMs: null },
  });
  const paces = [
    pace("1", NOW),
    { ...pace("2", NOW - 48 * HOUR), pausedUntilMs: NOW + HOUR },
    { ...pace("3", NOW - 48 * HOUR), failingSinceMs: NOW - HOUR, failures: 3 },
    pace("4", NOW - 48 * HOUR),
    { ...pace("5", NOW - 2 * HOUR), slowdown: 2, floodedAtMs: NOW - 2 * HOUR },
  ];
  await savePaces(sql, paces);
  await forgetOldPaces(sql, NOW);
  const known = await readPaces(sql, NOW);
  expect(known.toSorted((one, other) => Number(one.chatId) - Number(other.chatId))).toEqual(
    paces.filter(({ chatId }) => chatId !== "4"),
  );
  expect(await sql`select from watch.chat_paces`).toHaveLength(4);
  const state = {
    ...{
      pausedUntilMs: NOW,
      refusedSinceMs: null,
      lastSentMs: NOW - 5,
      slowdown: 1,
      floodedAtMs: NOW - HOUR,
    },
  };
  await saveSender(sql, state);
  expect(await readSender(sql)).toEqual(state);
});
