// What a Bot API server, or what stands before it, may answer to a message. The texts are from the source of Telegram's server.
import type { Fault } from "#simulators/telegram/faults.ts";

export interface Answer {
  readonly says: string;
  readonly fault: Omit<Fault, "chatId">;
  /** Telegram means that the message is in the chat, or that the chat is closed for good. */
  readonly ends?: "sent" | "closed";
}

const refusal = (errorCode: number, description: string, more: Partial<Answer["fault"]> = {}): Answer => ({
  says: `${errorCode} ${description || "without words"}`,
  fault: { kind: "error", errorCode, description, ...more },
});
const bad = (words: string, more: Partial<Answer["fault"]> = {}): Answer =>
  refusal(400, `Bad Request: ${words}`, more);
const closes = (answer: Answer): Answer => ({ ...answer, ends: "closed" });
const counts = (answer: Answer): Answer => ({ ...answer, ends: "sent" });

const CLOSING = [
  refusal(403, "Forbidden: bot was blocked by the user"),
  refusal(403, "Forbidden: user is deactivated"),
  refusal(403, "Forbidden: bot can't initiate conversation with a user"),
  refusal(403, "Forbidden: bot was kicked from the group chat"),
  refusal(403, "Forbidden: bot was kicked from the supergroup chat"),
  refusal(403, "Forbidden: bot was kicked from the channel chat"),
  refusal(403, "Forbidden: bot is not a member of the group chat"),
  refusal(403, "Forbidden: bot is not a member of the supergroup chat"),
  refusal(403, "Forbidden: bot is not a member of the channel chat"),
  refusal(403, "Forbidden: the group chat was deleted"),
  bad("chat not found"),
  bad("private chat not found"),
  bad("PEER_ID_INVALID"),
].map(closes);

const DOCUMENTED: readonly Answer[] = [
  ...CLOSING,
  bad("chat_id is empty"),
  bad("chat identifier must be a valid Integer"),
  bad("group chat was upgraded to a supergroup chat"),
  bad("not enough rights to send text messages to the chat"),
  bad("not enough rights to send photos to the chat"),
  bad("CHAT_WRITE_FORBIDDEN"),
  bad("TOPIC_CLOSED"),
  bad("message thread not found"),
  bad("can't parse entities: Unsupported start tag"),
  bad("message is too long"),
  bad("message caption is too long"),
  bad("text is too long"),
  bad("Wrong HTTP URL specified"),
  bad("Failed to get HTTP URL content"),
  bad("Wrong type of the web page content"),
  bad("Can't use the media of the specified type in the album"),
  bad("can't upload file by URL"),
  bad("BUTTON_DATA_INVALID"),
  bad("BUTTON_URL_INVALID"),
  bad("reply markup is too long"),
  counts(bad("message is not modified: specified new message content is the same")),
  refusal(429, "Too Many Requests: retry after 1", { retryAfter: 1 }),
  refusal(429, "Too Many Requests: retry after 35", { retryAfter: 35 }),
  refusal(429, "Too Many Requests: retry after 3600", { retryAfter: 3600 }),
  refusal(429, "Too Many Requests"),
  refusal(500, "Internal Server Error: restart"),
  counts(refusal(500, "Internal Server Error: sent message was immediately deleted and can't be returned")),
];

const BROKEN: readonly Answer[] = [
  { says: "HTML of a proxy, 502", fault: { kind: "html", errorCode: 502 } },
  { says: "HTML of a proxy, 503", fault: { kind: "html", errorCode: 503 } },
  { says: "HTML of a proxy, 504", fault: { kind: "html", errorCode: 504 } },
  { says: "a captive portal, 200", fault: { kind: "html", errorCode: 200 } },
  { says: "reset before it was sent", fault: { kind: "reset" } },
  { says: "taken, and the answer cut", fault: { kind: "drop" } },
  { says: "an empty answer", fault: { kind: "empty" } },
  { says: "not ok without a code", fault: { kind: "not-ok" } },
];

/** Nobody has seen these. */
const INVENTED: readonly Answer[] = [
  bad("PHOTO_SAVE_FILE_INVALID"),
  bad("the moon is in the wrong house"),
  refusal(400, ""),
  refusal(403, "Forbidden: the picture offends the chat"),
  refusal(403, "Forbidden: try later", { retryAfter: 7200 }),
  refusal(404, "Not Found: method not found"),
  refusal(413, "Request Entity Too Large"),
  refusal(420, "FLOOD_WAIT_30"),
  refusal(451, "Unavailable For Legal Reasons"),
  refusal(500, "Internal Server Error: no disk"),
  bad("chat has moved", { migrateTo: 7 }),
  { says: "null", fault: { kind: "not-ok", body: "null" } },
  { says: "a list", fault: { kind: "not-ok", body: "[]" } },
  { says: "a code in words", fault: { kind: "not-ok", body: '{"ok":false,"error_code":"400"}' } },
];

export const TELEGRAM_ANSWERS: readonly Answer[] = [...DOCUMENTED, ...BROKEN, ...INVENTED];
