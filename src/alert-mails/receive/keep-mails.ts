import type { Sql, TransactionSql } from "postgres";
import { inTransaction } from "#platform/database/in-transaction.ts";
import type { Jobs, Queue } from "#platform/database/jobs.ts";
import { type IncomingMail, keepMail } from "../rows/kept-mails.ts";

export const READ_MAIL: Queue<{ id: string }> = {
  name: "read-mail",
  // Retries are for a process that dies. Failures are postponed by processMail.
  retryLimit: 5,
  retryDelay: 1,
  retryBackoff: true,
  expireInSeconds: 240,
  keyOf: ({ id }) => id,
};

/** Too many mails of a user wait to be processed. */
export class MailboxFullError extends Error {
  override name = "MailboxFullError";
}

/** Stores the mails, their jobs and the caller's other writes in one transaction. */
export function keepMails(
  { sql, jobs }: { sql: Sql; jobs: Jobs },
  mails: readonly IncomingMail[],
  writeMore?: (db: TransactionSql) => Promise<void>,
): Promise<void> {
  return inTransaction(sql, async (db) => {
    const ids: string[] = [];
    for (const mail of mails) {
      const id = await keepMail(db, mail);
      if (id === "full") throw new MailboxFullError("Too many mails wait to be processed");
      if (id !== null) ids.push(id);
    }
    await jobs.send(
      READ_MAIL,
      ids.map((id) => ({ id })),
      { db },
    );
    await writeMore?.(db);
  });
}
