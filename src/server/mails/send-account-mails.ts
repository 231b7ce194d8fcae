// Sends the mails that tell people what happened to their account. The rows were written by whatever happened, in its own
// transaction; here they are drained, by every process with the role web, one at a time.
import type { Sql } from "postgres";
import { createRateLimiter } from "#backend/limits/rate-limit.ts";
import {
  claimAccountMail,
  dropOldAccountMails,
  postponeAccountMail,
  removeAccountMail,
  type WaitingMail,
} from "#store/account-mails.ts";
import { listenFor } from "#store/connection/listen-for.ts";
import type { Logger } from "../log.ts";
import type { Mailer } from "../mailer.ts";
import { isMailLanguage } from "./mail-texts.ts";
import { type AccountMail, renderAccountMail } from "./render-account-mail.ts";

type Options = {
  databaseUrl: string;
  sql: Sql;
  mailer: Mailer;
  siteUrl: string;
  logger: Logger;
  now: () => number;
  /** How often to look without being told: for retries, and for what was said while the connection was lost. */
  lookEveryMs?: number;
};

const DAY_MS = 86_400_000;
const FIRST_RETRY_MS = 15_000;
const LONGEST_RETRY_MS = 3_600_000;

export function startAccountMails(options: Options): { stop: () => Promise<void> } {
  const { databaseUrl, logger, lookEveryMs = 20_000 } = options;
  // Whoever holds an account made with another's address must not be able to fill that other's mailbox.
  const mailsToOneAddress = createRateLimiter({ perWindow: 10, windowMs: DAY_MS, burst: 10 });
  let isStopped = false;
  let isAsked = false;
  let running: Promise<void> | undefined;

  const drain = async () => {
    while (isAsked && !isStopped) {
      isAsked = false;
      while (!isStopped && (await sendNext({ ...options, mailsToOneAddress })));
    }
  };
  const look = () => {
    isAsked = true;
    running ??= drain()
      .catch((error: unknown) => logger.error({ err: error }, "account mails could not be read"))
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(look, lookEveryMs);
  const ears = listenFor({
    url: databaseUrl,
    channel: "account_mails",
    onNotification: look,
    onListening: look,
  });
  return {
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await Promise.all([ears.stop(), running]);
    },
  };
}

/** False when there is nothing left to do now. */
async function sendNext(
  options: Options & { mailsToOneAddress: ReturnType<typeof createRateLimiter> },
): Promise<boolean> {
  const { sql, mailer, logger, now } = options;
  const dropped = await dropOldAccountMails(sql, new Date(now()));
  if (dropped > 0) logger.error({ count: dropped }, "account mails given up after a day");
  const mail = await claimAccountMail(sql, new Date(now()));
  if (!mail) return false;
  const { kind, attempts } = mail;
  if (mail.email === "" || (attempts === 1 && !options.mailsToOneAddress.take(mail.email, now()))) {
    await removeAccountMail(sql, mail.id);
    logger.warn({ kind }, "account mail not sent: too many to one address");
    return true;
  }
  try {
    await mailer.send({ to: mail.email, ...renderAccountMail(contentOf(mail, options.siteUrl)) });
  } catch (error) {
    const delayMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1));
    await postponeAccountMail(sql, mail.id, new Date(now() + delayMs));
    // A mail server's words may hold the address.
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    logger.warn({ kind, attempts, delayMs, code }, "account mail not sent; trying again");
    return true;
  }
  await removeAccountMail(sql, mail.id);
  logger.info({ kind, attempts }, "account mail sent");
  return true;
}

function contentOf(mail: WaitingMail, siteUrl: string): AccountMail {
  const { kind, fullName, chatId, chatTitle } = mail;
  const reader = {
    language: isMailLanguage(mail.language) ? mail.language : "en",
    siteUrl,
    fullName,
  } as const;
  return kind === "chat-connected"
    ? { ...reader, kind, chatId: chatId ?? "", chatTitle }
    : { ...reader, kind };
}
