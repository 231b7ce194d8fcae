import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTelegramChannel } from "#channels/telegram/create-telegram-channel.ts";
import {
  startTelegramSimulator,
  type TelegramSimulator,
} from "#simulators/telegram/start-telegram-simulator.ts";
import { openDatabase } from "#store/open-database.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { addAlerts, connectPeople, newListing, openChat } from "../../../bench/deliver-stage.ts";
import { createDelivery, type Delivery } from "./create-delivery.ts";

const PATIENT = { timeout: 20_000, interval: 20 };
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

function startDelivery(): Delivery {
  const sql = openDatabase({ url: database.url, max: 4 });
  stops.push(() => sql.end());
  const channel = createTelegramChannel({
    token: telegram.bot.token,
    apiRoot: telegram.url,
    siteUrl: SITE_URL,
  });
  const logger = { info: () => {}, warn: () => {}, error: () => {} };
  const delivery = createDelivery({ databaseUrl: database.url, sql, channel, logger, leaseMs: 5_000 });
  delivery.start();
  stops.push(() => delivery.stop());
  return delivery;
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
  expect(telegram.ledger.accepted[0]?.text).toMatchInlineSnapshot(`
    "🏮 New in Trafalgar, Chamberí
    Flat, Calle de Fuencarral
    €1,250 · 58 m² · 2 bedrooms · 3rd floor, lift
    €21.6/m², 9% below what Sereno saw in Trafalgar (84 listings)"
  `);
});
