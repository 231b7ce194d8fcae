import type { Chat, Message, PhotoSize } from "../model.ts";
import { requireChat, requireWritable } from "../reach-chat.ts";
import {
  type Parameters,
  readBoolean,
  readFlag,
  readInteger,
  readObject,
  readString,
} from "../read-parameters.ts";
import { badRequest, tooManyRequests } from "../refusal.ts";
import { readReplyMarkup } from "../reply-markup.ts";
import { checkLink } from "../text/check-link.ts";
import type { FormattedText } from "../text/entity.ts";
import { isBlank, readText } from "../text/read-text.ts";
import { addMessage, botUser, findMessage, tell, type World } from "../world.ts";
import type { Call, Method, Outcome } from "./method.ts";

export const TEXT_LIMIT = 4096;
export const CAPTION_LIMIT = 1024;
const ACTION_SHOWN_MS = 5000;
const ACTIONS = new Set([
  "typing",
  "upload_photo",
  "record_video",
  "upload_video",
  "record_voice",
  "upload_voice",
  "upload_document",
  "choose_sticker",
  "find_location",
  "record_video_note",
  "upload_video_note",
]);

export const sendMessage: Method = (call) => {
  const { world, parameters } = call;
  const body = requireText(parameters);
  const preview = readLinkPreview(parameters);
  const keyboard = readReplyMarkup(parameters);
  const chat = requireWritable(requireChat(world, parameters), "text");
  if (body.text.length > TEXT_LIMIT) throw badRequest("message is too long");
  const content = {
    text: body.text,
    ...(body.entities.length === 0 ? {} : { entities: body.entities }),
    ...(preview === undefined ? {} : { link_preview_options: preview }),
    ...(keyboard === undefined ? {} : { reply_markup: keyboard }),
  };
  return post(call, chat, { method: "sendMessage", content });
};

export const sendPhoto: Method = async (call) => {
  const { world, parameters } = call;
  const caption = readText(parameters, { text: "caption", entities: "caption_entities" });
  const keyboard = readReplyMarkup(parameters);
  const chat = requireWritable(requireChat(world, parameters), "photo");
  if (caption.text.length > CAPTION_LIMIT) throw badRequest("message caption is too long");
  const photo = await readPhoto(world, parameters);
  const isAbove = readBoolean(parameters, "show_caption_above_media");
  const content = {
    photo,
    ...(caption.text === "" ? {} : { caption: caption.text }),
    ...(caption.entities.length === 0 ? {} : { caption_entities: caption.entities }),
    ...(isAbove ? { show_caption_above_media: true } : {}),
    ...(keyboard === undefined ? {} : { reply_markup: keyboard }),
  };
  return post(call, chat, { method: "sendPhoto", content });
};

export const sendChatAction: Method = ({ world, parameters }) => {
  const action = readString(parameters, "action")?.toLowerCase() ?? "";
  if (!ACTIONS.has(action)) throw badRequest("wrong parameter action in request");
  const chat = requireWritable(requireChat(world, parameters), "anything");
  chat.action = { name: action, until: world.clock.now() + ACTION_SHOWN_MS };
  tell(world, { type: "chat", chatId: chat.id });
  return { result: true };
};

export function requireText(parameters: Parameters): FormattedText {
  if ((readString(parameters, "text") ?? "") === "") throw badRequest("message text is empty");
  const body = readText(parameters, { text: "text", entities: "entities" });
  if (isBlank(body.text)) throw badRequest("text must be non-empty");
  return body;
}

export function readLinkPreview(parameters: Parameters): Record<string, unknown> | undefined {
  const options = readObject(parameters, "link_preview_options");
  if (options === undefined) {
    return readBoolean(parameters, "disable_web_page_preview") ? { is_disabled: true } : undefined;
  }
  const flags = ["is_disabled", "prefer_small_media", "prefer_large_media", "show_above_text"];
  const set = flags.filter((flag) => readFlag(options, flag));
  const url = options.url === undefined || options.url === "" ? undefined : checkLink(String(options.url));
  if (url?.isFine === false) throw badRequest("WEBPAGE_URL_INVALID");
  return {
    ...(url === undefined ? {} : { url: url.url }),
    ...Object.fromEntries(set.map((flag) => [flag, true])),
  };
}

interface Posting {
  readonly method: string;
  readonly content: Readonly<Record<string, unknown>>;
}

function post(call: Call, chat: Chat, { method, content }: Posting): Outcome {
  const { world, parameters } = call;
  if (readBoolean(parameters, "allow_paid_broadcast")) throw badRequest("FLOODSKIP_NOT_ALLOWED");
  if (readInteger(parameters, "message_thread_id")) throw badRequest("message thread not found");
  const repliedTo = readReply(world, parameters, chat);
  const waitSeconds = world.flood.admit(chat, "send");
  if (waitSeconds > 0) throw tooManyRequests(waitSeconds);
  chat.action = undefined;
  const message = addMessage(world, chat, {
    ...(chat.kind === "channel" ? {} : { from: botUser(world) }),
    ...(repliedTo === undefined ? {} : { reply_to_message: repliedTo }),
    ...(readBoolean(parameters, "protect_content") ? { has_protected_content: true } : {}),
    ...content,
  });
  call.accepted = world.ledger.accept({
    at: world.clock.now(),
    method,
    chatId: chat.id,
    messageId: message.message_id,
    text: message.text ?? message.caption ?? "",
    photo: readString(parameters, "photo"),
    replyTo: repliedTo?.message_id,
  });
  return { result: message };
}

function readReply(world: World, parameters: Parameters, chat: Chat): Message | undefined {
  const given = readObject(parameters, "reply_parameters");
  const legacyId = readInteger(parameters, "reply_to_message_id");
  if (given === undefined && !legacyId) return undefined;
  if (given !== undefined && given.message_id === undefined) {
    throw badRequest('can\'t find field "message_id"');
  }
  const messageId = given === undefined ? legacyId : Number(given.message_id);
  const isOptional =
    given === undefined
      ? readBoolean(parameters, "allow_sending_without_reply")
      : readFlag(given, "allow_sending_without_reply");
  const place = given?.chat_id === undefined ? chat : world.chats.get(Number(given.chat_id));
  const found = place === undefined ? undefined : findMessage(place, messageId)?.message;
  if (found === undefined) {
    if (isOptional) return undefined;
    throw badRequest("message to be replied not found");
  }
  const { reply_to_message: _, ...message } = found;
  return message as Message;
}

async function readPhoto(world: World, parameters: Parameters): Promise<PhotoSize[]> {
  const given = readString(parameters, "photo") ?? "";
  const attached = parameters.files.get(given.startsWith("attach://") ? given.slice(9) : "photo");
  if (attached !== undefined) return world.pictures.byUpload(attached);
  if (given === "" || given.startsWith("attach://")) throw badRequest("there is no photo in the request");
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(given);
  return isUrl ? world.pictures.byUrl(given) : world.pictures.byFileId(given);
}
