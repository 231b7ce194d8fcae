import type { Sql, TransactionSql } from "postgres";

// 25P03 and 25P04: the server ended it for standing still or for taking too long.
const LOST = /^(?:CONNECTION_|CONNECT_|ECONN|EPIPE|57P0[1235]$|25P0[34]$|08)/;

/**
 * All of it or nothing, and an error if the connection is lost on the way. The driver's own `begin` would then still send
 * a rollback to the connection that is no more, and that ends the process with an exception nobody can catch.
 */
export async function inTransaction<Result>(
  sql: Sql,
  run: (db: TransactionSql) => Promise<Result>,
): Promise<Result> {
  const result = await sql.begin(async (db) => {
    try {
      return { value: await run(db) };
    } catch (error) {
      // Left open on purpose: the driver rejects the transaction by itself when its connection closes.
      if (isLost(error)) return await new Promise<never>(() => {});
      throw error;
    }
  });
  return result.value as Result;
}

/** Whether the connection went with this error. */
function isLost(error: unknown): boolean {
  return error instanceof Error && "code" in error && LOST.test(String(error.code));
}
