// A portal and a watcher with a shared held clock, run step by step.
import type { Sql } from "postgres";
import { beforeAll, beforeEach } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import { createHeldClock } from "#simulators/portal/market/clock.ts";
import { publishMatching } from "#simulators/portal/publish-matching.ts";
import { type PortalSimulator, startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import type { CheckResult, PageLimits } from "#watcher/check/check-feed.ts";
import { createWatchTasks, type WatchTasks } from "#watcher/watch-tasks.ts";
import { createTestDatabase } from "../test-database.ts";
import { alertsOf, type SourceSettings, silentLogger, sourcesOf } from "./world.ts";

export interface StoryChanges extends Pick<SourceSettings, "only" | "monthlyRequests"> {
  readonly demoFilter?: { filterId: string; filterUrl: string };
  readonly onWarning?: (fields: object) => void;
  readonly pages?: Partial<PageLimits>;
}

export interface Story {
  readonly portal: PortalSimulator;
  readonly clock: ReturnType<typeof createHeldClock>;
  readonly sql: Sql;
  readonly databaseUrl: string;
  /** Starts on another database, a day later. */
  open(databaseUrl: string): void;
  end(): Promise<void>;
  /** Creates another watcher, optionally with other settings. */
  rounds(changes?: StoryChanges): WatchTasks;
  /** Runs everything that is due, then advances the clock by ten minutes. */
  round(by?: WatchTasks): Promise<CheckResult[]>;
  publish(url: string, fields?: Record<string, unknown>): string;
  advert(code: string): NonNullable<ReturnType<PortalSimulator["market"]["find"]>>;
  kindsOf(listingId: string): Promise<string[]>;
}

/** One story for the tests of a file, with a new database for each test. */
export function storyForTests(size: number): Story {
  let story: Story | undefined;
  const created = () => {
    if (!story) throw new Error("The story starts before the first test");
    return story;
  };
  beforeAll(async () => {
    story = await createStory(size);
    return () => created().portal.close();
  });
  beforeEach(async () => {
    const database = await createTestDatabase();
    created().open(database.url);
    return async () => {
      await created().end();
      await database.drop();
    };
  });
  return new Proxy({} as Story, { get: (_, name) => Reflect.get(created(), name) });
}

export async function createStory(size: number, newPerDay = 0): Promise<Story> {
  const clock = createHeldClock(Date.UTC(2026, 2, 3, 9));
  const limits = { newPerDay, requestsPerSecond: 0, monthlyRequests: null };
  const portal = await startPortalSimulator({ clock, size, ...limits });
  let sql: Sql | undefined;
  let url = "";
  let own: WatchTasks | undefined;
  const opened = () => {
    if (!sql) throw new Error("The story has no database yet");
    return sql;
  };

  const story: Story = {
    portal,
    clock,
    get sql() {
      return opened();
    },
    get databaseUrl() {
      return url;
    },
    open: (databaseUrl) => {
      url = databaseUrl;
      clock.advance(86_400_000);
      portal.faults.clear();
      sql = openDatabase({ url: databaseUrl, max: 4 });
      own = story.rounds();
    },
    end: async () => {
      // After an outage the driver may wait for a closed connection.
      await sql?.end({ timeout: 1 });
    },
    rounds: ({ demoFilter, onWarning, pages, ...changes } = {}) =>
      createWatchTasks({
        sql: opened(),
        sources: sourcesOf({ portal, now: clock.now, ...changes }),
        checkIntervalSeconds: 600,
        demoFilter,
        pages,
        now: clock.now,
        logger: { ...silentLogger, ...(onWarning ? { warn: onWarning } : {}) },
      }),
    round: async (by = own ?? story.rounds()) => {
      const outcomes = await runDue(by);
      clock.advance(630_000);
      return outcomes;
    },
    publish: (url, fields = {}) => {
      const outcome = publishMatching(portal.market, { url, fields });
      if (!outcome.isPublished) throw new Error(`${url}: ${outcome.reason}`);
      return outcome.advert.code;
    },
    advert: (code) => {
      const advert = portal.market.find(code);
      if (!advert) throw new Error(`${code} is not on the market`);
      return advert;
    },
    kindsOf: async (listingId) => {
      const alerts = await alertsOf(opened());
      return alerts.filter((alert) => alert.listingId === listingId).map(({ kind }) => kind);
    },
  };
  return story;
}

/** Does once what a process does on its timers. */
export async function runDue(rounds: WatchTasks): Promise<CheckResult[]> {
  await rounds.compile();
  await rounds.setIntervals();
  await rounds.join();
  const outcomes: CheckResult[] = [];
  await rounds.readDeeper(new AbortController().signal);
  for (const key of await rounds.findDue(1_000)) {
    outcomes.push(await rounds.check(key, new AbortController().signal));
  }
  await rounds.join();
  await rounds.refreshChangedTowns();
  return outcomes;
}
