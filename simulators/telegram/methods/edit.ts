import { z } from "zod";
import { requireWritable } from "../chat-access.ts";
import type { Chat, Message } from "../model.ts";
import { badRequest, tooManyRequests } from "../refusal.ts";
import { checkKeyboard, replyMarkup } from "../reply-markup.ts";
import { findMessage, notify, unixTime, type World } from "../world.ts";
import { flag, integer, json, type Method, readParameters, text } from "./method.ts";
import {
  CAPTION_PARAMETERS,
  captionContent,
  requireCaptionLength,
  requireLength,
  TEXT_PARAMETERS,
  textContent,
} from "./send.ts";

/** How long a button press can be answered. */
const ANSWERABLE_MS = 30_000;
const ANSWER_LIMIT = 200;
const TEXT_EDIT = z.strictObject({ ...TEXT_PARAMETERS, message_id: integer });
const CAPTION_EDIT = z.strictObject({ ...CAPTION_PARAMETERS, message_id: integer });
const MARKUP_EDIT = z.strictObject({ chat_id: text, message_id: integer, reply_markup: json(replyMarkup) });
const ANSWER = z.strictObject({ callback_query_id: text, text, show_alert: flag });

export const editMessageText: Method = (call) => {
  const parameters = readParameters(call, TEXT_EDIT);
  const content = textContent(parameters);
  return edit(call.world, parameters, ({ entities: _, link_preview_options: __, text: before, ...rest }) => {
    if (before === undefined) throw badRequest("there is no text in the message to edit");
    requireLength(content.text);
    return { ...rest, ...content };
  });
};

export const editMessageCaption: Method = (call) => {
  const parameters = readParameters(call, CAPTION_EDIT);
  const content = captionContent(parameters);
  return edit(call.world, parameters, ({ caption: _, caption_entities: __, ...rest }) => {
    if (rest.photo === undefined) throw badRequest("there is no caption in the message to edit");
    requireCaptionLength(content.caption);
    return { ...rest, ...content };
  });
};

export const editMessageReplyMarkup: Method = (call) => {
  const parameters = readParameters(call, MARKUP_EDIT);
  const keyboard = checkKeyboard(parameters.reply_markup, parameters.chat_id);
  return edit(call.world, parameters, (rest) => ({
    ...rest,
    ...(keyboard === undefined ? {} : { reply_markup: keyboard }),
  }));
};

interface EditParameters {
  readonly chat_id?: string | undefined;
  readonly message_id?: number | undefined;
}

/** An edit without a keyboard removes it. */
function edit(
  world: World,
  { chat_id, message_id }: EditParameters,
  change: (message: Omit<Message, "reply_markup">) => object,
): Message {
  if (!message_id) throw badRequest("message identifier is not specified");
  const chat = requireWritable(world, chat_id, "edits");
  const stored = findMessage(chat, message_id);
  if (stored === undefined) throw badRequest("message to edit not found");
  if (!isByBot(world, chat, stored.message)) throw badRequest("message can't be edited");
  const { edit_date: _, ...before } = stored.message;
  const { reply_markup: __, ...rest } = before;
  const after = change(rest as Message) as Message;
  if (isSame(before, after)) {
    throw badRequest(
      "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
    );
  }
  const waitSeconds = world.flood.admit(chat, "edit");
  if (waitSeconds > 0) throw tooManyRequests(waitSeconds);
  stored.message = { ...after, edit_date: unixTime(world) };
  notify(world, { type: "chat", chatId: chat.id });
  return stored.message;
}

function isByBot({ bot }: World, chat: Chat, message: Message): boolean {
  return message.from?.id === bot.id || (chat.kind === "channel" && message.author_signature === undefined);
}

function isSame(one: object, other: object): boolean {
  const sorted = (value: object) =>
    JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(one) === sorted(other);
}

export const answerCallbackQuery: Method = (call) => {
  const { world } = call;
  const { callback_query_id = "", text: answer = "", show_alert = false } = readParameters(call, ANSWER);
  const press = world.presses.get(callback_query_id);
  const isOpen = press?.answer === undefined && world.clock.now() - (press?.pressedAt ?? 0) <= ANSWERABLE_MS;
  if (press === undefined || !isOpen) {
    throw badRequest("query is too old and response timeout expired or query ID is invalid");
  }
  if (answer.length > ANSWER_LIMIT) throw badRequest("MESSAGE_TOO_LONG");
  press.answer = { text: answer, isAlert: show_alert };
  notify(world, { type: "answer", chatId: press.chatId, pressId: press.id });
  return true;
};
