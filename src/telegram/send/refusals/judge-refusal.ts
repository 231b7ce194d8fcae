/**
 * Telegram's error responses and the right reaction to each. The texts are from the source of its server
 * (https://github.com/tdlib/telegram-bot-api). Its documentation says that they are subject to change, so a final verdict
 * needs the exact text, and an unknown error is retried.
 */
import type { ClosedChatReason } from "../channel.ts";

/** An error response. */
export interface Refusal {
  /** Undefined in a malformed response. */
  readonly errorCode: number | undefined;
  readonly description: string;
  readonly retryAfterSeconds?: number | undefined;
  readonly migrateToChatId?: number | undefined;
}

export type Verdict =
  /** The message is in the chat in spite of the error. */
  | { readonly type: "sent" }
  | { readonly type: "closed"; readonly reason: ClosedChatReason }
  | { readonly type: "moved"; readonly toChatId: string }
  | { readonly type: "flood"; readonly retryAfterMs: number | null }
  | { readonly type: "refused-us" }
  /** `isServerDown`: Telegram's server failed, whatever the chat. */
  | { readonly type: "failed"; readonly scope: "alert" | "chat"; readonly isServerDown?: boolean }
  | { readonly type: "hopeless" }
  /** A part of the message was refused: send it without that part. */
  | { readonly type: "repair"; readonly by: MessageRepair };

export type MessageRepair =
  | "no-picture"
  | "no-references"
  | "plain-text"
  | "shorter"
  | "only-links"
  | "no-buttons"
  | "no-topic"
  | "no-caption"
  | "only-caption"
  | "bare";

interface Row {
  readonly code: number;
  readonly words: RegExp;
  readonly verdict: Verdict;
}

const row = (code: number, words: RegExp, verdict: Verdict): Row => ({ code, words, verdict });
const closed = (reason: ClosedChatReason): Verdict => ({ type: "closed", reason });
const repair = (by: MessageRepair): Verdict => ({ type: "repair", by });

const ROWS: readonly Row[] = [
  row(403, /^Forbidden: bot was blocked by the user$/, closed("blocked")),
  row(403, /^Forbidden: user is deactivated$/, closed("deactivated")),
  row(403, /^Forbidden: bot can't initiate conversation with a user$/, closed("not-started")),
  row(403, /^Forbidden: bot was kicked from the (?:group|supergroup|channel) chat$/, closed("kicked")),
  row(403, /^Forbidden: bot is not a member of the (?:group|supergroup|channel) chat$/, closed("left")),
  row(403, /^Forbidden: the group chat was deleted$/, closed("deleted")),
  row(400, /^Bad Request: (?:chat not found|private chat not found|PEER_ID_INVALID)$/, closed("not-found")),
  row(400, /^Bad Request: (?:chat_id is empty|chat identifier must be a valid Integer)$/i, {
    type: "hopeless",
  }),
  row(400, /^Bad Request: not enough rights to send photos to the chat$/, repair("no-picture")),
  row(
    400,
    /^Bad Request: (?:not enough rights to send .* to the chat|have no rights to send a message)$/,
    closed("no-rights"),
  ),
  row(400, /^Bad Request: need administrator rights in the channel chat$/, closed("no-rights")),
  row(
    400,
    /^Bad Request: (?:CHAT_WRITE_FORBIDDEN|TOPIC_CLOSED|message thread not found)$/,
    closed("no-rights"),
  ),
  row(400, /^Bad Request: can't parse entities/i, repair("plain-text")),
  row(400, /^Bad Request: (?:message|message caption|text|caption) is too long$/i, repair("shorter")),
  row(400, /^Bad Request: MEDIA_CAPTION_TOO_LONG$/, repair("shorter")),
  row(
    400,
    /^Bad Request: (?:wrong HTTP URL specified|failed to get HTTP URL content|wrong type of the web page content)$/i,
    repair("no-picture"),
  ),
  row(
    400,
    /^Bad Request: (?:can't use the media of the specified type in the album|can't upload file by URL|wrong file identifier\/HTTP URL specified)$/i,
    repair("no-picture"),
  ),
  row(
    400,
    /^Bad Request: (?:WEBPAGE_\w+|IMAGE_PROCESS_FAILED|PHOTO_INVALID_DIMENSIONS|EXTERNAL_URL_INVALID)$/,
    repair("no-picture"),
  ),
  row(
    400,
    /^Bad Request: (?:BUTTON_\w+|REPLY_MARKUP_TOO_LONG|reply markup is too long)$/,
    repair("no-buttons"),
  ),
  row(
    400,
    /^Bad Request: (?:inline keyboard button|can't parse inline keyboard button)/i,
    repair("no-buttons"),
  ),
  row(400, /^Bad Request: message is not modified/, { type: "sent" }),
  row(400, /^Bad Request: (?:message to edit not found|message can't be edited|MESSAGE_ID_INVALID)$/, {
    type: "hopeless",
  }),
  row(400, /^Bad Request: there is no caption in the message to edit$/, repair("no-caption")),
  row(400, /^Bad Request: there is no text in the message to edit$/, repair("only-caption")),
  row(500, /^Internal Server Error: sent message was immediately deleted and can't be returned$/, {
    type: "sent",
  }),
];

const TOPIC = /^Bad Request: (?:TOPIC_CLOSED|TOPIC_DELETED|message thread not found)$/;
/** https://core.telegram.org/api/bots/ids */
const SUPERGROUPS_BELOW = -1_000_000_000_000;
const UPGRADED = /^Bad Request: group chat was upgraded to a supergroup chat$/;
const RETRY_AFTER = /retry after (\d+)/i;

/** `isInTopic`: the message was for a forum topic, and can still be sent outside of it. */
export function judgeRefusal(refusal: Refusal, { isInTopic = false } = {}): Verdict {
  const { errorCode, description, migrateToChatId, retryAfterSeconds } = refusal;
  if (isInTopic && errorCode === 400 && TOPIC.test(description)) return repair("no-topic");
  if (errorCode === 401 || errorCode === 404) return { type: "refused-us" };
  if (errorCode === 429 || isSeconds(retryAfterSeconds))
    return { type: "flood", retryAfterMs: retryAfterMs(refusal) };
  // The parameter means the same whatever the words. Without it, wait for the update that reports the upgrade.
  if (isSupergroup(migrateToChatId)) return { type: "moved", toChatId: String(migrateToChatId) };
  if (errorCode === 400 && UPGRADED.test(description)) return { type: "failed", scope: "chat" };
  const known = rowOf(refusal);
  // An unknown 400 concerns the message; any other unknown error the chat or the server.
  if (known !== undefined) return known.verdict;
  if (errorCode === undefined || errorCode >= 500)
    return { type: "failed", scope: "chat", isServerDown: true };
  return { type: "failed", scope: errorCode === 400 ? "alert" : "chat" };
}

/** Otherwise its words are counted, so that they can be added to the table. Server errors say nothing about the message. */
export function isKnownRefusal(refusal: Refusal): boolean {
  const { errorCode, description } = refusal;
  const { type } = judgeRefusal(refusal);
  if (type !== "failed") return true;
  const isServers = errorCode === undefined || errorCode >= 500;
  return isServers || UPGRADED.test(description) || TOPIC.test(description);
}

function rowOf({ errorCode, description }: Refusal): Row | undefined {
  return ROWS.find(({ code, words }) => code === errorCode && words.test(description));
}

function retryAfterMs({ retryAfterSeconds, description }: Refusal): number | null {
  const said = isSeconds(retryAfterSeconds)
    ? retryAfterSeconds
    : Number(RETRY_AFTER.exec(description)?.[1] ?? Number.NaN);
  return isSeconds(said) ? said * 1000 : null;
}

function isSeconds(said: number | undefined): said is number {
  return typeof said === "number" && Number.isFinite(said) && said >= 0;
}

/** Alerts of a group never move to a person, whatever the answer says. */
function isSupergroup(id: number | undefined): boolean {
  return id !== undefined && Number.isSafeInteger(id) && id < SUPERGROUPS_BELOW;
}
