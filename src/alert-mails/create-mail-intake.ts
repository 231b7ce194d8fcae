// Takes alert mails in, by a door of our own or from a mailbox, and deals with them. Any number of processes may run it on
// one database: a mail is dealt with once, and one process at a time reads the mailbox.
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import type { Jobs, Queue } from "#platform/database/jobs.ts";
import { findDueMails } from "#store/mails/kept-mails.ts";
import { READ_MAIL } from "./receive/keep-mails.ts";
import { type ProcessMailOptions, processMail } from "./receive/process-mail.ts";
import type { SmtpLimits } from "./receive/smtp-limits.ts";
import { startSmtpServer } from "./receive/smtp-server.ts";
import { superviseMailbox } from "./receive/supervise-mailbox.ts";
import { createMailWorker } from "./verify/mail-worker.ts";
import { createResolveText } from "./verify/resolve-key.ts";
import type { ResolveText } from "./verify/verify-signature.ts";

export interface MailIntakeOptions {
  readonly sql: Sql;
  readonly databaseUrl: string;
  readonly jobs: Jobs;
  readonly door?:
    | {
        readonly host: string;
        readonly port: number;
        readonly domain: string;
        readonly tls?: { readonly cert: string; readonly key: string } | undefined;
        readonly limits?: Partial<SmtpLimits> | undefined;
      }
    | undefined;
  readonly mailbox?: { readonly url: string; readonly folder: string; readonly person: string } | undefined;
  /** Asks for the keys of signatures; the name system where not given. */
  readonly resolveText?: ResolveText | undefined;
  readonly now: () => number;
  readonly logger: Logger;
  readonly onMailRead?: ProcessMailOptions["onMailRead"];
}

export interface MailIntake {
  /** Where the door is; undefined where there is none. */
  readonly port: number | undefined;
  stop(): Promise<void>;
}

/** What waits for a key, what failed, and what lost its job. */
const FIND_WAITING_MAILS: Queue<object> = {
  name: "find-waiting-mails",
  retryLimit: 0,
  cron: "* * * * *",
};
const AT_A_TIME = 6;
const FOUND_AT_ONCE = 500;

export async function startMailIntake(options: MailIntakeOptions): Promise<MailIntake> {
  const { sql, jobs, now, logger, resolveText = createResolveText() } = options;
  const stopping = new AbortController();
  const worker = createMailWorker();
  const dealing = {
    sql,
    worker,
    resolveText,
    now,
    logger,
    signal: stopping.signal,
    onMailRead: options.onMailRead,
  };
  await jobs.work(READ_MAIL, ({ id }) => processMail(dealing, id), AT_A_TIME);
  await jobs.work(FIND_WAITING_MAILS, async () => {
    await jobs.send(READ_MAIL, await findDueMails(sql, new Date(now()), FOUND_AT_ONCE));
  });
  const door = options.door && (await startSmtpServer({ sql, jobs, now, logger, ...options.door }));
  const reading =
    options.mailbox && superviseMailbox({ ...options, ...options.mailbox, now }, stopping.signal);
  if (door) logger.info({ port: door.port }, "alert mails are taken in");
  return {
    port: door?.port,
    stop: async () => {
      stopping.abort();
      await Promise.all([door?.stop(), reading]);
      await worker.close();
    },
  };
}
