// The way to a Telegram chat: puts news into words and pictures, sends it, and says what became of it. Knows nothing of
// the outbox, of limits or of retries; what goes wrong with one message it repairs on the spot.
import { Api, GrammyError } from "grammy";
import type { Channel, ChannelMessage, ProbeOutcome, SendOutcome } from "#core/ports/channel.ts";
import { scrubToken } from "#core/ports/scrub-token.ts";
import { plainOf } from "./html.ts";
import { judgeRefusal, type Refusal, type Repair, type Verdict } from "./judge-refusal.ts";
import { type Rendered, renderNews } from "./render-alert.ts";

export interface TelegramChannelOptions {
  readonly token: string;
  /** Without a slash at its end. */
  readonly apiRoot: string;
  /** Where links to our own pages lead. */
  readonly siteUrl: string;
  /** The message had to be mended before Telegram took it. */
  readonly onRepair?: (repair: Repair, error: string) => void;
  readonly timeoutSeconds?: number;
}

const TIMEOUT_SECONDS = 20;

/** What happened to one request. */
type Attempt =
  | { readonly type: "accepted"; readonly messageId: string | null }
  | { readonly type: "refused"; readonly verdict: Verdict; readonly error: string }
  | { readonly type: "unanswered"; readonly error: string };

export function createTelegramChannel(options: TelegramChannelOptions): Channel {
  const { token, apiRoot, siteUrl, timeoutSeconds = TIMEOUT_SECONDS } = options;
  const api = new Api(token, { apiRoot: apiRoot.replace(/\/+$/, ""), timeoutSeconds });

  const attempt = async (
    message: ChannelMessage,
    rendered: Rendered,
    repairs: ReadonlySet<Repair>,
  ): Promise<Attempt> => {
    try {
      const messageId = (await post(api, message, rendered, repairs))?.message_id;
      // Taken is taken, also by a peer that does not say as what: it must not be sent again for want of a number.
      return { type: "accepted", messageId: Number.isSafeInteger(messageId) ? String(messageId) : null };
    } catch (error) {
      const text = scrubbed(error, token);
      if (!(error instanceof GrammyError)) return { type: "unanswered", error: text };
      return { type: "refused", verdict: judgeRefusal(refusalOf(error)), error: text };
    }
  };

  const send = async (message: ChannelMessage, mayGoOn: () => boolean): Promise<SendOutcome> => {
    const repairs = new Set<Repair>();
    // Each round mends one thing, so there are at most as many as things to mend, and the first.
    for (;;) {
      const { language, userId } = message;
      const rendered = renderNews(message.news, {
        language,
        userId,
        siteUrl,
        isShort: repairs.has("shorter"),
      });
      if (!mayGoOn()) return { type: "unknown", error: "another process sends by now" };
      const answer = await attempt(message, rendered, repairs);
      if (answer.type !== "refused" || answer.verdict.type !== "repair") return outcomeOf(answer, rendered);
      const { by } = answer.verdict;
      if (repairs.has(by)) return { type: "failed", scope: "alert", error: answer.error };
      repairs.add(by);
      options.onRepair?.(by, answer.error);
    }
  };

  return {
    send: (message, mayGoOn = () => true) =>
      send(message, mayGoOn).catch((error: unknown) => ({
        type: "failed",
        scope: "alert",
        error: scrubbed(error, token),
      })),
    probe: async (): Promise<ProbeOutcome> => {
      try {
        await api.getMe();
        return "known";
      } catch (error) {
        if (!(error instanceof GrammyError)) return "unknown";
        return judgeRefusal(refusalOf(error)).type === "refused-us" ? "refused" : "unknown";
      }
    },
  };
}

function outcomeOf(answer: Attempt, { includedCount }: Rendered): SendOutcome {
  if (answer.type === "accepted") return { type: "sent", messageId: answer.messageId, includedCount };
  if (answer.type === "unanswered") return { type: "unknown", error: answer.error };
  const { verdict, error } = answer;
  if (verdict.type === "sent") return { type: "sent", messageId: null, includedCount };
  if (verdict.type === "repair") return { type: "failed", scope: "alert", error };
  return { ...verdict, error };
}

async function post(
  api: Api,
  { chatId, replyTo }: ChannelMessage,
  { html, buttons, pictureUrl, previewUrl }: Rendered,
  repairs: ReadonlySet<Repair>,
): Promise<{ message_id: number } | undefined> {
  const isPlain = repairs.has("plain-text");
  const text = isPlain ? plainOf(html) : html;
  const common = {
    ...(isPlain ? {} : { parse_mode: "HTML" as const }),
    ...(buttons.length === 0 || repairs.has("no-buttons")
      ? {}
      : { reply_markup: { inline_keyboard: buttons.map((row) => [...row]) } }),
    ...(replyTo === null
      ? {}
      : { reply_parameters: { message_id: Number(replyTo), allow_sending_without_reply: true } }),
  };
  if (pictureUrl !== null && !repairs.has("no-picture")) {
    return api.sendPhoto(chatId, pictureUrl, { ...common, caption: text });
  }
  const preview = previewUrl === null ? { is_disabled: true } : { url: previewUrl, prefer_large_media: true };
  return api.sendMessage(chatId, text, { ...common, link_preview_options: preview });
}

function refusalOf({ error_code, description, parameters }: GrammyError): Refusal {
  return {
    // A broken peer may leave out what the types promise.
    errorCode: typeof error_code === "number" ? error_code : undefined,
    description: typeof description === "string" ? description : "",
    retryAfterSeconds: parameters.retry_after,
    migrateToChatId: parameters.migrate_to_chat_id,
  };
}

const LONGEST = 300;

/** What an error says, without the bot's token, whatever holds it. */
function scrubbed(error: unknown, token: string): string {
  const texts: string[] = [];
  let current = error;
  for (let depth = 0; depth < 5 && current !== undefined && current !== null; depth += 1) {
    texts.push(current instanceof Error ? current.message : String(current));
    current = innerOf(current);
  }
  return scrubToken(texts.join(": "), token).slice(0, LONGEST);
}

/** grammY keeps what it caught in `error`, others in `cause`. */
function innerOf(error: unknown): unknown {
  if (typeof error !== "object" || error === null) return undefined;
  if ("error" in error) return error.error;
  return "cause" in error ? error.cause : undefined;
}
