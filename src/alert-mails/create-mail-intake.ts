// Receives alert mails by its own SMTP server or from an IMAP mailbox, and processes them. Any number of processes may run
// it on one database: each mail is processed once, and one process at a time reads the mailbox.
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import type { Jobs, Queue } from "#platform/database/jobs.ts";
import { READ_MAIL } from "./receive/keep-mails.ts";
import { type ProcessMailOptions, processMail } from "./receive/process-mail.ts";
import { startSmtpServer } from "./receive/smtp-server.ts";
import type { SmtpLimits } from "./receive/smtp-sessions.ts";
import { superviseMailbox } from "./receive/supervise-mailbox.ts";
import { findDueMails } from "./rows/kept-mails.ts";
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
  /** Hands on what is sent to postmaster@ the domain. */
  readonly toPostmaster?: ((raw: Buffer) => Promise<void>) | undefined;
  readonly mailbox?: { readonly url: string; readonly folder: string; readonly person: string } | undefined;
  /** Looks up the keys of signatures. Defaults to DNS. */
  readonly resolveText?: ResolveText | undefined;
  readonly now: () => number;
  readonly logger: Logger;
  readonly onMailRead?: ProcessMailOptions["onMailRead"];
}

export interface MailIntake {
  /** The port of the SMTP server; undefined without one. */
  readonly port: number | undefined;
  stop(): Promise<void>;
}

/** Requeues mails that wait for a key, failed, or lost their job. */
const FIND_WAITING_MAILS: Queue<object> = {
  name: "find-waiting-mails",
  retryLimit: 0,
  cron: "* * * * *",
};
const CONCURRENCY = 6;
const BATCH_SIZE = 500;

export async function startMailIntake(options: MailIntakeOptions): Promise<MailIntake> {
  const { sql, jobs, now, logger, resolveText = createResolveText() } = options;
  const stopping = new AbortController();
  const worker = createMailWorker();
  const processing = {
    sql,
    worker,
    resolveText,
    now,
    logger,
    signal: stopping.signal,
    onMailRead: options.onMailRead,
  };
  await jobs.work(READ_MAIL, ({ id }) => processMail(processing, id), CONCURRENCY);
  await jobs.work(FIND_WAITING_MAILS, async () => {
    await jobs.send(READ_MAIL, await findDueMails(sql, new Date(now()), BATCH_SIZE));
  });
  const { toPostmaster } = options;
  const server =
    options.door && (await startSmtpServer({ sql, jobs, now, logger, toPostmaster, ...options.door }));
  const reading =
    options.mailbox && superviseMailbox({ ...options, ...options.mailbox, now }, stopping.signal);
  if (server) logger.info({ port: server.port }, "receiving alert mails by SMTP");
  return {
    port: server?.port,
    stop: async () => {
      stopping.abort();
      await Promise.all([server?.stop(), reading]);
      await worker.close();
    },
  };
}
