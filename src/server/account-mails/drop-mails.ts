import type { Sql } from "postgres";
import type { Jobs, Queue } from "#platform/database/jobs.ts";
import { takeAccountMails } from "#store/account-mails.ts";

const DROP_ACCOUNT_MAILS: Queue<object> = { name: "drop-account-mails", retryLimit: 0, cron: "0 * * * *" };

/** On hosted Supabase without an SMTP server nobody sends account mails, so they are deleted. */
export async function startDroppingMails({ sql, jobs }: { sql: Sql; jobs: Jobs }): Promise<void> {
  await jobs.work(DROP_ACCOUNT_MAILS, () => takeAccountMails(sql));
}
