// Renders news as a Telegram message, sends it and returns the outcome. If Telegram refuses a part of the message, it sends
// the message without that part. It must not depend on the outbox, rate limits or retries.
import { Api, GrammyError, InputFile } from "grammy";
import { escapeHtml } from "#core/escape-html.ts";
import { withTimeout } from "#platform/timing.ts";
import { plainOf } from "../html.ts";
import type { Channel, ChannelMessage, ProbeOutcome, SendOutcome } from "./channel.ts";
import type { PictureOf } from "./place-picture/place-picture.ts";
import { isKnownRefusal, judgeRefusal, type MessageRepair, type Verdict } from "./refusals/judge-refusal.ts";
import { type Illustrated, nextRepair, nextRepairOfEdit, repairsOf } from "./refusals/message-ladder.ts";
import { isNeverConnected, refusalOf, scrubbed } from "./refusals/telegram-errors.ts";
import type { MiniApp } from "./render/alert-buttons.ts";
import { type Rendered, renderNews } from "./render/render-alert.ts";

export interface TelegramChannelOptions {
  readonly token: string;
  readonly apiRoot: string;
  readonly siteUrl: string;
  readonly app?: MiniApp | undefined;
  /** Called when a part of the message was left out because Telegram refused it. */
  readonly onRepair?: (repair: MessageRepair, error: string) => void;
  /** Called with the words of a refusal that judge-refusal.ts does not know. */
  readonly onUnknownRefusal?: (words: string) => void;
  /** Called when an optional line could not be rendered and was left out. */
  readonly onError?: (error: unknown) => void;
  readonly timeoutSeconds?: number;
  /** Draws a picture for news without a photo. */
  readonly pictureOf?: PictureOf;
  /** The longest that an alert waits for a drawing. */
  readonly drawingMs?: number;
}

const TIMEOUT_SECONDS = 20;
const DRAWING_MS = 1_500;

/** The result of one request. */
type Attempt =
  | { readonly type: "accepted"; readonly messageId: string | null }
  | { readonly type: "refused"; readonly verdict: Verdict; readonly error: string }
  | { readonly type: "unanswered"; readonly error: string; readonly isUnsent?: boolean };

type Call = () => Promise<{ message_id: number } | undefined>;
type CallOf = (rendered: Illustrated, repairs: ReadonlySet<MessageRepair>) => ReturnType<Call>;
type Request = { callOf: CallOf; repairAfter: typeof nextRepair; mayGoOn: () => boolean };

const always = () => true;

export function createTelegramChannel(options: TelegramChannelOptions): Channel {
  const { token, apiRoot, siteUrl, app, timeoutSeconds = TIMEOUT_SECONDS, drawingMs = DRAWING_MS } = options;
  const api = new Api(token, { apiRoot: apiRoot.replace(/\/+$/, ""), timeoutSeconds });

  const probe = () => probeOf(api);
  const attempt = async (
    call: Call,
    { mayGoOn, isInTopic, chatId }: { mayGoOn: () => boolean; isInTopic: boolean; chatId: string },
  ): Promise<Attempt> => {
    if (!mayGoOn()) return SUPERSEDED;
    try {
      const messageId = (await call())?.message_id;
      // Accepted without a message id is still accepted: sending again would duplicate the message.
      return { type: "accepted", messageId: Number.isSafeInteger(messageId) ? String(messageId) : null };
    } catch (error) {
      const text = scrubbed(error, token);
      if (!(error instanceof GrammyError)) return unansweredBy(error, text);
      const refusal = refusalOf(error);
      const judged = judgeRefusal(refusal, { isInTopic });
      const verdict = await checked(judged, { chatId, probe });
      if (verdict !== judged || !isKnownRefusal(refusal)) options.onUnknownRefusal?.(text);
      return { type: "refused", verdict, error: text };
    }
  };

  const render = (
    { news, language, userId, isMuted, isAtOnce }: ChannelMessage,
    isShort: boolean,
    onError?: TelegramChannelOptions["onError"],
  ) => renderNews(news, { language, userId, siteUrl, app, isShort, isMuted, isAtOnce, onError });
  const drawingOf = async (message: ChannelMessage) => {
    const { pictureUrl } = render(message, false, options.onError);
    return pictureUrl === null ? drawingFor(message, options.pictureOf, drawingMs) : null;
  };

  const deliver = async (
    message: ChannelMessage,
    { callOf, repairAfter, mayGoOn }: Request,
  ): Promise<SendOutcome> => {
    const repairs = repairsOf(message.form);
    const repairedBefore = repairs.size;
    let topicError: string | undefined;
    const drawing = await drawingOf(message);
    // Each round adds one repair and none is tried twice, so the loop ends.
    for (;;) {
      const rendered = { ...render(message, repairs.has("shorter")), drawing };
      const isInTopic = isForTopic(message, repairs);
      const how = { mayGoOn, isInTopic, chatId: message.chatId };
      const result = await attempt(() => callOf(rendered, repairs), how);
      const isRefused = result.type === "refused";
      const by = isRefused ? repairAfter(result.verdict, { message, rendered }, repairs) : undefined;
      if (!isRefused || by === undefined) {
        const outcome = outcomeOf(result, { rendered, isAfterRefusal: repairs.size > repairedBefore });
        return withGoneTopic(outcome, message, topicError);
      }
      repairs.add(by);
      if (by === "no-topic") topicError = result.error;
      options.onRepair?.(by, result.error);
    }
  };
  const edit = async (
    message: ChannelMessage,
    messageId: string,
    mayGoOn: () => boolean,
  ): Promise<SendOutcome> => {
    // An edit must not remove news from the message.
    if (render(message, false).includedCount < message.news.length) {
      return { type: "hopeless", error: "the news no longer fit into the message" };
    }
    const place = { chatId: message.chatId, messageId };
    return deliver({ ...message, topicId: null }, requestOfEdit(api, place, mayGoOn));
  };
  const brokenOf = (error: unknown) => failedAlert(scrubbed(error, token));

  return {
    send: (message, mayGoOn = always) => deliver(message, requestOf(api, message, mayGoOn)).catch(brokenOf),
    edit: (message, messageId, mayGoOn = always) => edit(message, messageId, mayGoOn).catch(brokenOf),
    probe,
  };
}

function failedAlert(error: string): SendOutcome {
  return { type: "failed", scope: "alert", error };
}

function requestOf(api: Api, message: ChannelMessage, mayGoOn: () => boolean): Request {
  return { callOf: (...written) => post(api, message, ...written), repairAfter: nextRepair, mayGoOn };
}

function requestOfEdit(
  api: Api,
  place: { chatId: string; messageId: string },
  mayGoOn: () => boolean,
): Request {
  return { callOf: (...written) => rewrite(api, place, ...written), repairAfter: nextRepairOfEdit, mayGoOn };
}

async function probeOf(api: Api): Promise<ProbeOutcome> {
  try {
    await api.getMe();
    return "known";
  } catch (error) {
    if (!(error instanceof GrammyError)) return "unknown";
    return judgeRefusal(refusalOf(error)).type === "refused-us" ? "refused" : "unknown";
  }
}

/** One message is never taken for a refused token, nor a group for another chat than a supergroup. */
async function checked(
  verdict: Verdict,
  { chatId, probe }: { readonly chatId: string; readonly probe: () => Promise<ProbeOutcome> },
): Promise<Verdict> {
  if (verdict.type === "refused-us")
    return (await probe()) === "known" ? { type: "failed", scope: "alert" } : verdict;
  const isNoMove = verdict.type === "moved" && (!chatId.startsWith("-") || verdict.toChatId === chatId);
  return isNoMove ? { type: "failed", scope: "chat" } : verdict;
}

/** A drawing that fails or takes too long is left out. */
async function drawingFor(
  { news: [first, ...others], form = "whole" }: ChannelMessage,
  pictureOf: PictureOf | undefined,
  drawingMs: number,
): Promise<Uint8Array | null> {
  if (!pictureOf || !first || form !== "whole" || others.length > 0) return null;
  return withTimeout(drawingMs, pictureOf(first)).catch(() => null);
}

function outcomeOf(
  answer: Attempt,
  { rendered, isAfterRefusal }: { readonly rendered: Rendered; readonly isAfterRefusal: boolean },
): SendOutcome {
  const { includedCount } = rendered;
  if (answer.type === "accepted") return { type: "sent", messageId: answer.messageId, includedCount };
  if (answer.type === "unanswered")
    return { type: "unknown", error: answer.error, ...(answer.isUnsent && { isUnsent: true }) };
  const { verdict, error } = answer;
  if (verdict.type === "sent") return { type: "sent", messageId: null, includedCount };
  if (verdict.type === "repair") return failedAlert(error);
  return { ...verdict, error, ...(verdict.type === "flood" && isAfterRefusal && { isAfterRefusal }) };
}

function isForTopic(
  { topicId = null }: Pick<ChannelMessage, "topicId">,
  repairs: ReadonlySet<MessageRepair>,
): boolean {
  return topicId !== null && !repairs.has("no-topic") && !repairs.has("bare");
}

/** Reports a deleted topic, so that it is forgotten. A closed topic may be opened again. */
function withGoneTopic(
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
  { chatId, replyTo, topicId = null, isSilent = false }: ChannelMessage,
  rendered: Illustrated,
  repairs: ReadonlySet<MessageRepair>,
): Promise<{ message_id: number } | undefined> {
  const picture = rendered.pictureUrl ?? (rendered.drawing && new InputFile(rendered.drawing, "place.png"));
  const { text, ...form } = contentOf(rendered, repairs);
  const isBare = repairs.has("bare");
  const common = {
    ...form,
    ...(isSilent && !isBare ? { disable_notification: true } : {}),
    ...(isForTopic({ topicId }, repairs) ? { message_thread_id: Number(topicId) } : {}),
    ...(replyTo === null || repairs.has("no-references")
      ? {}
      : { reply_parameters: { message_id: Number(replyTo), allow_sending_without_reply: true } }),
  };
  if (picture !== null && !repairs.has("no-picture")) {
    return api.sendPhoto(chatId, picture, { ...common, caption: text });
  }
  const link_preview_options = previewOf(repairs.has("no-references") ? { previewUrl: null } : rendered);
  return api.sendMessage(chatId, text, { ...common, ...(isBare ? {} : { link_preview_options }) });
}

/** We do not store whether the message was sent with a picture. If the guess is wrong, Telegram's refusal says so. */
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
  const links = buttons.flatMap((row) => row.filter((button) => "url" in button));
  const rows = buttons.map((row) =>
    repairs.has("only-links") ? row.filter((one) => "url" in one) : [...row],
  );
  const keyboard = repairs.has("no-buttons") ? [] : rows.filter((row) => row.length > 0);
  const written = repairs.has("no-buttons")
    ? [html, ...links.map(({ url }) => escapeHtml(url))].join("\n")
    : html;
  return {
    text: isPlain ? plainOf(written) : written,
    ...(isPlain ? {} : { parse_mode: "HTML" as const }),
    ...(keyboard.length === 0 ? {} : { reply_markup: { inline_keyboard: keyboard } }),
  };
}

function previewOf({ previewUrl }: Pick<Rendered, "previewUrl">) {
  return previewUrl === null ? { is_disabled: true } : { url: previewUrl, prefer_large_media: true };
}

const SUPERSEDED: Attempt = {
  type: "unanswered",
  error: "another process has taken over sending",
  isUnsent: true,
};

function unansweredBy(error: unknown, text: string): Attempt {
  return { type: "unanswered", error: text, ...(isNeverConnected(error) && { isUnsent: true }) };
}
