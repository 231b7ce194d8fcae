import type { Sql, TransactionSql } from "postgres";

const LOST = /^(?:CONNECTION_|CONNECT_|ECONN|EPIPE|57P0[123]$|08)/;

/**
 * All of it or nothing, and an error if the connection is lost on the way. The driver's own `begin` would then still send
 * a rollback to the connection that is no more, and that ends the process with an exception nobody can catch.
 */
export async function inTransaction<Result>(
  sql: Sql,
  deed: (db: TransactionSql) => Promise<Result>,
): Promise<Result> {
  const result = await sql.begin(async (db) => {
    try {
      return { value: await deed(db) };
    } catch (error) {
      // Left open on purpose: the driver rejects the transaction by itself when its connection closes.
      if (isLost(error)) return await new Promise<never>(() => {});
      throw error;
    }
  });
  return result.value as Result;
}

function isLost(error: unknown): boolean {
  return error instanceof Error && "code" in error && LOST.test(String(error.code));
}
