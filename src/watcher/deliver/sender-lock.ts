import postgres, { type Sql } from "postgres";
import { within } from "./within.ts";

export interface SenderLockOptions {
  readonly databaseUrl: string;
  readonly retryMs: number;
  readonly heartbeatMs: number;
}

export interface HeldLock {
  /** Settles when the lock is ours no more, whether we let it go or lost it. */
  readonly lost: Promise<void>;
  release(): Promise<void>;
}

const ANSWER_MS = 5_000;

interface Attempt {
  readonly is_ours: boolean;
  readonly pid: number;
}

/**
 * One sender at a time, over all machines on one database. The lock lives in a connection of its own and dies with it:
 * PostgreSQL is told to notice a vanished machine within ten seconds, and we to notice a vanished database as soon.
 * Answers nothing where the signal came first.
 */
export async function takeSenderLock(
  options: SenderLockOptions,
  signal: AbortSignal,
): Promise<HeldLock | undefined> {
  let connection = connect(options.databaseUrl);
  while (!signal.aborted) {
    const attempt = await within(ANSWER_MS, tryLock(connection.sql)).catch(() => undefined);
    if (attempt?.is_ours) return holdLock(connection, attempt.pid, options.heartbeatMs);
    if (attempt === undefined) {
      await connection.end();
      connection = connect(options.databaseUrl);
    }
    await waitFor(options.retryMs, signal);
  }
  await connection.end();
  return undefined;
}

interface Connection {
  readonly sql: Sql;
  readonly closed: Promise<void>;
  end(): Promise<void>;
}

function connect(databaseUrl: string): Connection {
  const closed = Promise.withResolvers<void>();
  const sql = postgres(databaseUrl, {
    max: 1,
    fetch_types: false,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 5,
    onnotice: () => {},
    onclose: () => closed.resolve(),
  });
  return {
    sql,
    closed: closed.promise,
    end: () => within(ANSWER_MS, sql.end({ timeout: 0 })).catch(() => {}),
  };
}

async function tryLock(sql: Sql): Promise<Attempt | undefined> {
  // The settings bear on TCP alone; elsewhere they do nothing.
  const [attempt] = await sql<[Attempt?]>`
    select pg_try_advisory_lock(hashtextextended('sereno sender', 0)) as is_ours, pg_backend_pid() as pid,
      set_config('tcp_keepalives_idle', '4', false), set_config('tcp_keepalives_interval', '2', false),
      set_config('tcp_keepalives_count', '2', false)`;
  return attempt;
}

function holdLock({ sql, closed, end }: Connection, pid: number, heartbeatMs: number): HeldLock {
  const lost = Promise.withResolvers<void>();
  const stopBeating = beat(sql, { pid, heartbeatMs, onSilence: () => lost.resolve() });
  const release = async () => {
    stopBeating();
    await end();
    lost.resolve();
  };
  void closed.then(() => lost.resolve());
  void lost.promise.then(release);
  return { lost: lost.promise, release };
}

/** Asks again and again whether the connection is still the one that holds the lock. */
function beat(
  sql: Sql,
  { pid, heartbeatMs, onSilence }: { pid: number; heartbeatMs: number; onSilence: () => void },
): () => void {
  let isWaiting = false;
  const timer = setInterval(() => {
    if (isWaiting) return onSilence();
    isWaiting = true;
    sql<[{ pid: number }?]>`select pg_backend_pid() as pid`.then(
      ([row]) => {
        isWaiting = false;
        if (row?.pid !== pid) onSilence();
      },
      () => onSilence(),
    );
  }, heartbeatMs);
  return () => clearInterval(timer);
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
