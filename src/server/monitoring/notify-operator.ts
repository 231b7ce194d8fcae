import type { Logger } from "#core/ports/logger.ts";
import type { IncidentKind, IncidentNotice } from "./rows/incidents.ts";

export type NotifyOperatorOptions = {
  /** Undefined in a process without the bot's token. */
  telegram: { token: string; apiRoot: string } | undefined;
  chatId: string | undefined;
  /** Used if there is no chat, or it cannot be reached, for example because the token is refused. */
  sendMail: ((subject: string, text: string) => Promise<void>) | undefined;
  siteUrl: string;
  logger: Logger;
};

const SEND_WITHIN_MS = 10_000;

type Sentences = { begins: (subject: string) => string; ends: (subject: string) => string };

const SET_ASIDE: Readonly<Record<string, { readonly one: string; readonly none: string }>> = {
  search: { one: "A search", none: "search" },
  advert: { one: "An advert", none: "advert" },
  feed: { one: "A feed", none: "feed" },
  plan: { one: "A step of planning", none: "step of planning" },
};

const SENTENCES: Record<IncidentKind, Sentences> = {
  quota: {
    begins: (source) => `80% of this month's requests to ${source} are used.`,
    ends: (source) => `Requests to ${source} are back below 80% of the month's limit.`,
  },
  source: {
    begins: (source) => `${source} has been failing for an hour.`,
    ends: (source) => `${source} works again.`,
  },
  token: {
    begins: () => "Telegram refuses the bot's token (TELEGRAM_BOT_TOKEN): no alerts go out.",
    ends: () => "Telegram accepts the bot's token again.",
  },
  telegram: {
    begins: () => "Telegram does not answer: alerts are waiting; after 30 minutes they are emailed.",
    ends: () => "Telegram answers again: the waiting alerts go out.",
  },
  mail: {
    begins: () => "Emails to people cannot be sent: check SMTP_URL and the log.",
    ends: () => "Emails to people are being sent again.",
  },
  disk: {
    begins: (machine) => `The disk of ${machine} is nearly full.`,
    ends: (machine) => `The disk of ${machine} has free space again.`,
  },
  clock: {
    begins: (machine) =>
      `The clock of ${machine} differs from the database's by more than 30 s: set it by NTP.`,
    ends: (machine) => `The clock of ${machine} agrees with the database's again.`,
  },
  backup: {
    begins: () => "No backup was made for more than a day: check BACKUP_DIR and the log.",
    ends: () => "Backups are made again.",
  },
  "set-aside": {
    begins: (kind) =>
      `${SET_ASIDE[kind]?.one ?? kind} caused an error and is set aside; everything else goes on. “npm run ops -- status” shows the reason.`,
    ends: (kind) => `No ${SET_ASIDE[kind]?.none ?? kind} is set aside any more.`,
  },
  late: {
    begins: (source) =>
      `Checks of ${source} are late: some feeds went unchecked for three intervals. Look at the watcher's log.`,
    ends: (source) => `Checks of ${source} are on time again.`,
  },
};

function sentenceOf({ kind, subject, overAt }: IncidentNotice): string {
  return SENTENCES[kind][overAt ? "ends" : "begins"](subject);
}

/** Logs the incident and sends it to the operator's chat, or by mail. Throws if there is a chat and neither is possible. */
export async function notifyOperator(options: NotifyOperatorOptions, notice: IncidentNotice): Promise<void> {
  const { chatId, sendMail, siteUrl, logger } = options;
  const sentence = sentenceOf(notice);
  const text = `Sereno at ${new URL(siteUrl).host}: ${sentence}`;
  const isInChat = chatId !== undefined && (await sendToChat(options, chatId, text));
  if (!isInChat && sendMail) await sendMail(sentence, `${text}\n`);
  else if (!isInChat && chatId !== undefined)
    throw new Error("The message to the operator's chat could not be sent");
  logger[notice.overAt ? "info" : "error"]({ incident: notice.kind, subject: notice.subject }, sentence);
}

async function sendToChat(
  { telegram }: NotifyOperatorOptions,
  chatId: string,
  text: string,
): Promise<boolean> {
  if (telegram === undefined) return false;
  const { token, apiRoot } = telegram;
  // The original error would contain the URL, and with it the token.
  const answer = await fetch(`${apiRoot}/bot${token}/sendMessage`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ chat_id: chatId, text }),
    signal: AbortSignal.timeout(SEND_WITHIN_MS),
  }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok === true;
}
