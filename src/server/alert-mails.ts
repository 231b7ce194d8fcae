// Starts the mail role from the settings.
import type { Sql } from "postgres";
import { type MailIntake, startMailIntake } from "#alert-mails/create-mail-intake.ts";
import { createResolveText } from "#alert-mails/verify/resolve-key.ts";
import { StartError } from "#backend/postgres/start-error.ts";
import type { DatabaseClock } from "#platform/database/database-clock.ts";
import type { Jobs } from "#platform/database/jobs.ts";
import { sendOperatorMail } from "./account-mails/send-mails.ts";
import type { Config } from "./config.ts";
import type { ServerLogger } from "./log.ts";
import type { Counters } from "./monitoring/counters.ts";
import { refusedPort } from "./start/refused-port.ts";

type IntakeOptions = {
  config: Config;
  databaseUrl: string;
  sql: Sql;
  jobs: Jobs;
  logger: ServerLogger;
  counters: Counters;
  clock: DatabaseClock;
};

/** Returns undefined if no way to receive alert mails is configured. */
export async function startAlertMails(options: IntakeOptions): Promise<MailIntake | undefined> {
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
      toPostmaster: mailIn && postmasterOf(options, mailIn.domain),
    });
  } catch (error) {
    throw mailIn ? doorMistakeOf(error, mailIn) : error;
  }
}

/** More is seldom worth reading, and would have to wait in the queue of mails. */
const LONGEST_LETTER = 20_000;

/** Undefined if nothing can be mailed to the operator. */
function postmasterOf({ config, jobs, clock }: IntakeOptions, domain: string) {
  const to = config.monitoring.operatorEmail;
  if (to === undefined || config.mail === undefined) return undefined;
  return async (raw: Buffer): Promise<void> => {
    const letter = raw.toString("utf8").replaceAll("\0", "").toWellFormed();
    const cut = letter.length > LONGEST_LETTER ? "\n…" : "";
    const text = `Sereno received this for postmaster@${domain}:\n\n${letter.slice(0, LONGEST_LETTER)}${cut}\n`;
    await sendOperatorMail({ jobs, now: clock.now }, { to, subject: `Mail to postmaster@${domain}`, text });
  };
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
