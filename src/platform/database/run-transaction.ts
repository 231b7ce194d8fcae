import type { Sql, TransactionSql } from "postgres";
import type { Connection, DriverQuery } from "./connection.ts";
import { sqlVia } from "./sql-via.ts";

const IN_FAILED_TRANSACTION = "25P02";

/**
 * Runs a transaction on a connection that nobody else uses meanwhile. If the connection is lost, the transaction rejects
 * at once, and so does every later statement of `run`.
 */
export async function runTransaction<Result>(options: {
  writer: Sql;
  connection: Connection;
  /** For example `isolation level repeatable read`. */
  mode: string;
  run: (db: TransactionSql) => Promise<Result> | Result;
}): Promise<Result> {
  const { writer, connection, mode, run } = options;
  const execute = (statement: string): Promise<unknown> => {
    const query = writer.unsafe(statement) as unknown as DriverQuery;
    query.handler = connection.run;
    return query;
  };
  let isOver = false;
  // Even if `run` catches it: PostgreSQL would answer the commit with a rollback that looks like a success.
  let failure: { error: unknown } | undefined;
  const dispatch = (query: DriverQuery) => {
    query.catch((error: unknown) => {
      failure ??= { error };
    });
    if (isOver) query.reject(new Error("The transaction is over"));
    else connection.run(query);
  };
  /** What fails in this part fails the transaction only if the caller does not catch it. */
  const savepoint = async (part: (db: TransactionSql) => Promise<unknown>): Promise<unknown> => {
    await execute("savepoint part");
    const before = failure;
    try {
      const result = await part(db);
      if (failure !== before) throw failure?.error;
      await execute("release savepoint part");
      return result;
    } catch (error) {
      if (connection.isClosed()) throw error;
      await execute("rollback to savepoint part");
      failure = before;
      throw error;
    }
  };
  const db = sqlVia(writer, dispatch, { savepoint }) as unknown as TransactionSql;

  await execute(`begin ${mode}`);
  try {
    const result = await Promise.race([connection.closed, Promise.resolve(run(db))]);
    if (failure) throw failure.error;
    isOver = true;
    await execute("commit");
    return result;
  } catch (error) {
    isOver = true;
    if (!connection.isClosed()) await execute("rollback").catch(() => connection.close());
    throw hasCode(error, IN_FAILED_TRANSACTION) && failure ? failure.error : error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
