import type { Sql } from "postgres";
import { DEFAULT_LANGUAGE, languageOr } from "#core/languages.ts";
import type { ChannelMessage, SendOutcome } from "./channel.ts";
import { floodDelayMs } from "./retry-delay.ts";
import {
  dropDeletionNotice,
  moveDeletionNotice,
  postponeDeletionNotice,
  takeDeletionNotice,
} from "./rows/deletion-notices.ts";

interface NoticeOptions {
  readonly sql: Sql;
  readonly now: () => number;
  /** Returns undefined if the rate limits do not allow a message now. */
  readonly send: (message: ChannelMessage) => Promise<SendOutcome | undefined>;
}

const LEASE_MS = 60_000;
const NO_ROOM_MS = 2_000;
const RETRY_MS = 30_000;

/**
 * Notifies chats that an account whose alerts they received was deleted or disconnected. The notices are not in the outbox, because an
 * alert belongs to an account.
 */
export async function sendDeletionNotices({ sql, now, send }: NoticeOptions): Promise<void> {
  for (;;) {
    const notice = await takeDeletionNotice(sql, { nowMs: now(), untilMs: now() + LEASE_MS });
    if (notice === undefined) return;
    const { chatId } = notice;
    const outcome = await send({
      chatId,
      userId: "",
      language: languageOr(notice.language, DEFAULT_LANGUAGE),
      news: [{ kind: notice.kind, payload: {} }],
      replyTo: null,
    });
    const later = (ms: number) => postponeDeletionNotice(sql, chatId, now() + ms);
    switch (outcome?.type) {
      case undefined:
        return later(NO_ROOM_MS);
      case "sent":
      case "closed":
      case "hopeless":
        await dropDeletionNotice(sql, chatId);
        break;
      case "moved":
        await moveDeletionNotice(sql, chatId, outcome.toChatId);
        break;
      case "flood":
        await later(floodDelayMs(outcome.retryAfterMs, Math.random));
        break;
      default:
        await later(RETRY_MS);
    }
  }
}
