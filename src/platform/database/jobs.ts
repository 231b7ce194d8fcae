/**
 * Background work: queues in the database (pg-boss), processed by any number of processes, with retries and schedules.
 * A job is deleted when it is done or abandoned, because the payload of a mail may contain a link that opens an account.
 */
import { type Job, type JobInsert, PgBoss, type QueueOptions } from "pg-boss";
import type { TransactionSql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { withTimeout } from "../timing.ts";

export interface Queue<Payload extends object> extends Omit<QueueOptions, "deleteAfterSeconds"> {
  readonly name: string;
  readonly retryLimit: number;
  /** If set, at most one job per key waits or runs at a time, across all processes; further ones are not accepted. */
  readonly keyOf?: (payload: Payload) => string;
  /** Sends an empty payload on this schedule (UTC). Runs missed while no process was up are made up for once. */
  readonly cron?: string;
}

/** With a transaction, the jobs are created when it commits. The other options override those of the queue. */
type JobOptions = { readonly db?: TransactionSql } & Pick<
  JobInsert,
  "priority" | "retentionSeconds" | "retryDelay" | "retryDelayMax"
>;

export interface Jobs {
  /** Creates or migrates pg-boss's tables. Must come first. */
  start(): Promise<void>;
  /** Runs the queue's jobs in this process. A job whose handler throws is retried as the queue says. */
  work<Payload extends object>(
    queue: Queue<Payload>,
    handler: (payload: Payload, signal: AbortSignal) => Promise<unknown>,
    concurrency?: number,
  ): Promise<void>;
  send<Payload extends object>(
    queue: Queue<Payload>,
    payloads: readonly Payload[],
    options?: JobOptions,
  ): Promise<void>;
  /** Waits briefly for running jobs. Those that do not finish run again, here or in another process. */
  stop(): Promise<void>;
}

const STOP_MS = 2_000;
/**
 * Notifications wake the workers. Polling covers retries, lost notifications and, at the shorter interval, a database that sends
 * none. Each poll is a transaction, and an idle process has about 25 workers: the first of a queue polls for all of them.
 * A queue with a schedule is not urgent.
 */
const POLL_SECONDS = 2;
const FIRST_POLL_SECONDS = 15;
const OTHERS_POLL_SECONDS = 60;
/** After a failure a queue is polled at the shorter interval for as long as a first retry usually takes. */
const RETRIES_SOON_MS = 60_000;

export function createJobs({ databaseUrl, logger }: { databaseUrl: string; logger: Logger }): Jobs {
  const boss = createBoss(databaseUrl);
  const stopping = new AbortController();
  const queues = new Map<string, Promise<void>>();
  const workedOn = new Set<string>();
  const retries = createRetryWatch((worker) => boss.notifyWorker(worker));
  boss.on("error", (error) => {
    if (!stopping.signal.aborted) logger.error({ err: error }, "the job queue failed");
  });
  boss.on("warning", ({ message }) => logger.warn({}, message));

  const prepare = (queue: Queue<never>) => {
    const prepared = queues.get(queue.name) ?? createQueue(boss, queue);
    queues.set(queue.name, prepared);
    // A failure must not be cached: the database may be down only for a moment.
    prepared.catch(() => queues.delete(queue.name));
    return prepared;
  };

  async function attempt<Payload extends object>(
    { name, retryLimit }: Queue<Payload>,
    job: Job<Payload>,
    handler: (payload: Payload, signal: AbortSignal) => Promise<unknown>,
  ): Promise<void> {
    const facts = { queue: name, attempt: job.retryCount + 1 };
    try {
      await handler(job.data, AbortSignal.any([stopping.signal, job.signal]));
    } catch (error) {
      if (job.retryCount < retryLimit || stopping.signal.aborted) {
        retries.noteFailure(name);
        if (!stopping.signal.aborted)
          logger.warn({ ...facts, err: error }, "a job failed and is tried again");
        throw error;
      }
      logger.error({ ...facts, err: error }, "a job failed, giving up after its last retry");
    }
    await boss.deleteJob(name, job);
  }

  return {
    start: async () => {
      try {
        await boss.start();
      } catch (error) {
        await boss.stop({ graceful: false });
        throw error;
      }
    },
    work: async (queue, handler, concurrency = 1) => {
      await prepare(queue);
      workedOn.add(queue.name);
      for (let n = 0; n < concurrency; n++) {
        const options = {
          pollingIntervalSeconds: POLL_SECONDS,
          notifyPollingIntervalSeconds: n === 0 && !queue.cron ? FIRST_POLL_SECONDS : OTHERS_POLL_SECONDS,
        };
        const worker: string = await boss.work<never>(queue.name, options, async ([job]) => {
          if (!job) return;
          await attempt(queue, job, handler);
          // Otherwise the worker waits for the polling interval before it fetches the next job.
          boss.notifyWorker(worker);
        });
        retries.addWorker(queue.name, worker);
      }
    },
    send: async (queue, payloads, { db, ...settings } = {}) => {
      if (payloads.length === 0) return;
      await prepare(queue);
      const jobs = payloads.map((data) => ({
        data,
        ...(queue.keyOf && { singletonKey: queue.keyOf(data) }),
        ...settings,
      }));
      await boss.insert(queue.name, jobs, db ? { db: { executeSql: executorOf(db) } } : {});
    },
    stop: async () => {
      stopping.abort();
      retries.stop();
      const ended = Promise.all([...workedOn].map((name) => boss.offWork(name)));
      await withTimeout(STOP_MS, ended).catch(() => {});
      await boss.stop({ graceful: false });
    },
  };
}

/**
 * The driver would close a connection after ten idle seconds, and a poll would soon open it again. A second one is rarely needed,
 * and costs the database seven megabytes for as long as it stays. pg-boss passes this on.
 */
const POOL = { idleTimeoutMillis: 30_000 };

function createBoss(databaseUrl: string): PgBoss {
  return new PgBoss({
    connectionString: withSslMode(databaseUrl),
    application_name: "sereno jobs",
    max: 2,
    ...POOL,
    useListenNotify: true,
    // A dead worker is detected by its missing heartbeat of ten seconds.
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: 60,
    // We have no jobs that wait for other jobs.
    flowIntervalSeconds: 3_600,
    // Schedules are kept to the minute.
    cronWorkerIntervalSeconds: 30,
  });
}

/** Wakes the workers of a queue more often after one of its jobs has failed. */
function createRetryWatch(wake: (worker: string) => void) {
  const workersOf = new Map<string, string[]>();
  const until = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const look = () => {
    for (const [queue, endMs] of until) {
      for (const worker of workersOf.get(queue) ?? []) wake(worker);
      if (performance.now() > endMs) until.delete(queue);
    }
    if (until.size === 0) stop();
  };
  return {
    addWorker: (queue: string, worker: string) =>
      workersOf.set(queue, [...(workersOf.get(queue) ?? []), worker]),
    noteFailure: (queue: string) => {
      until.set(queue, performance.now() + RETRIES_SOON_MS);
      timer ??= setInterval(look, POLL_SECONDS * 1000).unref();
    },
    stop,
  };
}

async function createQueue(boss: PgBoss, { name, keyOf, cron, ...options }: Queue<never>): Promise<void> {
  const settings = { heartbeatSeconds: 10, ...options, notify: true, deleteAfterSeconds: 60 };
  await boss.createQueue(name, { ...settings, policy: keyOf ? "exclusive" : "standard" });
  await boss.updateQueue(name, settings);
  if (cron) {
    await boss.schedule(
      name,
      cron,
      {},
      { missed: "once", ...(keyOf && { singletonKey: keyOf({} as never) }) },
    );
  }
}

/** pg-boss's driver treats `require` as verify-full, and would refuse the self-signed certificate of hosted Supabase. */
function withSslMode(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  if (url.searchParams.get("sslmode") === "require") url.searchParams.set("uselibpqcompat", "true");
  return url.href;
}

/** Lets pg-boss run its statements in our driver's transaction. */
function executorOf(db: TransactionSql) {
  return async (text: string, values: unknown[] = []) => ({ rows: await db.unsafe(text, values as never[]) });
}
