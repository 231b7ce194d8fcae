// The way to a Telegram chat: puts news into words and pictures, sends it, and says what became of it. Knows nothing of
// the outbox, of limits or of retries; what goes wrong with one message it repairs on the spot.
import { Api, GrammyError, InputFile } from "grammy";
import { withTimeout } from "#platform/timing.ts";
import { scrubToken } from "../scrub-token.ts";
import type { Channel, ChannelMessage, ProbeOutcome, SendOutcome } from "./channel.ts";
import { judgeRefusal, type MessageRepair, type Refusal, type Verdict } from "./judge-refusal.ts";
import type { PictureOf } from "./place-picture/place-picture.ts";
import { plainOf } from "./render/html.ts";
import { type Rendered, renderNews } from "./render/render-alert.ts";

export interface TelegramChannelOptions {
  readonly token: string;
  /** Without a slash at its end. */
  readonly apiRoot: string;
  /** Where links to our own pages lead. */
  readonly siteUrl: string;
  /** The message had to be mended before Telegram took it. */
  readonly onRepair?: (repair: MessageRepair, error: string) => void;
  /** Something beside the facts could not be put into words, and was left out. */
  readonly onError?: (error: unknown) => void;
  readonly timeoutSeconds?: number;
  /** A picture of our own where the news has none. */
  readonly pictureOf?: PictureOf;
}

const TIMEOUT_SECONDS = 20;
/** Longer no alert waits for a drawing. */
const DRAWING_MS = 1_500;

/** What happened to one request. */
type Attempt =
  | { readonly type: "accepted"; readonly messageId: string | null }
  | { readonly type: "refused"; readonly verdict: Verdict; readonly error: string }
  | { readonly type: "unanswered"; readonly error: string };

type Call = () => Promise<{ message_id: number } | undefined>;
type CallOf = (rendered: Illustrated, repairs: ReadonlySet<MessageRepair>) => ReturnType<Call>;
/** What is asked of Telegram, and whether it is ours to ask, before each time. */
type Way = { callOf: CallOf; mayGoOn: () => boolean };

const always = () => true;

interface Illustrated extends Rendered {
  /** Drawn by us; only where there is no other picture. */
  readonly drawing: Uint8Array | null;
}

export function createTelegramChannel(options: TelegramChannelOptions): Channel {
  const { token, apiRoot, siteUrl, timeoutSeconds = TIMEOUT_SECONDS } = options;
  const api = new Api(token, { apiRoot: apiRoot.replace(/\/+$/, ""), timeoutSeconds });

  const attempt = async (
    call: Call,
    { mayGoOn, isInTopic }: { mayGoOn: () => boolean; isInTopic: boolean },
  ): Promise<Attempt> => {
    if (!mayGoOn()) return { type: "unanswered", error: "another process sends by now" };
    try {
      const messageId = (await call())?.message_id;
      // Taken is taken, also by a peer that does not say as what: it must not be sent again for want of a number.
      return { type: "accepted", messageId: Number.isSafeInteger(messageId) ? String(messageId) : null };
    } catch (error) {
      const text = scrubbed(error, token);
      if (!(error instanceof GrammyError)) return { type: "unanswered", error: text };
      return { type: "refused", verdict: judgeRefusal(refusalOf(error), { isInTopic }), error: text };
    }
  };

  const render = (
    { news, language, userId, isMuted }: ChannelMessage,
    isShort: boolean,
    onError?: TelegramChannelOptions["onError"],
  ) => renderNews(news, { language, userId, siteUrl, isShort, isMuted, onError });
  const drawingOf = async ({ news }: ChannelMessage, { pictureUrl }: Rendered) => {
    const [first, ...others] = news;
    if (!options.pictureOf || !first || others.length > 0 || pictureUrl !== null) return null;
    // A picture never delays an alert for long, and is never a reason not to send it.
    return withTimeout(DRAWING_MS, options.pictureOf(first)).catch(() => null);
  };

  const tell = async (message: ChannelMessage, { callOf, mayGoOn }: Way): Promise<SendOutcome> => {
    const repairs = new Set<MessageRepair>();
    let topicError: string | undefined;
    const drawing = await drawingOf(message, render(message, false, options.onError));
    // Each round mends one thing, so there are at most as many as things to mend, and the first.
    for (;;) {
      const rendered = { ...render(message, repairs.has("shorter")), drawing };
      const isInTopic = (message.topicId ?? null) !== null && !repairs.has("no-topic");
      const said = await attempt(() => callOf(rendered, repairs), { mayGoOn, isInTopic });
      const answer = sparingTheDrawing(said, rendered, repairs);
      if (answer.type !== "refused" || answer.verdict.type !== "repair") {
        return withoutTopic(outcomeOf(answer, rendered), message, topicError);
      }
      const { by } = answer.verdict;
      if (repairs.has(by)) return { type: "failed", scope: "alert", error: answer.error };
      repairs.add(by);
      if (by === "no-topic") topicError = answer.error;
      options.onRepair?.(by, answer.error);
    }
  };
  const retell = async (
    message: ChannelMessage,
    messageId: string,
    mayGoOn: () => boolean,
  ): Promise<SendOutcome> => {
    // What was told there would be there no more.
    if (render(message, false).includedCount < message.news.length) {
      return { type: "hopeless", error: "not all of it fits into the message any more" };
    }
    const place = { chatId: message.chatId, messageId };
    return tell(
      { ...message, topicId: null },
      { callOf: (...written) => rewrite(api, place, ...written), mayGoOn },
    );
  };
  const brokenOf = (error: unknown): SendOutcome => ({
    type: "failed",
    scope: "alert",
    error: scrubbed(error, token),
  });

  return {
    send: (message, mayGoOn = always) =>
      tell(message, { callOf: (...written) => post(api, message, ...written), mayGoOn }).catch(brokenOf),
    edit: (message, messageId, mayGoOn = always) => retell(message, messageId, mayGoOn).catch(brokenOf),
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

/** An alert that would have gone out as text is not lost for a drawing that is not wanted there. */
function sparingTheDrawing(
  answer: Attempt,
  { drawing }: Illustrated,
  repairs: ReadonlySet<MessageRepair>,
): Attempt {
  if (drawing === null || repairs.has("no-picture") || answer.type !== "refused") return answer;
  const isLost = ["closed", "failed"].includes(answer.verdict.type);
  return isLost ? { ...answer, verdict: { type: "repair", by: "no-picture" } } : answer;
}

function outcomeOf(answer: Attempt, { includedCount }: Rendered): SendOutcome {
  if (answer.type === "accepted") return { type: "sent", messageId: answer.messageId, includedCount };
  if (answer.type === "unanswered") return { type: "unknown", error: answer.error };
  const { verdict, error } = answer;
  if (verdict.type === "sent") return { type: "sent", messageId: null, includedCount };
  if (verdict.type === "repair") return { type: "failed", scope: "alert", error };
  return { ...verdict, error };
}

/** A topic that is closed may be opened again; one that is gone is to be forgotten. */
function withoutTopic(
  outcome: SendOutcome,
  { topicId = null }: ChannelMessage,
  topicError: string | undefined,
): SendOutcome {
  const isGone = topicError !== undefined && !topicError.includes("TOPIC_CLOSED");
  return isGone && topicId !== null && outcome.type === "sent"
    ? { ...outcome, goneTopicId: topicId }
    : outcome;
}

async function post(
  api: Api,
  { chatId, replyTo, topicId = null }: ChannelMessage,
  rendered: Illustrated,
  repairs: ReadonlySet<MessageRepair>,
): Promise<{ message_id: number } | undefined> {
  const picture = rendered.pictureUrl ?? (rendered.drawing && new InputFile(rendered.drawing, "place.png"));
  const { text, ...form } = contentOf(rendered, repairs);
  const common = {
    ...form,
    ...(topicId === null || repairs.has("no-topic") ? {} : { message_thread_id: Number(topicId) }),
    ...(replyTo === null
      ? {}
      : { reply_parameters: { message_id: Number(replyTo), allow_sending_without_reply: true } }),
  };
  if (picture !== null && !repairs.has("no-picture")) {
    return api.sendPhoto(chatId, picture, { ...common, caption: text });
  }
  return api.sendMessage(chatId, text, { ...common, link_preview_options: previewOf(rendered) });
}

/** Whether it went out with its picture nobody wrote down; Telegram says it where the guess was wrong. */
async function rewrite(
  api: Api,
  { chatId, messageId }: { chatId: string; messageId: string },
  rendered: Illustrated,
  repairs: ReadonlySet<MessageRepair>,
): Promise<{ message_id: number } | undefined> {
  const { text, ...form } = contentOf(rendered, repairs);
  const id = Number(messageId);
  const hadPicture = rendered.pictureUrl !== null || rendered.drawing !== null;
  const isCaption = repairs.has("only-caption") || (hadPicture && !repairs.has("no-caption"));
  const edited = isCaption
    ? await api.editMessageCaption(chatId, id, { ...form, caption: text })
    : await api.editMessageText(chatId, id, text, { ...form, link_preview_options: previewOf(rendered) });
  return edited === true ? undefined : edited;
}

function contentOf({ html, buttons }: Rendered, repairs: ReadonlySet<MessageRepair>) {
  const isPlain = repairs.has("plain-text");
  return {
    text: isPlain ? plainOf(html) : html,
    ...(isPlain ? {} : { parse_mode: "HTML" as const }),
    ...(buttons.length === 0 || repairs.has("no-buttons")
      ? {}
      : { reply_markup: { inline_keyboard: buttons.map((row) => [...row]) } }),
  };
}

function previewOf({ previewUrl }: Rendered) {
  return previewUrl === null ? { is_disabled: true } : { url: previewUrl, prefer_large_media: true };
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
