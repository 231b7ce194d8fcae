// Every mail is a job. A mail that cannot be sent is retried for a day, or as long as its link is valid, and is deleted
// when sent or given up. If the process dies while sending, the mail is sent again with the same Message-ID, because losing a
// link is worse than a second copy; only the mail with waiting alerts, which also come by Telegram, is sent at most once. Account
// notices (changed password, new chat, deleted account) are first written to a table by triggers, in the transaction that
// caused them: triggers cannot use the job queue, which is installed after them.
import { randomUUID } from "node:crypto";
import type { Transporter } from "nodemailer";
import type { Sql } from "postgres";
import type { SendAuthMail } from "#backend/auth/auth-parts.ts";
import { unreachableHealth } from "#core/health/health-of.ts";
import { DEFAULT_LANGUAGE, type Language, languageOfPath, languageOr } from "#core/languages.ts";
import type { Logger } from "#core/ports/logger.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";
import type { Jobs, Queue } from "#platform/database/jobs.ts";
import { listenFor } from "#platform/database/listen-for.ts";
import { mailboxIn } from "#platform/email-address.ts";
import { createRateLimiter } from "#platform/limits/rate-limit.ts";
import { findMailableAlerts } from "#telegram/send/outage/mailable-alerts.ts";
import {
  type AwayMailKey,
  beginAwayMail,
  findPeopleWaiting,
  queueAwayMail,
  releaseAwayMail,
} from "#telegram/send/rows/away-mails.ts";
import type { Operator } from "../monitoring/operator-settings.ts";
import { closeIncident, openIncident } from "../monitoring/rows/incidents.ts";
import { createMailTransport } from "./mail-transport.ts";
import { type Mail, type RenderedMail, renderMail } from "./render-mail.ts";
import { noteUnreachablePeople, takeAccountMails, type WaitingMail } from "./rows/account-mails.ts";

export type MailResult = "sent" | "failed" | "refused" | "expired";

export type OutgoingMail = Omit<RenderedMail, "html"> & {
  kind: Mail["kind"] | "operator";
  to: string;
  html?: string;
  expiresAt: number;
  /** For its Message-ID. Mails that an older version queued have none. */
  id?: string;
  /** A mail that is sent at most once, even if the process dies while sending it. */
  once?: AwayMailKey;
};

const DAY_SECONDS = 86_400;
/** As long as the link in the mail is valid; that of a sign-up is valid for longer, and nobody waits for it. */
const LINK_SECONDS = 3_600;
/** Leaves time for the attempt that finds the mail too old and counts it. */
const MARGIN_SECONDS = 1_800;

// Mails end by age: the handler deletes those that are sent, refused or too old.
const SEND_MAIL: Queue<OutgoingMail> = {
  name: "send-mail",
  retryLimit: 500,
  retryDelay: 15,
  retryBackoff: true,
  retryDelayMax: 900,
  retentionSeconds: DAY_SECONDS + MARGIN_SECONDS,
  expireInSeconds: 120,
};
/** A person is waiting for it, so it goes first and is retried every minute. */
const LINK_MAIL = {
  priority: 1,
  retryDelay: 2,
  retryDelayMax: 60,
  retentionSeconds: LINK_SECONDS + MARGIN_SECONDS,
};
const INCIDENT = { kind: "mail", subject: "" } as const;
/** A slow delivery does not block the others. */
const MAILS_AT_ONCE = 3;
/** Triggered by a notification; the schedule covers lost ones. */
const COLLECT_ACCOUNT_MAILS: Queue<object> = {
  name: "collect-account-mails",
  retryLimit: 0,
  cron: "* * * * *",
};

/** A day without a reachable chat is noticed within a quarter of an hour. */
const NOTE_UNREACHABLE_PEOPLE: Queue<object> = {
  name: "note-unreachable-people",
  retryLimit: 0,
  cron: "*/15 * * * *",
};

/** Alerts that wait because Telegram is away are mailed within a minute of being due. */
const MAIL_WAITING_ALERTS: Queue<object> = {
  name: "mail-waiting-alerts",
  retryLimit: 0,
  cron: "* * * * *",
  keyOf: () => "all",
};

type MailsOptions = {
  databaseUrl: string;
  sql: Sql;
  jobs: Jobs;
  mail: { smtpUrl: string; from: string };
  siteUrl: string;
  operator: Operator;
  logger: Logger;
  now: () => number;
  onMail: (kind: OutgoingMail["kind"], result: MailResult) => void;
};

/** Renders the auth service's mails in the person's language. */
export function createAuthMailSender(
  options: Pick<MailsOptions, "jobs" | "siteUrl" | "operator" | "now">,
): SendAuthMail {
  const { jobs, siteUrl, operator, now } = options;
  return async (mail) => {
    const { kind, to, tokenHash, metadata } = mail;
    const content = { kind, tokenHash, language: mailLanguage(mail), fullName: metadata.full_name };
    const isAwaited = kind !== "confirmation";
    const expiresAt = now() + (isAwaited ? LINK_SECONDS : DAY_SECONDS) * 1000;
    const job = { id: randomUUID(), kind, to, expiresAt, ...renderMail(content, siteUrl, operator) };
    await jobs.send(SEND_MAIL, [job], isAwaited ? LINK_MAIL : {});
  };
}

export async function sendOperatorMail(
  { jobs, now }: Pick<MailsOptions, "jobs" | "now">,
  mail: { to: string; subject: string; text: string },
): Promise<void> {
  const expiresAt = now() + DAY_SECONDS * 1000;
  await jobs.send(SEND_MAIL, [{ id: randomUUID(), kind: "operator", expiresAt, ...mail }]);
}

/** Queues mails from a backup again. */
export async function requeueMails(jobs: Jobs, mails: readonly object[]): Promise<void> {
  await jobs.send(SEND_MAIL, mails as OutgoingMail[]);
}

/** The language of the page that requested the mail, otherwise that of the sign-up, otherwise English. */
export function mailLanguage(mail: {
  redirectTo: string | undefined;
  metadata: Record<string, unknown>;
}): Language {
  if (mail.redirectTo !== undefined) return languageOfPath(new URL(mail.redirectTo).pathname);
  return languageOr(mail.metadata.language, DEFAULT_LANGUAGE);
}

/** Sends mails in this process, and turns rows of the table into jobs. */
export async function startMails(options: MailsOptions): Promise<{ stop: () => Promise<void> }> {
  const { databaseUrl, jobs, logger } = options;
  const transport = createMailTransport(options.mail.smtpUrl, { timeoutMs: 10_000 });
  await jobs.work(SEND_MAIL, createMailHandler(options, transport), MAILS_AT_ONCE);
  const collect = createCollector(options);
  await jobs.work(COLLECT_ACCOUNT_MAILS, collect);
  await jobs.work(NOTE_UNREACHABLE_PEOPLE, () => noteUnreachablePeople(options.sql));
  await jobs.work(MAIL_WAITING_ALERTS, () => mailWaitingAlerts(options.sql, options.now()));
  const look = () => {
    jobs.send(COLLECT_ACCOUNT_MAILS, [{}]).catch((error: unknown) => {
      logger.warn({ err: error }, "could not collect account mails; trying again in a minute");
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

export async function mailWaitingAlerts(sql: Sql, nowMs: number): Promise<void> {
  for (const userId of await findPeopleWaiting(sql)) {
    const alertIds = await findMailableAlerts(sql, userId, nowMs);
    if (alertIds.length > 0) await queueAwayMail(sql, userId, alertIds);
  }
}

function createMailHandler(
  { sql, mail: { from }, logger, now, onMail }: MailsOptions,
  transport: Transporter,
) {
  const giveUp = (kind: OutgoingMail["kind"], result: MailResult, why: string) => {
    onMail(kind, result);
    logger.error({ kind }, `mail given up: ${why}`);
  };
  const domain = from.replace(/^.*@|>.*$/g, "");
  return async ({ kind, expiresAt, once, id, ...mail }: OutgoingMail) => {
    if (expiresAt <= now()) return giveUp(kind, "expired", "the mail server took too long");
    if (once && !(await beginAwayMail(sql, once))) {
      return giveUp(kind, "failed", "an earlier attempt ended without an outcome");
    }
    try {
      // As an object: the library would read a text by its own rules.
      const to = { name: "", address: mail.to };
      await transport.sendMail({ from, ...(id && { messageId: `<${id}@${domain}>` }), ...mail, to });
    } catch (error) {
      if (once && isRefused(error)) await releaseAwayMail(sql, once);
      if (isNoMailbox(error)) return giveUp(kind, "refused", "the address takes no mail");
      onMail(kind, "failed");
      await openIncident(sql, INCIDENT, new Date(now()));
      // The mail server's message may contain the address.
      throw new Error(`A mail (${kind}) was not sent: ${codeOf(error)}`);
    }
    onMail(kind, "sent");
    await closeIncident(sql, INCIDENT, new Date(now()));
    logger.info({ kind }, "mail sent");
  };
}

/**
 * The fault is the recipient's: the library cannot use the address, or the server refuses it for good, about the address or the
 * mailbox (RFC 3463: 5.1.x, 5.2.x) or without saying why. Any other refusal may be our mistake.
 */
function isNoMailbox(error: unknown): boolean {
  if (codeOf(error) !== "EENVELOPE") return false;
  const said = error instanceof Error && "response" in error ? String(error.response ?? "") : "";
  if (said === "") return !String(error).includes("sender");
  const isOfRecipient = error instanceof Error && "command" in error && error.command === "RCPT TO";
  const [, status] = /^5\d\d[ -](\d\.\d{1,3}\.\d{1,3})?/.exec(said) ?? [undefined, "none"];
  return isOfRecipient && (status === undefined || /^5\.[12]\./.test(status));
}

/** The mail server certainly did not take the mail: it said so, or was not reached. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return "responseCode" in error || ("command" in error && error.command === "CONN");
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function createCollector({ sql, jobs, siteUrl, operator, logger, now }: MailsOptions): () => Promise<void> {
  // An account made with somebody else's address must not fill that person's mailbox, nor use up the mails of the account
  // that is theirs.
  const mailsToOneMailbox = createRateLimiter({ perWindow: 10, windowMs: DAY_SECONDS * 1000, burst: 10 });
  const maySend = ({ kind, email, isProven }: WaitingMail) => {
    if (email === "") return false;
    const isAllowed = mailsToOneMailbox.take(isProven ? `proved ${email}` : mailboxIn(email), now());
    if (!isAllowed) logger.warn({ kind }, "account mail not sent: too many to one mailbox");
    return isAllowed;
  };
  return () =>
    inTransaction(sql, async (db) => {
      const mails = (await takeAccountMails(db)).filter(maySend);
      const outgoing = mails.flatMap((mail) => {
        const content = contentOf(mail, new Date(now()));
        if (content === undefined) return [];
        const expiresAt = mail.createdAt.getTime() + DAY_SECONDS * 1000;
        const once = mail.away && { once: { userId: mail.away.userId, mailedAt: mail.away.mailedAt } };
        const facts = { id: randomUUID(), kind: mail.kind, to: mail.email, expiresAt, ...once };
        return [{ ...facts, ...renderMail(content, siteUrl, operator) }];
      });
      await jobs.send(SEND_MAIL, outgoing, { db });
    });
}

function contentOf(waiting: WaitingMail, now: Date): Mail | undefined {
  const { kind, fullName, chatId, chatTitle, browser, facts, away } = waiting;
  const reader = { language: languageOr(waiting.language, DEFAULT_LANGUAGE), fullName };
  if (kind === "chat-connected") return { ...reader, kind, chatId: chatId ?? "", chatTitle };
  if (kind === "new-browser") {
    return browser === null ? undefined : { ...reader, kind, browser, signedInAt: waiting.createdAt };
  }
  if (kind === "alerts-waiting") {
    return away === null || away.count === 0 ? undefined : { ...reader, kind, ...away };
  }
  if (kind !== "chats-lost") return { ...reader, kind };
  const health = facts === null ? undefined : unreachableHealth(facts.chats);
  return health && { ...reader, kind, health, now };
}

const DROP_ACCOUNT_MAILS: Queue<object> = { name: "drop-account-mails", retryLimit: 0, cron: "0 * * * *" };

/** On hosted Supabase without an SMTP server nobody sends account mails, so they are deleted. */
export async function startDroppingMails({ sql, jobs }: { sql: Sql; jobs: Jobs }): Promise<void> {
  await jobs.work(DROP_ACCOUNT_MAILS, () => takeAccountMails(sql));
}
