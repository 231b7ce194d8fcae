// The connections of our own processes. Users' requests have connections of their own, under row-level security.
import type { Sql } from "postgres";
import { openPool } from "./open-pool.ts";

/** Ends the transaction of a suspended process, and releases its locks. See `session-lock.ts`. */
const IDLE_TRANSACTION_MS = 4_000;

export interface OpenDatabaseOptions {
  readonly url: string;
  readonly max: number;
}

export function openDatabase({ url, max }: OpenDatabaseOptions): Sql {
  return openPool(url, {
    max,
    idleSeconds: 30,
    settings: { idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS },
  });
}
