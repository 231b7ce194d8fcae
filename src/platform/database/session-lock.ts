import postgres, { type Sql } from "postgres";
import { sleep, withTimeout } from "../timing.ts";

/** The database detects the connection of a dead machine within idle + interval × count seconds. */
const KEEPALIVE = { tcp_keepalives_idle: "3", tcp_keepalives_interval: "2", tcp_keepalives_count: "2" };
const RETRY_MS = 2_000;
const HEARTBEAT_MS = 1_500;
/** The answer may be lost with the connection, and the driver then waits forever. */
const ANSWER_WITHIN_MS = 3_000;
/**
 * A process can be suspended while its connection stays open (stopped, or the machine sleeps). The database ends the
 * connection, and with it the lock, after this time without a heartbeat.
 */
const SILENT_SESSION_MS = 10_000;
/**
 * A resumed process distrusts its lock this long after the last heartbeat. Work it started before is over when the database
 * gives the lock to another process, because idle transactions are ended sooner (`open-database.ts`).
 */
const TRUSTED_MS = 5_000;

export interface HeldLock {
  readonly lost: AbortSignal;
  /** Must be checked before everything that only the holder may do: a resumed process does not know yet that it lost the lock. */
  isHeld(): boolean;
  release(): Promise<void>;
}

export interface SessionLockOptions {
  readonly databaseUrl: string;
  /** At most one process on all machines holds a name. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/**
 * Waits until this process is the only holder of the name. The lock lives as long as its connection: if the holder dies,
 * the next process gets it within ten seconds. Undefined if the wait was aborted.
 */
export async function takeSessionLock(options: SessionLockOptions): Promise<HeldLock | undefined> {
  while (!options.signal.aborted) {
    const sql = connect(options.databaseUrl);
    // A database that is down is waited for like a held lock.
    const taken = await waitForLock(sql, options);
    if (taken !== undefined) return hold(sql, taken);
    await sql.end({ timeout: 1 });
    await sleep(RETRY_MS, options.signal);
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
    connection: { application_name: "sereno lock" },
  });
}

/** Set by a statement, because poolers refuse most startup parameters. */
const SESSION = { ...KEEPALIVE, idle_session_timeout: String(SILENT_SESSION_MS) };

/** `pid`: the backend that holds the lock. */
type Taken = { pid: number; sinceMs: Moment };

async function waitForLock(sql: Sql, { name, signal }: SessionLockOptions): Promise<Taken | undefined> {
  while (!signal.aborted) {
    const sinceMs = momentNow();
    const answer = await answerOf(sql<[{ is_taken: boolean; pid: number }]>`
      select pg_try_advisory_lock(hashtextextended(${name}, 0)) as is_taken, pg_backend_pid() as pid,
        (select count(set_config(key, value, false)) from jsonb_each_text(${sql.json(SESSION)}))`);
    if (answer === undefined) return undefined;
    if (answer.is_taken) return { pid: answer.pid, sinceMs };
    await sleep(RETRY_MS, signal);
  }
  return undefined;
}

function hold(sql: Sql, { pid, sinceMs }: Taken): HeldLock {
  const lost = new AbortController();
  const ended = new AbortController();
  let lastBeat = sinceMs;
  const onBeat = (sentMs: Moment) => {
    lastBeat = sentMs;
  };
  const beating = beat(sql, { pid, onBeat, signal: ended.signal }).finally(() => lost.abort());
  return {
    lost: lost.signal,
    isHeld: () => {
      if (elapsedSince(lastBeat) >= TRUSTED_MS) lost.abort();
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

/** The driver reconnects by itself, and a new connection does not hold the lock, so the backend's pid is compared. */
async function beat(sql: Sql, { pid, onBeat, signal }: BeatOptions): Promise<void> {
  while (!signal.aborted) {
    await sleep(HEARTBEAT_MS, signal);
    if (signal.aborted) return;
    const sentMs = momentNow();
    const answer = await answerOf(sql<[{ pid: number }]>`select pg_backend_pid() as pid`);
    if (answer?.pid !== pid) return;
    onBeat(sentMs);
  }
}

/** By two clocks: one stops while the machine sleeps, the other may be set back. */
type Moment = { readonly steady: number; readonly wall: number };

const momentNow = (): Moment => ({ steady: performance.now(), wall: Date.now() });

const elapsedSince = ({ steady, wall }: Moment) => Math.max(performance.now() - steady, Date.now() - wall);

/** The row, or undefined if it did not arrive in time. */
async function answerOf<Row>(asked: PromiseLike<[Row]>): Promise<Row | undefined> {
  const answer = Promise.resolve(asked).then(([row]) => row);
  return await withTimeout(ANSWER_WITHIN_MS, answer).catch(() => undefined);
}
