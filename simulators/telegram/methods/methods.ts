import * as profile from "./bot-profile.ts";
import { answerCallbackQuery, editMessageCaption, editMessageReplyMarkup, editMessageText } from "./edit.ts";
import { answerInlineQuery, savePreparedInlineMessage } from "./inline.ts";
import { getChatAdministrators, getChatMember, getMe } from "./members.ts";
import type { Method } from "./method.ts";
import { sendChatAction, sendDocument, sendMediaGroup, sendMessage, sendPhoto } from "./send.ts";
import { deleteWebhook, getUpdates, setWebhook } from "./updates.ts";

/** The methods that the product calls. All others give 404. */
export const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>(
  Object.entries({
    getMe,
    getUpdates,
    setWebhook,
    deleteWebhook,
    sendMessage,
    sendPhoto,
    sendDocument,
    sendMediaGroup,
    sendChatAction,
    editMessageText,
    editMessageCaption,
    editMessageReplyMarkup,
    answerCallbackQuery,
    answerInlineQuery,
    savePreparedInlineMessage,
    getChatMember,
    getChatAdministrators,
    setMyCommands: profile.setMyCommands,
    getMyCommands: profile.getMyCommands,
    setChatMenuButton: profile.setChatMenuButton,
    getChatMenuButton: profile.getChatMenuButton,
    setMyDescription: profile.setMyDescription,
    getMyDescription: profile.getMyDescription,
    setMyShortDescription: profile.setMyShortDescription,
    getMyShortDescription: profile.getMyShortDescription,
  }),
);
