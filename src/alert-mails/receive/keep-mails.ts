import type { Sql, TransactionSql } from "postgres";
import { inTransaction } from "#platform/database/in-transaction.ts";
import type { Jobs, Queue } from "#platform/database/jobs.ts";
import { type IncomingMail, keepMail } from "#store/mails/kept-mails.ts";

export const READ_MAIL: Queue<{ id: string }> = {
  name: "read-mail",
  // For a process that dies: what fails is put off by whoever deals with it.
  retryLimit: 5,
  retryDelay: 1,
  retryBackoff: true,
  expireInSeconds: 240,
  keyOf: ({ id }) => id,
};

/** Too many mails of a person wait to be read. */
export class MailboxFullError extends Error {
  override name = "MailboxFullError";
}

/** One mail for each of its people, the jobs that read it, and what else is written: all of it or nothing. */
export function keepMails(
  { sql, jobs }: { sql: Sql; jobs: Jobs },
  mails: readonly IncomingMail[],
  writeElse?: (db: TransactionSql) => Promise<void>,
): Promise<void> {
  return inTransaction(sql, async (db) => {
    const ids: string[] = [];
    for (const mail of mails) {
      const id = await keepMail(db, mail);
      if (id === "full") throw new MailboxFullError("Too many mails wait to be read");
      if (id !== null) ids.push(id);
    }
    await jobs.send(
      READ_MAIL,
      ids.map((id) => ({ id })),
      { db },
    );
    await writeElse?.(db);
  });
}
