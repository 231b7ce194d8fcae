import { setTimeout as sleep } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { withTimeout } from "../timing.ts";

/** Longer than any statement of people may take, and than a restart of the database. */
const STUCK_MS = 30_000;
const PROBE_EVERY_MS = 15_000;
/** A single failure says little: while the server ends connections, a working pool fails now and then. */
const PROBE_AGAIN_MS = 250;
const FRESH_WITHIN_MS = 5_000;

/** By what they are for. */
export type WatchedPools = Readonly<Record<string, { readonly sql: Sql; readonly url: string }>>;

interface WatchOptions {
  readonly pools: WatchedPools;
  /** The pool does not recover by itself: the process should end, and start again. */
  readonly onStuck: (name: string) => void;
  readonly stuckMs?: number;
  readonly probeEveryMs?: number;
}

/** Reports a pool that has not answered for 30 seconds although a new connection to the same database does. */
export function watchPools({ pools, onStuck, ...times }: WatchOptions): { stop(): void } {
  const { stuckMs = STUCK_MS, probeEveryMs = PROBE_EVERY_MS } = times;
  let isStopped = false;
  const looks = Object.entries(pools).map(([name, { sql, url }]) => {
    let answeredAtMs = performance.now();
    let [isProbing, isChecking] = [false, false];
    const answered = () => {
      answeredAtMs = performance.now();
    };
    const probe = async (): Promise<void> => {
      isProbing = true;
      while (!isStopped && !(await isAlive(sql))) {
        await sleep(Math.min(PROBE_AGAIN_MS, probeEveryMs), undefined, { ref: false });
      }
      answered();
      isProbing = false;
    };
    return () => {
      if (!isProbing) void probe();
      if (isChecking || performance.now() - answeredAtMs < stuckMs) return;
      isChecking = true;
      void isAnswering(url).then((isFreshAnswering) => {
        isChecking = false;
        if (isFreshAnswering && performance.now() - answeredAtMs >= stuckMs) onStuck(name);
        // An outage: give the pool time to notice its end.
        if (!isFreshAnswering) answered();
      });
    };
  });
  // One timer for all: an idle process wakes up once.
  const lookAtAll = () => {
    for (const look of looks) look();
  };
  lookAtAll();
  const timer = setInterval(lookAtAll, probeEveryMs);
  return {
    stop: () => {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

function isAlive(sql: Sql): Promise<boolean> {
  return sql`select 1`.then(
    () => true,
    () => false,
  );
}

async function isAnswering(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, fetch_types: false, connect_timeout: 5, onnotice: () => {} });
  try {
    await withTimeout(FRESH_WITHIN_MS, sql`select 1`);
    return true;
  } catch {
    return false;
  } finally {
    void sql.end({ timeout: 0 }).catch(() => {});
  }
}
