// The role mail, as the settings say it.
import type { Sql } from "postgres";
import { StartError } from "#backend/postgres/start-error.ts";
import { type MailIntake, startMailIntake } from "#mail/create-mail-intake.ts";
import { createResolveText } from "#mail/receive/resolve-key.ts";
import type { Jobs } from "#store/connection/jobs.ts";
import type { Config } from "./config.ts";
import { REFUSED_PORTS } from "./http-server.ts";
import type { ServerLogger } from "./log.ts";

type Options = { config: Config; databaseUrl: string; sql: Sql; jobs: Jobs; logger: ServerLogger };

/** Nothing, where no way for alert mails to come is set. */
export async function startAlertMails(options: Options): Promise<MailIntake | undefined> {
  const { config } = options;
  const { mailIn, imap, host, dkimRecords } = config;
  if (!(config.roles.includes("mail") && (mailIn || imap))) return undefined;
  try {
    return await startMailIntake({
      ...options,
      door: mailIn && { host, ...mailIn },
      mailbox: imap,
      resolveText: createResolveText(dkimRecords),
      now: Date.now,
    });
  } catch (error) {
    const sentence = mailIn && doorMistakeOf(error, mailIn.port);
    throw sentence ? new StartError(sentence, { cause: error }) : error;
  }
}

function doorMistakeOf(error: unknown, port: number): string | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (REFUSED_PORTS[code]) return `Port ${port} ${REFUSED_PORTS[code]} with MAIL_IN_PORT.`;
  return /^ERR_(?:OSSL|SSL|TLS)/.test(code)
    ? "MAIL_IN_TLS_CERT and MAIL_IN_TLS_KEY are no certificate and its key in PEM."
    : undefined;
}
