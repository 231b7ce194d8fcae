import { createHash } from "node:crypto";
import { z } from "zod";
import { requireTopic, requireWritable } from "../chat-access.ts";
import type { Chat, Message } from "../model.ts";
import { badRequest, Refusal, tooManyRequests } from "../refusal.ts";
import { checkKeyboard, replyMarkup } from "../reply-markup.ts";
import { checkLink } from "../text/check-link.ts";
import { type FormattedText, finishText } from "../text/entity.ts";
import { parseHtml } from "../text/parse-html.ts";
import { addMessage, botUser, findMessage } from "../world.ts";
import { type Call, flag, integer, json, type Method, readParameters, text } from "./method.ts";

const RAW_LIMIT = 32_768;
const TEXT_LIMIT = 4096;
const CAPTION_LIMIT = 1024;
/** Invisible characters. A text of only these is empty. */
const INVISIBLE = /\s|\p{Default_Ignorable_Code_Point}|[\u2800\u3164\uffa0]/gu;

const linkPreview = json(
  z.strictObject({
    is_disabled: z.boolean().optional(),
    url: z.string().optional(),
    prefer_large_media: z.boolean().optional(),
  }),
);
export const TEXT_PARAMETERS = {
  chat_id: text,
  text,
  parse_mode: text,
  reply_markup: json(replyMarkup),
  link_preview_options: linkPreview,
};
const POSTING = {
  chat_id: text,
  parse_mode: text,
  reply_markup: json(replyMarkup),
  message_thread_id: integer,
  disable_notification: flag,
  reply_parameters: json(
    z.strictObject({ message_id: z.int(), allow_sending_without_reply: z.boolean().optional() }),
  ),
};
const MESSAGE = z.strictObject({ ...POSTING, ...TEXT_PARAMETERS });
export const CAPTION_PARAMETERS = {
  chat_id: text,
  caption: text,
  parse_mode: text,
  reply_markup: json(replyMarkup),
};
const PHOTO = z.strictObject({
  ...POSTING,
  ...CAPTION_PARAMETERS,
  photo: z.union([z.instanceof(Uint8Array), text]),
});

export const sendMessage: Method = (call) => {
  const parameters = readParameters(call, MESSAGE);
  const content = textContent(parameters);
  const chat = requireWritable(call.world, parameters.chat_id, "text messages");
  requireLength(content.text, TEXT_LIMIT, "message");
  return post(call, chat, { method: "sendMessage", content, ...parameters });
};

const ACTIONS = ["typing", "upload_photo", "upload_document", "choose_sticker", "find_location"];
const CHAT_ACTION = z.strictObject({ chat_id: text, message_thread_id: integer, action: text });

/** Shows what the bot is doing for five seconds. Needs the same rights as a message. */
export const sendChatAction: Method = (call) => {
  const { chat_id, message_thread_id, action } = readParameters(call, CHAT_ACTION);
  const chat = requireWritable(call.world, chat_id, "text messages");
  if (message_thread_id) requireTopic(call.world, chat, message_thread_id);
  if (!ACTIONS.includes(action ?? "")) throw badRequest("wrong parameter action in request");
  return true;
};

export const sendPhoto: Method = (call) => {
  const parameters = readParameters(call, PHOTO);
  const caption = captionContent(parameters);
  const chat = requireWritable(call.world, parameters.chat_id, "photos");
  requireCaptionLength(caption.caption);
  const content = { photo: call.world.pictures.photoOf(parameters.photo ?? ""), ...caption };
  const { photo = "" } = parameters;
  const url = typeof photo === "string" ? photo : "(uploaded)";
  return post(call, chat, { method: "sendPhoto", content, ...parameters, photo: url });
};

const DOCUMENT = z.strictObject({ ...POSTING, ...CAPTION_PARAMETERS, document: z.instanceof(Uint8Array) });
/** What a bot may upload. */
const LARGEST_FILE = 50 * 1024 * 1024;

/** Only uploads with a name: the product never sends a file by its URL or id. */
export const sendDocument: Method = (call) => {
  const parameters = readParameters(call, DOCUMENT);
  const caption = captionContent(parameters);
  const chat = requireWritable(call.world, parameters.chat_id, "documents");
  requireCaptionLength(caption.caption);
  const { document } = parameters;
  const { fileName } = document as Uint8Array & { fileName?: string };
  if (!fileName) throw badRequest("there is no document in the request");
  if (document.length === 0) throw badRequest("file must be non-empty");
  if (document.length > LARGEST_FILE) throw new Refusal(413, "Request Entity Too Large");
  const file_unique_id = createHash("sha256").update(document).digest("base64url").slice(0, 15);
  const content = {
    document: {
      file_id: `doc-${file_unique_id}`,
      file_unique_id,
      file_name: fileName,
      file_size: document.length,
    },
    ...caption,
  };
  const { document: _, ...posting } = parameters;
  const message = post(call, chat, { method: "sendDocument", content, ...posting });
  call.world.documents.set(content.document.file_id, document);
  return message;
};

const ALBUM = z.strictObject({
  chat_id: text,
  message_thread_id: integer,
  media: json(
    z
      .array(z.strictObject({ type: z.literal("photo"), media: z.string() }))
      .min(2)
      .max(10),
  ),
});

/** An album: one message per photo, all or none. Albums cannot have buttons. */
export const sendMediaGroup: Method = (call) => {
  const parameters = readParameters(call, ALBUM);
  const chat = requireWritable(call.world, parameters.chat_id, "photos");
  const photos = (parameters.media ?? []).map(({ media }) => call.world.pictures.photoOf(media));
  return photos.map((photo) =>
    post(call, chat, { method: "sendMediaGroup", content: { photo }, ...parameters }),
  );
};

type TextParameters = z.infer<z.ZodObject<typeof TEXT_PARAMETERS>>;

/** Validates a text message and returns its contents. */
export function textContent({
  chat_id,
  text: raw = "",
  parse_mode,
  reply_markup,
  link_preview_options,
}: TextParameters) {
  if (raw === "") throw badRequest("message text is empty");
  const body = formattedText(raw, parse_mode);
  if (body.text.replace(INVISIBLE, "") === "") throw badRequest("text must be non-empty");
  const { url } = link_preview_options ?? {};
  if (url !== undefined && !checkLink(url).isFine) throw badRequest("WEBPAGE_URL_INVALID");
  const keyboard = checkKeyboard(reply_markup, chat_id);
  return {
    text: body.text,
    ...(body.entities.length === 0 ? {} : { entities: body.entities }),
    ...(link_preview_options === undefined ? {} : { link_preview_options }),
    ...(keyboard === undefined ? {} : { reply_markup: keyboard }),
  };
}

type CaptionParameters = z.infer<z.ZodObject<typeof CAPTION_PARAMETERS>>;

/** The caption of a photo. An empty caption counts as none. */
export function captionContent({ chat_id, caption: raw = "", parse_mode, reply_markup }: CaptionParameters) {
  const { text: caption, entities } = formattedText(raw, parse_mode);
  const keyboard = checkKeyboard(reply_markup, chat_id);
  return {
    ...(caption === "" ? {} : { caption }),
    ...(entities.length === 0 ? {} : { caption_entities: entities }),
    ...(keyboard === undefined ? {} : { reply_markup: keyboard }),
  };
}

export function requireCaptionLength(caption = ""): void {
  requireLength(caption, CAPTION_LIMIT, "message caption");
}

export function requireLength(body: string, limit = TEXT_LIMIT, what = "message"): void {
  if (body.length > limit) throw badRequest(`${what} is too long`);
}

function formattedText(raw: string, parseMode = ""): FormattedText {
  if (raw.length > RAW_LIMIT) throw badRequest("text is too long");
  if (!raw.isWellFormed()) throw badRequest("strings must be encoded in UTF-8");
  if (!["", "html"].includes(parseMode.toLowerCase())) throw badRequest("unsupported parse_mode");
  const clean = raw.replaceAll("\r", "").replaceAll("\u0000", " ");
  return finishText(parseMode === "" ? { text: clean, entities: [] } : parseHtml(clean));
}

type Posting = z.infer<z.ZodObject<typeof POSTING>> & {
  readonly method: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly photo?: string | undefined;
};

function post(call: Call, chat: Chat, posting: Posting): Message {
  const { world } = call;
  const topicId = posting.message_thread_id;
  if (topicId) requireTopic(world, chat, topicId);
  const repliedTo = repliedMessage(chat, posting.reply_parameters);
  const waitSeconds = world.flood.admit(chat, "send");
  if (waitSeconds > 0) throw tooManyRequests(waitSeconds);
  const message = addMessage(world, chat, {
    ...(chat.kind === "channel" ? {} : { from: botUser(world) }),
    ...(repliedTo === undefined ? {} : { reply_to_message: repliedTo }),
    ...(topicId ? { message_thread_id: topicId, is_topic_message: true } : {}),
    ...posting.content,
  });
  call.accepted = world.ledger.accept({
    at: world.clock.now(),
    method: posting.method,
    chatId: chat.id,
    messageId: message.message_id,
    text: message.text ?? message.caption ?? "",
    photo: posting.photo,
    replyTo: repliedTo?.message_id,
    isSilent: posting.disable_notification ?? false,
  });
  return message;
}

function repliedMessage(chat: Chat, reply: Posting["reply_parameters"]): Message | undefined {
  if (reply === undefined) return undefined;
  const found = findMessage(chat, reply.message_id)?.message;
  if (found === undefined && !reply.allow_sending_without_reply) {
    throw badRequest("message to be replied not found");
  }
  if (found === undefined) return undefined;
  const { reply_to_message: _, ...message } = found;
  return message as Message;
}
