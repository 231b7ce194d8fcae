import postgres, { type Sql } from "postgres";

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

/**
 * One sender at a time, over all machines on one database. The lock lives in a connection of its own and dies with it:
 * PostgreSQL is told to notice a vanished machine within ten seconds, and we to notice a vanished database as soon.
 */
export async function takeSenderLock(
  options: SenderLockOptions,
  signal: AbortSignal,
): Promise<HeldLock | undefined> {
  while (!signal.aborted) {
    const held = await tryLock(options);
    if (held !== undefined) return held;
    await waitFor(options.retryMs, signal);
  }
  return undefined;
}

async function tryLock({ databaseUrl, heartbeatMs }: SenderLockOptions): Promise<HeldLock | undefined> {
  const lost = Promise.withResolvers<void>();
  const sql = postgres(databaseUrl, {
    max: 1,
    fetch_types: false,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 5,
    onnotice: () => {},
    onclose: () => lost.resolve(),
  });
  const end = () => sql.end({ timeout: 0 }).catch(() => {});
  try {
    // The settings bear on TCP alone; elsewhere they do nothing.
    await sql`
      select set_config('tcp_keepalives_idle', '4', false), set_config('tcp_keepalives_interval', '2', false),
        set_config('tcp_keepalives_count', '2', false)`;
    const [row] = await sql<[{ is_ours: boolean; pid: number }?]>`
      select pg_try_advisory_lock(hashtextextended('sereno sender', 0)) as is_ours, pg_backend_pid() as pid`;
    if (row?.is_ours !== true) {
      await end();
      return undefined;
    }
    const stopBeating = beat(sql, { pid: row.pid, heartbeatMs, onSilence: () => lost.resolve() });
    void lost.promise.then(stopBeating).then(end);
    return {
      lost: lost.promise,
      release: async () => {
        stopBeating();
        await end();
        lost.resolve();
      },
    };
  } catch {
    await end();
    return undefined;
  }
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
