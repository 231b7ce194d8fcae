import postgres, { type Options, type PostgresType, type Sql } from "postgres";

// The driver keeps its idle connections in an array that it empties only when no connection is idle. Until then every query
// adds a slot, and the next one searches all of them: after a day of steady use each query would take ten times as long.
const EMPTY_EVERY_MS = 10 * 60_000;

type PoolOptions = Options<Record<string, PostgresType>> & { max: number };

/**
 * A pool of connections for a process that runs for weeks. Array parameters are passed as JSON: otherwise the driver would
 * ask for the array types on every new connection, and a database that stops at that moment leaves a rejection that cannot
 * be caught.
 */
export function openPool(url: string, options: PoolOptions, emptyEveryMs = EMPTY_EVERY_MS): Sql {
  const sql = postgres(url, { fetch_types: false, onnotice: () => {}, ...options });
  const timer = setInterval(() => {
    useAllConnections(sql).catch((error: unknown) => {
      if (isEnded(error)) clearInterval(timer);
      // Anything else is reported by the next statement that somebody waits for.
    });
  }, emptyEveryMs);
  timer.unref();
  return sql;
}

/**
 * Opens every connection of a pool. A login costs both sides some ten milliseconds of computing; opened on demand, the
 * connections would all be paid for by the first requests of a busy moment.
 */
export async function useAllConnections(sql: Sql): Promise<void> {
  await Promise.all(Array.from({ length: sql.options.max }, () => sql`select 1`));
}

function isEnded(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "CONNECTION_ENDED";
}
