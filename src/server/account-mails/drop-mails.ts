import type { Sql } from "postgres";
import type { Jobs, Queue } from "#platform/database/jobs.ts";
import { takeAccountMails } from "#store/account-mails.ts";

const DROP_ACCOUNT_MAILS: Queue<object> = { name: "drop-account-mails", retryLimit: 0, cron: "0 * * * *" };

/** Beside a hosted Supabase and without a mail server of our own nobody sends what the database would tell: nothing piles up. */
export async function startDroppingMails({ sql, jobs }: { sql: Sql; jobs: Jobs }): Promise<void> {
  await jobs.work(DROP_ACCOUNT_MAILS, () => takeAccountMails(sql));
}
