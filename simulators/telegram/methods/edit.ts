import type { Chat, StoredMessage } from "../model.ts";
import { requireChat, requireReadable, requireWritable } from "../reach-chat.ts";
import { readInteger, readString } from "../read-parameters.ts";
import { badRequest, tooManyRequests } from "../refusal.ts";
import { type InlineKeyboard, readEditedMarkup } from "../reply-markup.ts";
import { readText } from "../text/read-text.ts";
import { botUser, findMessage, tell, unixTime } from "../world.ts";
import type { Call, Method, Outcome } from "./method.ts";
import { CAPTION_LIMIT, readLinkPreview, requireText, TEXT_LIMIT } from "./send.ts";

const DELETABLE_MS = 48 * 60 * 60 * 1000;

export const editMessageText: Method = (call) => {
  const body = requireText(call.parameters);
  const preview = readLinkPreview(call.parameters);
  const { chat, stored, keyboard } = requireEditable(call);
  if (stored.message.text === undefined) throw badRequest("there is no text in the message to edit");
  if (body.text.length > TEXT_LIMIT) throw badRequest("message is too long");
  const { entities: _, link_preview_options: __, ...rest } = stored.message;
  return replace(
    call,
    { chat, stored, keyboard },
    {
      ...rest,
      text: body.text,
      ...(body.entities.length === 0 ? {} : { entities: body.entities }),
      ...(preview === undefined ? {} : { link_preview_options: preview }),
    },
  );
};

export const editMessageCaption: Method = (call) => {
  const caption = readText(call.parameters, { text: "caption", entities: "caption_entities" });
  const { chat, stored, keyboard } = requireEditable(call);
  if (stored.message.photo === undefined) throw badRequest("there is no caption in the message to edit");
  if (caption.text.length > CAPTION_LIMIT) throw badRequest("message caption is too long");
  const { caption: _, caption_entities: __, ...rest } = stored.message;
  return replace(
    call,
    { chat, stored, keyboard },
    {
      ...rest,
      ...(caption.text === "" ? {} : { caption: caption.text }),
      ...(caption.entities.length === 0 ? {} : { caption_entities: caption.entities }),
    },
  );
};

export const editMessageReplyMarkup: Method = (call) => {
  const editable = requireEditable(call);
  return replace(call, editable, editable.stored.message);
};

export const deleteMessage: Method = ({ world, parameters }) => {
  const chat = requireReadable(requireChat(world, parameters));
  const messageId = readInteger(parameters, "message_id");
  if (!messageId) throw badRequest("message identifier is not specified");
  const stored = findMessage(chat, messageId);
  if (stored === undefined) throw badRequest("message to delete not found");
  const ageMs = world.clock.now() - stored.message.date * 1000;
  const isOwn = isByBot(stored, world.bot.id, chat);
  const mayDeleteOthers =
    chat.kind === "private" || (chat.standing === "admin" && chat.rights.can_delete_messages === true);
  if (!(isOwn || mayDeleteOthers)) throw badRequest("message can't be deleted");
  if (ageMs > DELETABLE_MS && !(chat.standing === "admin" && mayDeleteOthers)) {
    throw badRequest("message can't be deleted for everyone");
  }
  stored.deletedAt = world.clock.now();
  tell(world, { type: "chat", chatId: chat.id });
  return { result: true };
};

interface Editable {
  readonly chat: Chat;
  readonly stored: StoredMessage;
  readonly keyboard: InlineKeyboard | undefined;
}

function requireEditable({ world, parameters }: Call): Editable {
  const keyboard = readEditedMarkup(parameters);
  const messageId = readInteger(parameters, "message_id");
  if (!messageId && readString(parameters, "inline_message_id") === undefined) {
    throw badRequest("message identifier is not specified");
  }
  const chat = requireWritable(requireChat(world, parameters), "anything");
  const stored = findMessage(chat, messageId);
  if (stored === undefined) throw badRequest("message to edit not found");
  if (!isByBot(stored, world.bot.id, chat)) throw badRequest("message can't be edited");
  return { chat, stored, keyboard };
}

function isByBot({ message }: StoredMessage, botId: number, chat: Chat): boolean {
  const from = message.from as { id?: number } | undefined;
  return from?.id === botId || (chat.kind === "channel" && message.author_signature === undefined);
}

/** A keyboard that is not sent again is gone. */
function replace(
  { world }: Call,
  { chat, stored, keyboard }: Editable,
  next: StoredMessage["message"],
): Outcome {
  const { reply_markup: _, edit_date: __, ...content } = next;
  const { edit_date: ___, ...before } = stored.message;
  const after = { ...content, ...(keyboard === undefined ? {} : { reply_markup: keyboard }) };
  if (isSame(before, after)) {
    throw badRequest(
      "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
    );
  }
  const waitSeconds = world.flood.admit(chat, "edit");
  if (waitSeconds > 0) throw tooManyRequests(waitSeconds);
  stored.edits.push(stored.message.text ?? stored.message.caption ?? "");
  stored.message = { ...(after as StoredMessage["message"]), edit_date: unixTime(world) };
  tell(world, { type: "chat", chatId: chat.id });
  return { result: chat.kind === "channel" ? stored.message : { ...stored.message, from: botUser(world) } };
}

function isSame(one: object, other: object): boolean {
  const sorted = (value: object) =>
    JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(one) === sorted(other);
}
