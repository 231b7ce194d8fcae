// The way of our own processes to the database: the second door beside row-level security.
import postgres, { type Sql } from "postgres";

/** A transaction of a process that stands still ends, and with it what it has locked. See `session-lock.ts`. */
const IDLE_TRANSACTION_MS = 4_000;

export interface OpenDatabaseOptions {
  readonly url: string;
  readonly max: number;
}

/**
 * Array parameters are passed as JSON. The driver would otherwise ask for the array types on every new connection,
 * and a database that ends at that very moment leaves a rejection that nobody can catch.
 */
export function openDatabase({ url, max }: OpenDatabaseOptions): Sql {
  return postgres(url, {
    max,
    fetch_types: false,
    idle_timeout: 60,
    connect_timeout: 10,
    onnotice: () => {},
    connection: { idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS },
  });
}
