// Connection and time limits for people's requests. Our own processes have separate connections (src/server), so
// people's load cannot delay the watcher, the bot or the sender. One process with all roles opens about 50 of the
// embedded server's 100.
import type { Sql } from "postgres";
import { withTimeout } from "#platform/timing.ts";
import { DATA_LIMITS } from "./rest/data-gate.ts";

/** The data API: one for each concurrent request (data-gate.ts), and one for the readiness probe. */
export const DATA_CONNECTIONS = DATA_LIMITS.total + 1;
/** The auth service. */
export const AUTH_CONNECTIONS = 8;
/** The session checks of auth and the data API, so that nobody's request waits behind a flood of sign-ins. */
export const SESSION_CONNECTIONS = 2;
/** Realtime reads changed rows with each subscriber's rights. */
export const REALTIME_CONNECTIONS = 4;
/** Realtime's session checks, separate from those of auth and the data API. */
export const REALTIME_SESSION_CONNECTIONS = 2;

/** Limits a statement, and the time a transaction may stay idle. */
const LIMIT_MS = 5_000;

/**
 * For every connection that serves people, never for migrations. These are settings of the connection because settings
 * of a role do not survive `set role`.
 */
export const PEOPLE_LIMITS = {
  statement_timeout: LIMIT_MS,
  idle_in_transaction_session_timeout: LIMIT_MS,
};

/** Whether PostgreSQL cancelled a statement because it took too long. */
export function isQueryTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === QUERY_CANCELED;
}

const QUERY_CANCELED = "57014";

/** In PostgREST's format. Not 503, which supabase-js retries: the slow query would run again. */
export const queryTimeoutAnswer = () =>
  Response.json(
    {
      code: QUERY_CANCELED,
      details: null,
      hint: "Request less data at a time",
      message: `This took longer than ${LIMIT_MS / 1000} seconds and was cancelled`,
    },
    { status: 504 },
  );

export type PoolProbe = () => Promise<boolean>;

/** Only one probe waits at a time: probes must not add load to a stuck pool. */
export function createPoolProbe(sql: Sql, withinMs: number): PoolProbe {
  let asked: Promise<boolean> | undefined;
  return async () => {
    // An error means not ready, like a timeout.
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
