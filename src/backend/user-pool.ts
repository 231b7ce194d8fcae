// How many connections serve people, and how long each may work for them. Our own processes have theirs (src/server),
// so that whatever people ask, the watcher, the bot and the sender are not kept waiting. With all of them in one process
// they come to about 50 of the embedded server's 100.
import type { Sql } from "postgres";
import { withTimeout } from "#platform/timing.ts";
import { DATA_LIMITS } from "./rest/data-gate.ts";

/** The data API: one for each request that may be at work (data-gate.ts), and one that tells whether they answer. */
export const DATA_CONNECTIONS = DATA_LIMITS.total + 1;
/** The auth service, which every request asks whether its session is alive. */
export const AUTH_CONNECTIONS = 8;
/** Realtime reads changed rows with each subscriber's rights. */
export const REALTIME_CONNECTIONS = 4;
/** Realtime's session checks, apart from those of auth and the data API. */
export const REALTIME_SESSION_CONNECTIONS = 2;

/** A person's statement is cut after this, and a transaction left open for as long ends with its connection. */
const LIMIT_MS = 5_000;

/**
 * For every connection that works on behalf of people; never for one that migrates. As settings of the connection they
 * outlast each transaction's `set role`, which a setting of the role would not survive.
 */
export const PEOPLE_LIMITS = {
  statement_timeout: LIMIT_MS,
  idle_in_transaction_session_timeout: LIMIT_MS,
};

/** Whether an error means that PostgreSQL cut a statement off for taking too long. */
export function isCutOff(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === CUT_OFF;
}

const CUT_OFF = "57014";

/** In PostgREST's shape. Not 503, which supabase-js asks again by itself: once was slow enough. */
export const cutOffAnswer = () =>
  Response.json(
    {
      code: CUT_OFF,
      details: null,
      hint: "Ask for less at a time",
      message: `This took longer than ${LIMIT_MS / 1000} seconds and was cut off`,
    },
    { status: 504 },
  );

export type PoolProbe = () => Promise<boolean>;

/**
 * Tells whether a pool answers within the time given. However often it is asked, one question at a time waits in the
 * pool: a pool that is stuck would otherwise be handed more to do by everyone who looks.
 */
export function createPoolProbe(sql: Sql, withinMs: number): PoolProbe {
  let asked: Promise<boolean> | undefined;
  return async () => {
    // A database that refuses is as unready as one that is silent.
    asked ??= sql`select 1`
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        asked = undefined;
      });
    return withTimeout(withinMs, asked).catch(() => false);
  };
}
