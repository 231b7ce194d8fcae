/**
 * Watches: plans feeds for the saved filters, checks them, and writes down what is to be told. It knows neither where
 * listings come from (sources are handed in) nor how people are told (it ends at the outbox), and any number of
 * processes may run it on one database.
 *
 *   filter saved ─ notification or sweep ─► compile ─► feed due ─► job ─► check ─► listings + alerts
 */
import { PgBoss } from "pg-boss";
import { listenFor } from "#store/connection/listen-for.ts";
import { createRepeated, type Repeated } from "./repeated.ts";
import { createWatchTasks, type WatchTasks, type WatchTasksOptions } from "./watch-tasks.ts";

export interface WatcherOptions extends WatchTasksOptions {
  /** For what needs connections of its own: notifications and jobs. */
  readonly databaseUrl: string;
  /** Checks at a time in this process. */
  readonly concurrency?: number;
}

export interface Watcher {
  start(): Promise<void>;
  /** Ends what runs: a reading under way is dropped, and what it would have found the next check finds. */
  stop(): Promise<void>;
}

const QUEUE = "check-feed";
const JOBS_SCHEMA = "watch_jobs";
const TICK_MS = 1_000;
const SWEEP_MS = 15_000;
const DEEP_MS = 30_000;
const HOUSEKEEPING_MS = 3_600_000;
const STOP_MS = 3_000;
const DUE_AT_ONCE = 50;

export function createWatcher(options: WatcherOptions): Watcher {
  const { logger } = options;
  const rounds = createWatchTasks(options);
  const stopping = new AbortController();
  const changed = new Set<string>();
  const repeated: Repeated[] = [];
  let boss: PgBoss | undefined;
  let listener: { stop(): Promise<void> } | undefined;

  const dispatch = async () => {
    for (const key of await rounds.findDue(DUE_AT_ONCE)) {
      await boss?.send(QUEUE, { key }, { singletonKey: key });
    }
  };
  const settle = async (filterIds?: readonly string[]) => {
    await rounds.compile(filterIds);
    await rounds.setIntervals();
    await rounds.join();
    await dispatch();
  };
  const repeat = (name: string, everyMs: number, deed: () => Promise<unknown>) => {
    const one = createRepeated(everyMs, deed, (error) => {
      if (!stopping.signal.aborted) logger.error({ err: error, deed: name }, "A deed of the watcher failed");
    });
    repeated.push(one);
    return one;
  };

  return {
    start: async () => {
      await rounds.prepare();
      boss = await startJobs(options, rounds, stopping.signal);
      const sweep = repeat("sweep", SWEEP_MS, () => settle());
      const follow = repeat("follow filters", SWEEP_MS, async () => {
        const ids = [...changed];
        changed.clear();
        if (ids.length > 0) await settle(ids);
      });
      repeat("dispatch", TICK_MS, async () => {
        await rounds.join();
        await dispatch();
      });
      repeat("deep reading", DEEP_MS, () => rounds.readDeeper(stopping.signal));
      repeat("housekeeping", HOUSEKEEPING_MS, async () => {
        rounds.forgetIndexes();
        logger.info(await rounds.housekeep(), "What is old is forgotten");
      });
      listener = listenFor({
        url: options.databaseUrl,
        channel: "filters",
        onNotification: (filterId) => {
          changed.add(filterId);
          follow.soon();
        },
        // Whatever was saved while nobody listened is found by looking.
        onListening: () => sweep.soon(),
      });
    },
    stop: async () => {
      stopping.abort();
      await listener?.stop();
      await Promise.all(repeated.map((one) => one.stop()));
      await boss?.stop({ graceful: true, timeout: STOP_MS });
    },
  };
}

async function startJobs(options: WatcherOptions, rounds: WatchTasks, signal: AbortSignal): Promise<PgBoss> {
  const { databaseUrl, logger, concurrency = 4 } = options;
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: JOBS_SCHEMA,
    application_name: "sereno watcher jobs",
    max: 4,
    schedule: false,
    // A dead worker is noticed by its silence of ten seconds, when someone looks.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  });
  boss.on("error", (error) => {
    if (!signal.aborted) logger.error({ err: error }, "The job queue has trouble");
  });
  await boss.start();
  await boss.createQueue(QUEUE, {
    policy: "exclusive",
    // A check that failed is not tried again as a job: its feed is due again, and says when.
    retryLimit: 0,
    heartbeatSeconds: 10,
    expireInSeconds: 1_500,
    retentionSeconds: 3_600,
    deleteAfterSeconds: 60,
  });
  await boss.work<{ key: string }>(
    QUEUE,
    { pollingIntervalSeconds: 0.5, localConcurrency: concurrency, batchSize: 1 },
    async ([job]) => {
      if (!job) return;
      await rounds.check(job.data.key, AbortSignal.any([signal, job.signal]));
    },
  );
  return boss;
}
