// Every mail is a job: one that cannot be sent is tried again for a day, and nothing of it stays when it is sent or given
// up. What the database itself has to tell (a changed password, a new chat, a deleted account) waits in a table, written by
// triggers in the transaction that did it: they cannot know the job queue, which moves in after them.
import { createTransport } from "nodemailer";
import type { Sql } from "postgres";
import type { SendAuthMail } from "#backend/auth/auth-mail.ts";
import { createRateLimiter } from "#backend/limits/rate-limit.ts";
import { DEFAULT_LANGUAGE, isLanguage, type Language, languageOfPath } from "#core/languages.ts";
import type { Logger } from "#core/ports/logger.ts";
import { takeAccountMails, type WaitingMail } from "#store/account-mails.ts";
import { inTransaction } from "#store/connection/in-transaction.ts";
import type { Jobs, Queue } from "#store/connection/jobs.ts";
import { listenFor } from "#store/connection/listen-for.ts";
import { type Mail, type RenderedMail, renderMail } from "./render-mail.ts";

type OutgoingMail = RenderedMail & { kind: Mail["kind"]; to: string };

const DAY_SECONDS = 86_400;
/** As long as the link of such a mail opens anything. */
const LINK_SECONDS = 3_600;

const SEND_MAIL: Queue<OutgoingMail> = {
  name: "send-mail",
  // A day: eight doublings up to an hour, then every hour.
  retryLimit: 30,
  retryDelay: 15,
  retryBackoff: true,
  retryDelayMax: 3_600,
  retentionSeconds: DAY_SECONDS,
  expireInSeconds: 120,
};
/** By notification; every minute for one that was lost. */
const COLLECT_ACCOUNT_MAILS: Queue<object> = {
  name: "collect-account-mails",
  retryLimit: 0,
  cron: "* * * * *",
};

type Options = {
  databaseUrl: string;
  sql: Sql;
  jobs: Jobs;
  mail: { smtpUrl: string; from: string };
  siteUrl: string;
  logger: Logger;
  now: () => number;
};

/** Writes the auth service's mails in our words and the person's language. */
export function createAuthMailSender({ jobs, siteUrl }: Pick<Options, "jobs" | "siteUrl">): SendAuthMail {
  return async (mail) => {
    const { kind, to, tokenHash, metadata } = mail;
    const content = { kind, tokenHash, language: mailLanguage(mail), fullName: metadata.full_name };
    await jobs.send(SEND_MAIL, [{ kind, to, ...renderMail(content, siteUrl) }], {
      retentionSeconds: LINK_SECONDS,
    });
  };
}

/** The language of the page that asked for the mail; else the one the person signed up in; else English. */
export function mailLanguage(mail: {
  redirectTo: string | undefined;
  metadata: Record<string, unknown>;
}): Language {
  if (mail.redirectTo !== undefined) return languageOfPath(new URL(mail.redirectTo).pathname);
  return languageOr(mail.metadata.language);
}

function languageOr(wish: unknown): Language {
  return typeof wish === "string" && isLanguage(wish) ? wish : DEFAULT_LANGUAGE;
}

/** Sends mails in this process, and turns what waits in the table into jobs. */
export async function startMails(options: Options): Promise<{ stop: () => Promise<void> }> {
  const { databaseUrl, jobs, logger } = options;
  const transport = createTransport({
    url: options.mail.smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    // A mail is made of our own words: nothing in it may point nodemailer at a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  await jobs.work(SEND_MAIL, async ({ kind, ...mail }) => {
    await transport.sendMail({ from: options.mail.from, ...mail }).catch((error: unknown) => {
      // A mail server's words may hold the address.
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      throw new Error(`A mail (${kind}) was not sent: ${code}`);
    });
    logger.info({ kind }, "mail sent");
  });
  const collect = createCollector(options);
  await jobs.work(COLLECT_ACCOUNT_MAILS, collect);
  const look = () => {
    jobs.send(COLLECT_ACCOUNT_MAILS, [{}]).catch((error: unknown) => {
      logger.warn({ err: error }, "account mails wait for the next minute");
    });
  };
  const listener = listenFor({
    url: databaseUrl,
    channel: "account_mails",
    onNotification: look,
    onListening: look,
  });
  return {
    stop: async () => {
      await listener.stop();
      transport.close();
    },
  };
}

function createCollector({ sql, jobs, siteUrl, logger, now }: Options): () => Promise<void> {
  // Whoever holds an account made with another's address must not be able to fill that other's mailbox.
  const mailsToOneAddress = createRateLimiter({ perWindow: 10, windowMs: DAY_SECONDS * 1000, burst: 10 });
  const maySend = ({ kind, email, createdAt }: WaitingMail) => {
    const isOld = createdAt.getTime() < now() - DAY_SECONDS * 1000;
    if (isOld) logger.error({ kind }, "account mail given up after a day");
    if (isOld || email === "") return false;
    const isAllowed = mailsToOneAddress.take(email, now());
    if (!isAllowed) logger.warn({ kind }, "account mail not sent: too many to one address");
    return isAllowed;
  };
  return () =>
    inTransaction(sql, async (db) => {
      const mails = (await takeAccountMails(db)).filter(maySend);
      const outgoing = mails.map((mail) => ({
        kind: mail.kind,
        to: mail.email,
        ...renderMail(contentOf(mail), siteUrl),
      }));
      await jobs.send(SEND_MAIL, outgoing, { db });
    });
}

function contentOf({ kind, fullName, chatId, chatTitle, ...mail }: WaitingMail): Mail {
  const reader = { language: languageOr(mail.language), fullName };
  return kind === "chat-connected"
    ? { ...reader, kind, chatId: chatId ?? "", chatTitle }
    : { ...reader, kind };
}
