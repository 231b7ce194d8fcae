import type { Sql, TransactionSql } from "postgres";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { jsonOf } from "#platform/database/json-parameter.ts";

/**
 * Runs what a chat does for accounts, in a transaction that has locked them. Whether the chat has confirmed them must be
 * asked in it: until then their owners may disconnect the chat.
 */
export function actForAccounts<Result>(
  sql: Sql,
  userIds: readonly string[],
  act: (db: TransactionSql) => Promise<Result>,
): Promise<Result> {
  return inTransaction(sql, async (db) => {
    await db`
      select private.lock_person(id::uuid) from jsonb_array_elements_text(${jsonOf(db, userIds)}) as id order by id`;
    return act(db);
  });
}
