import { createClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { publishMatching } from "#simulators/portal/publish-matching.ts";
import {
  DEFAULT_CREDENTIALS,
  type PortalSimulator,
  startPortalSimulator,
} from "#simulators/portal/start-portal-simulator.ts";
import { createPerson } from "#simulators/telegram/phone/create.ts";
import { say } from "#simulators/telegram/phone/speak.ts";
import {
  startTelegramSimulator,
  type TelegramSimulator,
} from "#simulators/telegram/start-telegram-simulator.ts";
import { type ServerProcess, startServerProcess } from "#test/server-process.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { addPeople } from "#test/watching/world.ts";
import type { PublicConfig } from "./public-config.ts";

const PATIENCE = { timeout: 60_000, interval: 50 };
const URL_OF_SEARCH =
  "https://www.idealista.com/alquiler-viviendas/madrid-madrid/con-precio-hasta_1900,precio-desde_1000/";

/** Two processes with every role on one database; `bench/kill-product.ts` kills more of them, and at worse moments. */
test("SERV-02 of two machines one is killed, one stands still and wakes: nothing is lost, and nothing done twice", {
  tags: "long",
}, async () => {
  const world = await startWorld();
  const { ana, publish, told, answers, untilAllIsWritten } = world;
  const first = await world.start();
  await world.untilItLeads(1);
  const second = await world.start();
  await expect.poll(world.hasBegun, PATIENCE).toBe(true);
  const session = await signUp(first);

  first.child.kill("SIGKILL");
  await publish(1_100);
  say(world.telegram, { personId: ana, text: "/id" });
  await expect.poll(() => [told(1_100), answers()], PATIENCE).toEqual([1, 1]);
  await untilAllIsWritten();
  expect(await ownRows(second, session)).toBe(1);

  const third = await world.start();
  second.child.kill("SIGSTOP");
  await publish(1_200);
  say(world.telegram, { personId: ana, text: "/id" });
  await expect.poll(() => [told(1_200), answers()], PATIENCE).toEqual([1, 2]);
  second.child.kill("SIGCONT");
  await publish(1_300);
  await expect.poll(() => told(1_300), PATIENCE).toBe(1);
  await untilAllIsWritten();

  third.child.kill("SIGKILL");
  await publish(1_400);
  say(world.telegram, { personId: ana, text: "/id" });
  await expect.poll(() => [told(1_400), answers()], PATIENCE).toEqual([1, 3]);
  expect([1_100, 1_200, 1_300, 1_400].map(told)).toEqual([1, 1, 1, 1]);
  expect(await ownRows(second, session)).toBe(1);
  second.child.kill("SIGTERM");
  expect(await second.exited).toBe(0);
  await world.close();
});

async function startWorld() {
  const [database, portal, telegram] = await Promise.all([
    createTestDatabase(),
    startPortalSimulator({ size: 50, newPerDay: 0, monthlyRequests: null, requestsPerSecond: 0 }),
    startTelegramSimulator(),
  ]);
  const ana = createPerson(telegram, { isStarted: true }).id;
  await addPeople(database.sql, [{ url: URL_OF_SEARCH, chatIds: [String(ana)] }]);
  const textsTo = () => telegram.ledger.accepted.filter(({ chatId }) => chatId === ana);
  const count = async (rows: Promise<readonly unknown[]>) => (await rows).length;
  return {
    ana,
    telegram,
    start: () => startServerProcess({ ...settingsFor({ database, portal, telegram }) }),
    /** Until so many machines hold the bot and the sender. */
    untilItLeads: (machines: number) =>
      expect.poll(() => count(locksIn(database)), PATIENCE).toBe(2 * machines),
    hasBegun: async () => (await count(startsIn(database))) > 0,
    /** Who dies between a message and its record leaves it to be sent again, as nobody can tell whether it was. */
    untilAllIsWritten: () => expect.poll(() => count(openIn(database)), PATIENCE).toBe(0),
    publish: async (priceEur: number) => {
      const outcome = publishMatching(portal.market, { url: URL_OF_SEARCH, fields: { priceEur } });
      expect(outcome.isPublished).toBe(true);
    },
    told: (priceEur: number) =>
      textsTo().filter(({ text }) => text.includes(`€${priceEur.toLocaleString("en")}`)).length,
    answers: () => textsTo().filter(({ text }) => text.includes("chat ID")).length,
    close: async () => {
      await Promise.all([portal.close(), telegram.close()]);
      await database.drop();
    },
  };
}

const locksIn = ({ sql }: TestDatabase) => sql`
  select from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and granted and application_name = 'sereno lock' and datname = current_database()`;

const openIn = ({ sql }: TestDatabase) => sql`
  select from watch.alerts where state in ('pending', 'sending')
  union all select from watch.updates where done_at is null`;

const startsIn = ({ sql }: TestDatabase) => sql`
  select from watch.alerts where kind = 'watch-started' and state = 'sent'`;

function settingsFor(outside: {
  database: TestDatabase;
  portal: PortalSimulator;
  telegram: TelegramSimulator;
}): Record<string, string> {
  return {
    ROLES: "web,watcher,bot",
    DATABASE_URL: outside.database.url,
    TELEGRAM_BOT_TOKEN: outside.telegram.bot.token,
    TELEGRAM_API_ROOT: outside.telegram.url,
    IDEALISTA_API_URL: outside.portal.url,
    IDEALISTA_API_KEY: DEFAULT_CREDENTIALS.key,
    IDEALISTA_API_SECRET: DEFAULT_CREDENTIALS.secret,
    IDEALISTA_MONTHLY_REQUESTS: "100000000",
    CHECK_INTERVAL_SECONDS: "5",
  };
}

type Session = { key: string; token: string };

async function signUp({ port }: ServerProcess): Promise<Session> {
  const url = `http://127.0.0.1:${port}`;
  const { publishableKey: key } = (await (await fetch(`${url}/config.json`)).json()) as PublicConfig;
  const client = createClient(url, key, { auth: { persistSession: false, autoRefreshToken: false } });
  const { data } = await client.auth.signUp({ email: "eva@example.com", password: "a-long-password" });
  return { key, token: data.session?.access_token ?? "" };
}

async function ownRows({ port }: ServerProcess, { key, token }: Session): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/rest/v1/profiles?select=id`, {
    headers: { apikey: key, authorization: `Bearer ${token}` },
  });
  return ((await answer.json()) as unknown[]).length;
}
