// Starts the mail role from the settings.
import type { Sql } from "postgres";
import { type MailIntake, startMailIntake } from "#alert-mails/create-mail-intake.ts";
import { createResolveText } from "#alert-mails/verify/resolve-key.ts";
import { StartError } from "#backend/postgres/start-error.ts";
import type { DatabaseClock } from "#platform/database/database-clock.ts";
import type { Jobs } from "#platform/database/jobs.ts";
import type { Config } from "./config.ts";
import type { ServerLogger } from "./log.ts";
import type { Counters } from "./monitoring/counters.ts";
import { refusedPort } from "./start/refused-port.ts";

type Options = {
  config: Config;
  databaseUrl: string;
  sql: Sql;
  jobs: Jobs;
  logger: ServerLogger;
  counters: Counters;
  clock: DatabaseClock;
};

/** Returns undefined if no way to receive alert mails is configured. */
export async function startAlertMails(options: Options): Promise<MailIntake | undefined> {
  const { config } = options;
  const { mailIn, imap, dkimRecords } = config;
  if (!(config.roles.includes("mail") && (mailIn || imap))) return undefined;
  try {
    return await startMailIntake({
      ...options,
      door: mailIn,
      mailbox: imap,
      resolveText: createResolveText(dkimRecords),
      now: options.clock.now,
      onMailRead: options.counters.onMailRead,
    });
  } catch (error) {
    throw mailIn ? doorMistakeOf(error, mailIn) : error;
  }
}

function doorMistakeOf(error: unknown, { host, port }: { host: string; port: number }): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  if (/^ERR_(?:OSSL|SSL|TLS)/.test(String(error.code))) {
    return new StartError(
      "MAIL_IN_TLS_CERT and MAIL_IN_TLS_KEY are not a certificate and its key in PEM format.",
      {
        cause: error,
      },
    );
  }
  return "syscall" in error && error.syscall === "listen"
    ? refusedPort(error, { host, port, setting: "MAIL_IN_PORT" })
    : error;
}
