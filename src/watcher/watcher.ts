/**
 * Plans feeds for the saved filters, checks them, and writes listings and alerts. It does not know where listings come from
 * (sources are passed in) or how alerts are sent (it ends at the outbox). Any number of processes may run it on one database.
 *
 *   filter saved ─ notification or sweep ─► compile ─► feed due ─► job ─► check ─► listings + alerts
 */
import type { Jobs, Queue } from "#platform/database/jobs.ts";
import { listenFor } from "#platform/database/listen-for.ts";
import { createWakeUp } from "#platform/timing.ts";
import { createPreviewAnswers } from "./preview/preview-answers.ts";
import { createWatchTasks, type WatchTasks, type WatchTasksOptions } from "./watch-tasks.ts";

export interface WatcherOptions extends WatchTasksOptions {
  readonly databaseUrl: string;
  /** Runs checks, full scans and housekeeping. The caller stops it after the watcher. */
  readonly jobs: Jobs;
}

export interface Watcher {
  start(): Promise<void>;
  /** Aborts running checks. The next check finds what they would have found. */
  stop(): Promise<void>;
}

// A failed check is not retried as a job: its feed becomes due again.
const CHECK_FEED: Queue<{ key: string }> = {
  name: "check-feed",
  retryLimit: 0,
  expireInSeconds: 1_500,
  retentionSeconds: 3_600,
  keyOf: ({ key }) => key,
};
const READ_DEEPER: Queue<object> = { name: "read-deeper", retryLimit: 0, keyOf: () => "all" };
const TRAVEL_TIMES: Queue<object> = { name: "travel-times", retryLimit: 0, keyOf: () => "all" };
const HOUSEKEEPING: Queue<object> = {
  name: "housekeeping",
  retryLimit: 2,
  cron: "17 * * * *",
  keyOf: () => "all",
};

const MARKET_FIGURES: Queue<object> = {
  name: "market-figures",
  retryLimit: 1,
  cron: "41 */3 * * *",
  keyOf: () => "all",
};
const MEASURED_FIGURES: Queue<object> = {
  name: "measured-figures",
  retryLimit: 1,
  cron: "7 * * * *",
  keyOf: () => "all",
};
/** The figures of towns in which checks found changes. */
const CHANGED_TOWNS: Queue<object> = { name: "changed-towns", retryLimit: 0, keyOf: () => "all" };

const TICK_MS = 3_000;
const SWEEP_MS = 15_000;
const FORGET_INDEXES_MS = 3_600_000;
const DUE_AT_ONCE = 50;
const CHECKS_AT_ONCE = 4;

async function takeJobs(
  { jobs, logger }: WatcherOptions,
  tasks: WatchTasks,
  stopping: AbortSignal,
): Promise<void> {
  const either = (signal: AbortSignal) => AbortSignal.any([stopping, signal]);
  await jobs.work(CHECK_FEED, ({ key }, signal) => tasks.check(key, either(signal)), CHECKS_AT_ONCE);
  await jobs.work(READ_DEEPER, (_, signal) => tasks.readDeeper(either(signal)));
  await jobs.work(TRAVEL_TIMES, (_, signal) => tasks.findTravelTimes(either(signal)));
  await jobs.work(HOUSEKEEPING, async () => logger.info(await tasks.housekeep(), "removed old data"));
  await jobs.work(MARKET_FIGURES, () => tasks.refreshMarket());
  await jobs.work(CHANGED_TOWNS, () => tasks.refreshChangedTowns());
  await jobs.work(MEASURED_FIGURES, () => tasks.refreshMeasured());
  await jobs.send(MARKET_FIGURES, [{}]);
  await jobs.send(MEASURED_FIGURES, [{}]);
}

/** One statement, which nothing else can stop. */
async function sendDueFeeds({ jobs }: WatcherOptions, tasks: WatchTasks): Promise<void> {
  const due = await tasks.findDue(DUE_AT_ONCE);
  await jobs.send(
    CHECK_FEED,
    due.map((key) => ({ key })),
  );
}

/** A job costs six transactions, so it is sent only if it has something to do. */
async function sendSweepJobs({ jobs, routes }: WatcherOptions, tasks: WatchTasks): Promise<void> {
  if (await tasks.isScanDue()) await jobs.send(READ_DEEPER, [{}]);
  if (await tasks.hasChangedTowns()) await jobs.send(CHANGED_TOWNS, [{}]);
  if (routes) await jobs.send(TRAVEL_TIMES, [{}]);
}

export function createWatcher(options: WatcherOptions): Watcher {
  const { logger, now } = options;
  const tasks = createWatchTasks(options);
  const previews = createPreviewAnswers(options);
  const stopping = new AbortController();
  const wakeUp = createWakeUp();
  const changed = new Set<string>();
  let mustSweep = true;
  let sweptAt = 0;
  let forgottenAt = now();
  let running: Promise<void> | undefined;
  let listener: { stop(): Promise<void> } | undefined;

  /** A step that throws is repeated with the next sweep, and the other steps go on. */
  async function step(name: string, run: () => Promise<unknown>): Promise<void> {
    await run().catch((error: unknown) => {
      mustSweep = true;
      if (!stopping.signal.aborted) logger.error({ err: error, step: name }, "a step of the watcher failed");
    });
  }

  async function turn(): Promise<void> {
    const isSweep = mustSweep || now() - sweptAt >= SWEEP_MS;
    const filterIds = [...changed];
    mustSweep = false;
    changed.clear();
    await step("due feeds", () => sendDueFeeds(options, tasks));
    if (isSweep || filterIds.length > 0) {
      await step("compile", () => tasks.compile(isSweep ? undefined : filterIds));
      await step("intervals", tasks.setIntervals);
      await step("start", tasks.join);
      // The first check of a new search does not wait for the next turn.
      await step("due feeds", () => sendDueFeeds(options, tasks));
    }
    if (!isSweep) return;
    sweptAt = now();
    await step("jobs", () => sendSweepJobs(options, tasks));
    if (now() - forgottenAt < FORGET_INDEXES_MS) return;
    tasks.forgetIndexes();
    forgottenAt = now();
  }

  /** A loop of our own, because pg-boss's schedules have a resolution of a minute and a new filter is checked within seconds. */
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await turn();
      await wakeUp.sleep(TICK_MS);
    }
  }

  return {
    start: async () => {
      await tasks.prepare();
      await takeJobs(options, tasks, stopping.signal);
      listener = listenFor({
        url: options.databaseUrl,
        channel: "filters",
        onNotification: (filterId) => {
          changed.add(filterId);
          wakeUp.call();
        },
        // A sweep finds what was saved while the connection was down.
        onListening: () => {
          mustSweep = true;
          wakeUp.call();
        },
      });
      running = run();
      previews.start();
    },
    stop: async () => {
      stopping.abort();
      wakeUp.call();
      await Promise.all([listener?.stop(), previews.stop()]);
      await running;
    },
  };
}
