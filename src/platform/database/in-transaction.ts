import type { Sql, TransactionSql } from "postgres";

// 25P03 and 25P04: the server ended the transaction because it was idle or took too long.
const LOST = /^(?:CONNECTION_|CONNECT_|ECONN|EPIPE|57P0[1235]$|25P0[34]$|08)/;

/**
 * Runs a transaction, and rejects if its connection is lost. The driver's own `begin` would then send a rollback over the
 * lost connection, which ends the process with an uncaught exception.
 */
export async function inTransaction<Result>(
  sql: Sql,
  run: (db: TransactionSql) => Promise<Result>,
): Promise<Result> {
  const result = await sql.begin(async (db) => {
    try {
      return { value: await run(db) };
    } catch (error) {
      // Never resolved: the driver rejects the transaction itself when its connection closes.
      if (isLost(error)) return await new Promise<never>(() => {});
      throw error;
    }
  });
  return result.value as Result;
}

/**
 * Runs a transaction, and once more if PostgreSQL ended it because of a deadlock. What `run` does outside the database
 * would happen twice.
 */
export function inRepeatableTransaction<Result>(
  sql: Sql,
  run: (db: TransactionSql) => Promise<Result>,
): Promise<Result> {
  return inTransaction(sql, run).catch((error: unknown) => {
    if (isDeadlock(error)) return inTransaction(sql, run);
    throw error;
  });
}

export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "40P01";
}

/** Whether this error means that the connection is lost. */
export function isLost(error: unknown): boolean {
  return error instanceof Error && "code" in error && LOST.test(String(error.code));
}
