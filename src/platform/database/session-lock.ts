import postgres, { type Sql } from "postgres";
import { sleep, withTimeout } from "../timing.ts";

/** A dead machine's connection is found out by the database within idle + interval × count seconds. */
const KEEPALIVE = { tcp_keepalives_idle: 3, tcp_keepalives_interval: 2, tcp_keepalives_count: 2 };
const TRY_EVERY_MS = 2_000;
const BEAT_EVERY_MS = 1_500;
/** A connection that is cut can take the answer with it, and the driver then waits for ever. */
const ANSWER_WITHIN_MS = 3_000;
/**
 * A process can stand still while its connection lives: it is stopped, or its machine is asleep. The database then ends the
 * connection, and the lock with it, after so long without a beat.
 */
const SILENT_SESSION_MS = 10_000;
/**
 * Whoever wakes up does not trust the lock so long after the last beat. What was begun before that is over when the database
 * gives the lock to another: a transaction that stands still is ended sooner (`open-database.ts`).
 */
const TRUSTED_MS = 5_000;

export interface HeldLock {
  /** Aborted when the lock is no longer ours. */
  readonly lost: AbortSignal;
  /** To be asked before every act that only the holder may do: a process that stood still does not know it yet. */
  isHeld(): boolean;
  release(): Promise<void>;
}

export interface SessionLockOptions {
  readonly databaseUrl: string;
  /** One of a name is held at a time, over all machines. */
  readonly name: string;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/**
 * Waits until this process is the only one that holds the name. The lock lives as long as its own connection: whoever
 * dies lets go of it, and the next one has it within ten seconds. Undefined where the waiting was ended.
 */
export async function takeSessionLock(options: SessionLockOptions): Promise<HeldLock | undefined> {
  while (!options.signal.aborted) {
    const sql = connect(options.databaseUrl);
    // A database that is away is waited for like a lock that is held.
    const taken = await waitForLock(sql, options);
    if (taken !== undefined) return hold(sql, taken);
    await sql.end({ timeout: 1 });
    await sleep(TRY_EVERY_MS, options.signal);
  }
  return undefined;
}

function connect(databaseUrl: string): Sql {
  return postgres(databaseUrl, {
    max: 1,
    fetch_types: false,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 5,
    onnotice: () => {},
    connection: { application_name: "sereno lock", ...KEEPALIVE },
  });
}

/** `pid`: of the connection that holds the lock. */
type Taken = { pid: number; sinceMs: Moment };

async function waitForLock(sql: Sql, { name, signal }: SessionLockOptions): Promise<Taken | undefined> {
  while (!signal.aborted) {
    const sinceMs = momentNow();
    const answer = await answerOf(sql<[{ is_taken: boolean; pid: number }]>`
      select pg_try_advisory_lock(hashtextextended(${name}, 0)) as is_taken, pg_backend_pid() as pid,
        set_config('idle_session_timeout', ${String(SILENT_SESSION_MS)}, false)`);
    if (answer === undefined) return undefined;
    if (answer.is_taken) return { pid: answer.pid, sinceMs };
    await sleep(TRY_EVERY_MS, signal);
  }
  return undefined;
}

function hold(sql: Sql, { pid, sinceMs }: Taken): HeldLock {
  const lost = new AbortController();
  const ended = new AbortController();
  let beatMs = sinceMs;
  const onBeat = (sentMs: Moment) => {
    beatMs = sentMs;
  };
  const beating = beat(sql, { pid, onBeat, signal: ended.signal }).finally(() => lost.abort());
  return {
    lost: lost.signal,
    isHeld: () => {
      if (elapsedSince(beatMs) >= TRUSTED_MS) lost.abort();
      return !lost.signal.aborted;
    },
    release: async () => {
      ended.abort();
      await beating;
      await sql.end({ timeout: 1 });
    },
  };
}

type BeatOptions = { pid: number; onBeat: (sentMs: Moment) => void; signal: AbortSignal };

/** The driver connects anew by itself, and a new connection does not hold the lock: so it is asked which one it is. */
async function beat(sql: Sql, { pid, onBeat, signal }: BeatOptions): Promise<void> {
  while (!signal.aborted) {
    await sleep(BEAT_EVERY_MS, signal);
    if (signal.aborted) return;
    const sentMs = momentNow();
    const answer = await answerOf(sql<[{ pid: number }]>`select pg_backend_pid() as pid`);
    if (answer?.pid !== pid) return;
    onBeat(sentMs);
  }
}

/** By two clocks: one that stands still while the machine sleeps, and one that somebody may set back. */
type Moment = { readonly steady: number; readonly wall: number };

const momentNow = (): Moment => ({ steady: performance.now(), wall: Date.now() });

const elapsedSince = ({ steady, wall }: Moment) => Math.max(performance.now() - steady, Date.now() - wall);

/** The row, or undefined where it did not come in time or at all. */
async function answerOf<Row>(asked: PromiseLike<[Row]>): Promise<Row | undefined> {
  const answer = Promise.resolve(asked).then(([row]) => row);
  return await withTimeout(ANSWER_WITHIN_MS, answer).catch(() => undefined);
}
