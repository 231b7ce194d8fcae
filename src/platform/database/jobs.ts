/**
 * Background work: queues in the database, worked on by any number of processes, with retries and schedules (pg-boss).
 * A job is deleted when it is done or given up: the payload of a mail may hold a link that opens an account.
 */
import { type Job, type JobInsert, PgBoss, type QueueOptions } from "pg-boss";
import type { TransactionSql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { withTimeout } from "../timing.ts";

export interface Queue<Payload extends object> extends Omit<QueueOptions, "deleteAfterSeconds"> {
  readonly name: string;
  readonly retryLimit: number;
  /** Where given, one job of a key waits or runs at a time, over all processes; others of it are not taken in. */
  readonly keyOf?: (payload: Payload) => string;
  /** Sends an empty payload, in UTC; what fell due while no process ran is made up for once. */
  readonly cron?: string;
}

/** With a transaction, the jobs come to be when it is committed; the rest differs from what the queue says. */
type JobOptions = { readonly db?: TransactionSql } & Pick<
  JobInsert,
  "priority" | "retentionSeconds" | "retryDelay" | "retryDelayMax"
>;

export interface Jobs {
  /** Makes or migrates the queue's own tables; nothing else works before. */
  start(): Promise<void>;
  /** Does the queue's jobs in this process. One whose handler throws is tried again as the queue says. */
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
  /** Waits a moment for what is under way; the rest is done again, here or elsewhere. */
  stop(): Promise<void>;
}

const STOP_MS = 2_000;
/** Workers are woken by notifications; this is for retries, and for a notification that was lost. */
const POLL_SECONDS = 2;

export function createJobs({ databaseUrl, logger }: { databaseUrl: string; logger: Logger }): Jobs {
  const boss = new PgBoss({
    connectionString: withSslMode(databaseUrl),
    application_name: "sereno jobs",
    max: 4,
    useListenNotify: true,
    // A dead worker is noticed by its silence of ten seconds, when someone looks.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: 60,
  });
  const stopping = new AbortController();
  const queues = new Map<string, Promise<void>>();
  const workedOn = new Set<string>();
  boss.on("error", (error) => {
    if (!stopping.signal.aborted) logger.error({ err: error }, "The job queue has trouble");
  });
  boss.on("warning", ({ message }) => logger.warn({}, message));

  const prepare = (queue: Queue<never>) => {
    const prepared = queues.get(queue.name) ?? createQueue(boss, queue);
    queues.set(queue.name, prepared);
    // A database that is away for a moment must not be remembered as the queue's failure.
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
        if (!stopping.signal.aborted)
          logger.warn({ ...facts, err: error }, "A job failed and is tried again");
        throw error;
      }
      logger.error({ ...facts, err: error }, "A job failed and is given up");
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
        const options = { pollingIntervalSeconds: POLL_SECONDS, notifyPollingIntervalSeconds: POLL_SECONDS };
        const worker: string = await boss.work<never>(queue.name, options, async ([job]) => {
          if (!job) return;
          await attempt(queue, job, handler);
          // Else the worker rests before it looks for the next job.
          boss.notifyWorker(worker);
        });
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
      const ended = Promise.all([...workedOn].map((name) => boss.offWork(name)));
      await withTimeout(STOP_MS, ended).catch(() => {});
      await boss.stop({ graceful: false });
    },
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

/** pg-boss's driver takes `require` for verify-full, and would refuse hosted Supabase, which signs for itself. */
function withSslMode(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  if (url.searchParams.get("sslmode") === "require") url.searchParams.set("uselibpqcompat", "true");
  return url.href;
}

/** Our own driver's transaction, as pg-boss asks it. */
function executorOf(db: TransactionSql) {
  return async (text: string, values: unknown[] = []) => ({ rows: await db.unsafe(text, values as never[]) });
}
