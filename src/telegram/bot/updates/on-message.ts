import type { Context } from "grammy";
import type { Message } from "grammy/types";
import { DEFAULT_LANGUAGE } from "#core/languages.ts";
import { moveChat } from "../../rows/chats.ts";
import { meetChat, noteLanguage } from "../../rows/conversations.ts";
import { type BotParts, createConversation, type Speaker } from "../conversation/conversation.ts";
import type { Admission } from "../conversation/inbound-limit.ts";
import type { ReceivedText, SentText } from "../conversation/read-links.ts";
import { locationIn } from "../conversation/shared-location.ts";
import { type BotChat, chatOf, readLanguageCode, topicOf } from "../conversation/telegram-chat.ts";
import { answerLocation, answerMessage, isForTheBot } from "../router/answer-message.ts";
import { isStop } from "./read-update.ts";

export async function onMessage(parts: BotParts, ctx: Context): Promise<void> {
  const message = ctx.message ?? ctx.channelPost;
  const chat = chatOf(message?.chat);
  if (message === undefined || chat === undefined) return;
  if (await followMove(parts, chat, message)) return;
  const speaker = speakerOf(message, chat);
  const received = receivedTextOf(message, parts.username);
  const isForUs = received !== undefined && isForTheBot(received, chat, parts.username);
  // In a group a location is meant for the other members.
  const shared = chat.kind === "private" ? locationIn(message) : undefined;
  if (speaker === undefined || !(isForUs || shared)) return;
  const admission = admissionOf(parts, { chat, speaker, text: received?.text ?? "" });
  if (admission === "ignored") return;
  const code = readLanguageCode(message.from?.language_code);
  const { spoken } = await meetChat(parts.sql, { ...chat, telegramLanguage: code });
  const language = spoken ?? DEFAULT_LANGUAGE;
  await noteLanguage(parts.sql, chat.id, language);
  const threadId = topicOf(message);
  const conversation = createConversation({ parts, api: ctx.api, chat, speaker, language, threadId });
  if (admission === "over-limit") return conversation.reply(conversation.t("too_much"));
  if (shared) return answerLocation(conversation, shared);
  if (received) await answerMessage(conversation, received);
}

/** Returns undefined for a message without text. */
function receivedTextOf(message: Message, username: string): ReceivedText | undefined {
  const sent = sentTextOf(message);
  if (sent === undefined) return undefined;
  const answered = message.reply_to_message;
  const isByUs = answered?.from?.username?.toLowerCase() === username.toLowerCase();
  return {
    ...sent,
    isForwarded: isForwarded(message),
    repliedTo: answered && sentTextOf(answered),
    repliedToId: isByUs && Number.isSafeInteger(answered?.message_id) ? answered?.message_id : undefined,
  };
}

/** The text of a message, or the caption of its photo. Allowing the bot to write, in the Mini App, is pressing Start. */
function sentTextOf(message: Message): SentText | undefined {
  const { text, caption, entities, caption_entities } = message;
  if (message.write_access_allowed && message.chat.type === "private") return { text: "/start" };
  const written: unknown = text ?? caption;
  return typeof written === "string"
    ? { text: written, entities: text === undefined ? caption_entities : entities }
    : undefined;
}

/** A group has a limit of its own, because Telegram limits the replies to it. /stop is counted separately. */
function admissionOf(
  { admit }: BotParts,
  { chat, speaker, text }: { chat: BotChat; speaker: Speaker; text: string },
): Admission {
  if (isStop(text)) return admit(`stop ${chat.id}`);
  const ofSpeaker = speaker.is === "person" ? admit(String(speaker.id)) : "admitted";
  if (ofSpeaker !== "admitted" || chat.kind === "private") return ofSpeaker;
  return admit(chat.id);
}

/** Telegram reports the upgrade to a supergroup in both chats. Either report is enough. */
async function followMove({ sql, logger }: BotParts, chat: BotChat, message: Message): Promise<boolean> {
  const { migrate_to_chat_id: to, migrate_from_chat_id: from } = message;
  if (!(Number.isSafeInteger(to) || Number.isSafeInteger(from))) return false;
  if (to !== undefined) await moveChat(sql, chat.id, String(to));
  if (from !== undefined) await moveChat(sql, String(from), chat.id);
  logger.info({}, "a group was upgraded to a supergroup");
  return true;
}

/** Returns undefined for other bots and for channels that post in a group. */
function speakerOf(message: Message, chat: BotChat): Speaker | undefined {
  const isTheChat = message.sender_chat !== undefined && String(message.sender_chat.id) === chat.id;
  if (isTheChat || chat.kind === "channel") return { is: "chat" };
  const { from } = message;
  if (from === undefined || from.is_bot || message.sender_chat !== undefined) return undefined;
  return Number.isSafeInteger(from.id) ? { is: "person", id: from.id } : undefined;
}

/** A forwarded connect link must not connect the chat it was forwarded to. */
function isForwarded(message: Message): boolean {
  return message.forward_origin !== undefined || "forward_date" in message || message.via_bot !== undefined;
}
