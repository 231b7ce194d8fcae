import { answerCallbackQuery } from "./answer-callback-query.ts";
import { getChat, getChatAdministrators, getChatMember, getMe, leaveChat } from "./chats.ts";
import {
  deleteMyCommands,
  getMyCommands,
  getMyDescription,
  getMyShortDescription,
  setMyCommands,
  setMyDescription,
  setMyShortDescription,
} from "./commands.ts";
import { deleteMessage, editMessageCaption, editMessageReplyMarkup, editMessageText } from "./edit.ts";
import { getUpdates } from "./get-updates.ts";
import type { Method } from "./method.ts";
import { sendChatAction, sendMessage, sendPhoto } from "./send.ts";
import { deleteWebhook, getWebhookInfo, setWebhook } from "./webhooks.ts";

const METHODS: Readonly<Record<string, Method>> = {
  getMe,
  getUpdates,
  setWebhook,
  deleteWebhook,
  getWebhookInfo,
  sendMessage,
  sendPhoto,
  sendChatAction,
  editMessageText,
  editMessageCaption,
  editMessageReplyMarkup,
  deleteMessage,
  answerCallbackQuery,
  getChat,
  getChatMember,
  getChatAdministrators,
  leaveChat,
  setMyCommands,
  getMyCommands,
  deleteMyCommands,
  setMyDescription,
  getMyDescription,
  setMyShortDescription,
  getMyShortDescription,
};

const BY_LOWER_NAME = new Map(
  Object.entries(METHODS).map(([name, method]) => [name.toLowerCase(), { name, method }]),
);

/** Names are taken in any case, as Telegram takes them. */
export function findMethod(name: string): { name: string; method: Method } | undefined {
  return BY_LOWER_NAME.get(name.toLowerCase());
}
