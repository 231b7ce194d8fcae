import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import {
  startTelegramSimulator,
  type TelegramSimulator,
} from "#simulators/telegram/start-telegram-simulator.ts";
import { addAlerts, connectPeople, newListing, openChat } from "#test/delivery/delivery-fixture.ts";
import { judge, numberedAlert } from "#test/delivery/delivery-processes.ts";
import { killSenders, restartSenders } from "#test/delivery/kill-and-compare.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { createDelivery, type Delivery } from "./create-delivery.ts";
import { createTelegramChannel } from "./create-telegram-channel.ts";

const PATIENT = { timeout: 60_000, interval: 20 };
const SITE_URL = "https://sereno.example";

let database: TestDatabase;
let telegram: TelegramSimulator;
const stops: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  telegram = await startTelegramSimulator();
});

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  await telegram.close();
  await database.drop();
});

function startDelivery(): Delivery & { readonly isSending: boolean } {
  const sql = openDatabase({ url: database.url, max: 4 });
  // After its connections were cut the driver may wait for an answer that never comes.
  stops.push(() => sql.end({ timeout: 1 }));
  const channel = createTelegramChannel({
    token: telegram.bot.token,
    apiRoot: telegram.url,
    siteUrl: SITE_URL,
  });
  const log: string[] = [];
  const write = (_: object, message: string) => void log.push(message);
  const logger = { info: write, warn: write, error: write };
  const delivery = createDelivery({ databaseUrl: database.url, sql, channel, logger, leaseMs: 5_000 });
  delivery.start();
  stops.push(() => delivery.stop());
  return {
    ...delivery,
    get isSending() {
      return log.includes("this process sends the alerts");
    },
  };
}

const states = async () =>
  (await database.sql`select state, count(*)::int as count from watch.alerts group by 1 order by 1`).map(
    ({ state, count }) => `${count} ${state}`,
  );

test("WATCH-03 what is written to the outbox arrives in each of the person's chats, and is marked", async () => {
  const chats = (["private", "group", "supergroup", "channel"] as const).map((kind) => ({
    id: openChat(telegram, kind),
    kind,
  }));
  const [user = ""] = await connectPeople(database.sql, [{ chats }]);
  const delivery = startDelivery();
  await vi.waitFor(() => expect(delivery.isSending).toBe(true), PATIENT);
  await addAlerts(
    database.sql,
    chats.map(({ id }) => newListing(user, id, "101")),
  );
  await vi.waitFor(async () => expect(await states()).toEqual(["4 sent"]), PATIENT);
  expect(telegram.ledger.accepted.map(({ chatId }) => chatId).toSorted()).toEqual(
    chats.map(({ id }) => id).toSorted(),
  );
  expect(telegram.ledger.accepted[0]?.text).toContain("New in Trafalgar, Chamberí");
});

test("G32 of two senders on one outbox one sends; when it stops the other takes over, and nothing is sent twice", async () => {
  const chats = Array.from({ length: 20 }, () => ({
    id: openChat(telegram, "private"),
    kind: "private" as const,
  }));
  const users = await connectPeople(
    database.sql,
    chats.map((chat) => ({ chats: [chat] })),
  );
  const [first, second] = [startDelivery(), startDelivery()];
  await vi.waitFor(
    () => expect([first.isSending, second.isSending].toSorted()).toEqual([false, true]),
    PATIENT,
  );
  const [active, idle] = first.isSending ? [first, second] : [second, first];
  const alerts = Array.from({ length: 60 }, (_, number) =>
    numberedAlert(users[number % 20] ?? "", chats[number % 20]?.id ?? 0, number),
  );
  await addAlerts(database.sql, alerts);
  await vi.waitFor(() => expect(telegram.ledger.accepted.length).toBeGreaterThan(5), PATIENT);
  await active.stop();
  await vi.waitFor(() => expect(idle.isSending).toBe(true), PATIENT);
  await vi.waitFor(async () => expect(await states()).toEqual(["60 sent"]), PATIENT);
  expect(judge(telegram, 60)).toEqual({ lost: 0, duplicates: 0, outOfOrder: 0 });
});

test("a sender that loses its connection to the lock stops, and takes it again", async () => {
  const chat = openChat(telegram, "private");
  const [user = ""] = await connectPeople(database.sql, [{ chats: [{ id: chat, kind: "private" }] }]);
  const delivery = startDelivery();
  await vi.waitFor(() => expect(delivery.isSending).toBe(true), PATIENT);
  const cut = () => database.sql`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;
  expect(await cut()).toHaveLength(1);
  await vi.waitFor(async () => expect(await cut()).toHaveLength(1), PATIENT);
  await addAlerts(database.sql, [numberedAlert(user, chat, 0)]);
  await vi.waitFor(async () => expect(await states()).toEqual(["1 sent"]), PATIENT);
});

test("P04 every connection cut in mid-flow: nothing is lost, and what was sent is still written down", {
  tags: "long",
}, async () => {
  const chats = Array.from({ length: 20 }, () => ({
    id: openChat(telegram, "private"),
    kind: "private" as const,
  }));
  const users = await connectPeople(
    database.sql,
    chats.map((chat) => ({ chats: [chat] })),
  );
  await addAlerts(
    database.sql,
    Array.from({ length: 60 }, (_, number) =>
      numberedAlert(users[number % 20] ?? "", chats[number % 20]?.id ?? 0, number),
    ),
  );
  startDelivery();
  await vi.waitFor(() => expect(telegram.ledger.accepted.length).toBeGreaterThan(10), PATIENT);
  await database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  await vi.waitFor(async () => expect(await states()).toEqual(["60 sent"]), { ...PATIENT, timeout: 60_000 });
  const { lost, duplicates } = judge(telegram, 60);
  expect(lost).toBe(0);
  expect(duplicates).toBeLessThanOrEqual(1);
});

async function expectKillsToLoseNothing(times: number): Promise<void> {
  const options = { databaseUrl: database.url, sql: database.sql, telegram };
  const { lost, duplicates, outOfOrder } = await killSenders({ ...options, times, perRound: 24 });
  expect({ lost, outOfOrder }).toEqual({ lost: 0, outOfOrder: 0 });
  expect(duplicates).toBeLessThanOrEqual(times);
}

test("P01 SIGKILL at a random moment loses nothing, and tells twice at most once", () =>
  expectKillsToLoseNothing(1));

test("P01 and so do many", { tags: "long" }, () => expectKillsToLoseNothing(20));

test("P02 SIGTERM under load loses nothing and tells nothing twice", async () => {
  const options = { databaseUrl: database.url, sql: database.sql, telegram };
  const { lost, duplicates, outOfOrder } = await restartSenders({ ...options, times: 1, perRound: 24 });
  expect({ lost, duplicates, outOfOrder }).toEqual({ lost: 0, duplicates: 0, outOfOrder: 0 });
});
