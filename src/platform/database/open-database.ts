// The way of our own processes to the database: the second door beside row-level security.
import type { Sql } from "postgres";
import { openPool } from "./open-pool.ts";

/** A transaction of a process that stands still ends, and with it what it has locked. See `session-lock.ts`. */
const IDLE_TRANSACTION_MS = 4_000;

export interface OpenDatabaseOptions {
  readonly url: string;
  readonly max: number;
}

export function openDatabase({ url, max }: OpenDatabaseOptions): Sql {
  return openPool(url, {
    max,
    idle_timeout: 60,
    connect_timeout: 10,
    connection: { idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS },
  });
}
