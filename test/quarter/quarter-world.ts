// The product of a simulated quarter: its watcher, sender and bot on a real database, with the simulated portal and Telegram.
// One held clock for all of them, the database included.
import type { Sql } from "postgres";
import { openDatabase } from "#platform/database/open-database.ts";
import type { Advert } from "#simulators/portal/market/advert.ts";
import { type PortalSimulator, startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { createBot } from "#telegram/bot/create-bot.ts";
import { BUDGET_NAMES, createRequestBudget } from "#watcher/rows/feeds/request-budget.ts";
import { createWatchTasks, type WatchTasks } from "#watcher/watch-tasks.ts";
import { type DeliveryRun, startDeliveryRun } from "../delivery/run-delivery.ts";
import { createTestDatabase } from "../test-database.ts";
import { silentLogger, sourcesOf } from "../watching/world.ts";
import type { Quarter } from "./acts.ts";
import { holdDatabaseClock } from "./held-database-clock.ts";
import type { QuarterPerson } from "./people.ts";
import type { Lengthening } from "./promises.ts";
import { createTruth, type Truth } from "./truth.ts";

export interface QuarterWorld {
  readonly sql: Sql;
  readonly portal: PortalSimulator;
  readonly delivery: DeliveryRun;
  readonly truth: Truth;
  readonly people: Map<number, QuarterPerson>;
  readonly homes: Map<number, Advert>;
  /** When the present troubles of the source and of ours end. */
  readonly troubles: { sourceUntil: number; stoppedUntil: number };
  readonly seen: Set<string>;
  readonly lengthened: Lengthening[];
  now(): number;
  /** Also the database's clock. */
  advanceTo(moment: number): Promise<void>;
  startWatcher(checkIntervalSeconds: number): Promise<WatchTasks>;
  /** Lets the bot answer what people do in Telegram. */
  withBot(act: () => void): Promise<void>;
  close(): Promise<void>;
}

const MARKET_SIZE = 2_500;

export async function createQuarterWorld({
  beginsAt,
  monthlyRequests,
  mostPages,
}: Quarter): Promise<QuarterWorld> {
  const database = await createTestDatabase();
  const sql = openDatabase({ url: database.url, max: 4 });
  const databaseClock = await holdDatabaseClock(database.sql);
  await databaseClock.set(beginsAt);
  const delivery = await startDeliveryRun({ sql, startMs: beginsAt });
  const { clock } = delivery;
  const limits = { newPerDay: 0, requestsPerSecond: 0, monthlyRequests: null };
  const portal = await startPortalSimulator({ clock, size: MARKET_SIZE, ...limits });
  await database.sql`
    insert into private.server_keys (name, value) values ('hash_secret', ${"a secret of these tests ".repeat(2)})
    on conflict do nothing`;
  const budget =
    monthlyRequests === null
      ? undefined
      : createRequestBudget({ sql, name: BUDGET_NAMES.official, monthlyRequests, now: clock.now });
  const sources = sourcesOf({
    ...{ portal, now: clock.now, monthlyRequests, only: "official" },
    ...(budget && { budget }),
    sleep: async (ms) => clock.advance(ms),
  });
  return {
    ...{ sql, portal, delivery, truth: createTruth(portal) },
    ...{ people: new Map(), homes: new Map(), seen: new Set(), lengthened: [] },
    troubles: { sourceUntil: 0, stoppedUntil: 0 },
    now: clock.now,
    advanceTo: async (moment) => {
      clock.advance(Math.max(0, moment - clock.now()));
      portal.market.advanceTo(clock.now());
      await databaseClock.set(clock.now());
    },
    startWatcher: async (checkIntervalSeconds) => {
      const tasks = createWatchTasks({
        ...{ sql, sources, checkIntervalSeconds, now: clock.now },
        ...(mostPages !== null && { pages: { newest: mostPages, deep: mostPages } }),
        logger: silentLogger,
      });
      await tasks.prepare();
      return tasks;
    },
    withBot: (act) => answerWithBot({ sql, databaseUrl: database.url, delivery }, act),
    close: async () => {
      await delivery.close();
      await portal.close();
      await sql.end({ timeout: 1 });
      await database.drop();
    },
  };
}

interface BotPlace {
  readonly sql: Sql;
  readonly databaseUrl: string;
  readonly delivery: DeliveryRun;
}

const PAUSE_MS = 5;
const LONGEST_ANSWER_MS = 30_000;

async function answerWithBot({ sql, databaseUrl, delivery }: BotPlace, act: () => void): Promise<void> {
  const { telegram, clock } = delivery;
  const bot = createBot({
    ...{ sql, databaseUrl, token: telegram.bot.token, apiRoot: telegram.url },
    ...{ siteUrl: "https://sereno.example", linkUrl: "https://t.me", now: clock.now, logger: silentLogger },
  });
  act();
  bot.start();
  const until = performance.now() + LONGEST_ANSWER_MS;
  const isWaiting = async () =>
    telegram.updates.size > 0 ||
    (await sql`select from watch.updates where done_at is null limit 1`).length > 0;
  while (await isWaiting()) {
    if (performance.now() > until) throw new Error("The bot does not answer");
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  await bot.stop();
}
