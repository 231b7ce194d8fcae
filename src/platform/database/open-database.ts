// The connections of our own processes. Users' requests have connections of their own, under row-level security.
import postgres, { type Sql } from "postgres";

/** Ends the transaction of a suspended process, and releases its locks. See `session-lock.ts`. */
const IDLE_TRANSACTION_MS = 4_000;

export interface OpenDatabaseOptions {
  readonly url: string;
  readonly max: number;
}

/**
 * Array parameters are passed as JSON. Otherwise the driver would query the array types on every new connection, and if the
 * database stops at that moment, the rejection cannot be caught.
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
