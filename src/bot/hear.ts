import type { Context } from "grammy";
import type { Message } from "grammy/types";
import { moveChat } from "#store/chats.ts";
import { findChatLanguages, meetChat } from "#store/conversations.ts";
import { answerMessage, isForTheBot } from "./answer-message.ts";
import type { BotParts } from "./bot-parts.ts";
import { parseButton } from "./button-data.ts";
import { type BotChat, chatOf } from "./chat-of.ts";
import { type Conversation, createConversation, type Speaker } from "./conversation.ts";
import { followMembership } from "./follow-membership.ts";
import type { Admission } from "./inbound-limit.ts";
import { languageOf, readLanguageCode } from "./language-of.ts";
import { pressButton } from "./press-button.ts";
import { putQuestions } from "./questions.ts";

export interface Hearing {
  readonly parts: BotParts;
  readonly admit: (who: string) => Admission;
}

/** A message, or a post in a channel. */
export async function hearMessage({ parts, admit }: Hearing, ctx: Context): Promise<void> {
  const message = ctx.message ?? ctx.channelPost;
  const chat = chatOf(message?.chat);
  if (message === undefined || chat === undefined) return;
  if (await followMove(parts, chat, message)) return;
  const speaker = speakerOf(message, chat);
  const text = message.text;
  if (speaker === undefined || typeof text !== "string" || isForwarded(message)) return;
  if (!isForTheBot(text, chat, parts.username)) return;
  const admission = admit(whoOf(speaker, chat));
  if (admission === "silence") return;
  const threadId = message.is_topic_message === true ? message.message_thread_id : undefined;
  const code = readLanguageCode(message.from?.language_code);
  const chosen = await meetChat(parts.sql, { ...chat, telegramLanguage: code });
  const language = languageOf(chosen, code ?? (await findChatLanguages(parts.sql, chat.id))?.telegram);
  const conversation = createConversation({ parts, api: ctx.api, chat, speaker, language, threadId });
  if (admission === "enough") return conversation.reply(conversation.t("too_much"));
  await answerMessage(conversation, text);
}

/** A pressed button. It is answered whatever happens, or the phone would wait for half a minute. */
export async function hearPress({ parts, admit }: Hearing, ctx: Context): Promise<void> {
  const query = ctx.callbackQuery;
  if (query === undefined) return;
  const speaker: Speaker = { is: "person", id: query.from.id };
  const chat = chatOf(query.message?.chat);
  const admission = admit(String(query.from.id));
  const code = readLanguageCode(query.from.language_code);
  let note = "";
  try {
    if (admission !== "silence") {
      const known = chat && (await findChatLanguages(parts.sql, chat.id));
      const language = languageOf(known?.chosen, code);
      const nowhere: BotChat = { id: "0", kind: "channel", title: "" };
      const conversation = createConversation({
        parts,
        api: ctx.api,
        chat: chat ?? nowhere,
        speaker,
        language,
      });
      note = conversation.plain("trouble");
      note = await noteOn(conversation, ctx, {
        isKnown: known !== undefined,
        isEnough: admission === "enough",
      });
    }
  } finally {
    await ctx
      .answerCallbackQuery(note === "" ? {} : { text: note, show_alert: note.length > 60 })
      .catch(() => {
        parts.logger.debug({}, "a pressed button was answered too late");
      });
  }
}

async function noteOn(
  conversation: Conversation,
  ctx: Context,
  { isKnown, isEnough }: { isKnown: boolean; isEnough: boolean },
): Promise<string> {
  if (isEnough) return conversation.plain("too_much");
  const press = parseButton(ctx.callbackQuery?.data ?? "");
  if (press === undefined || !isKnown) return conversation.plain("note_dead_button");
  return pressButton(conversation, ctx, press);
}

/** The bot's own membership has changed. A group that lets it in is asked what is open. */
export async function hearMembership({ parts }: Hearing, ctx: Context): Promise<void> {
  const change = ctx.myChatMember;
  const chat = chatOf(change?.chat);
  if (change === undefined || chat === undefined) return;
  const isReachable = await followMembership(parts, chat, change.new_chat_member);
  if (!isReachable || chat.kind === "private") return;
  const known = await findChatLanguages(parts.sql, chat.id);
  const language = languageOf(known?.chosen, readLanguageCode(change.from?.language_code));
  const speaker: Speaker = { is: "person", id: change.from?.id ?? 0 };
  await putQuestions(createConversation({ parts, api: ctx.api, chat, speaker, language }));
}

/** A group that became a supergroup says so twice, in both chats; either is enough. */
async function followMove({ sql, logger }: BotParts, chat: BotChat, message: Message): Promise<boolean> {
  const { migrate_to_chat_id: to, migrate_from_chat_id: from } = message;
  if (!(Number.isSafeInteger(to) || Number.isSafeInteger(from))) return false;
  if (to !== undefined) await moveChat(sql, chat.id, String(to));
  if (from !== undefined) await moveChat(sql, String(from), chat.id);
  logger.info({}, "a group became a supergroup");
  return true;
}

/** Undefined for other bots, and for channels that speak in a group. */
function speakerOf(message: Message, chat: BotChat): Speaker | undefined {
  const isTheChat = message.sender_chat !== undefined && String(message.sender_chat.id) === chat.id;
  if (isTheChat || chat.kind === "channel") return { is: "chat" };
  const { from } = message;
  if (from === undefined || from.is_bot || message.sender_chat !== undefined) return undefined;
  return Number.isSafeInteger(from.id) ? { is: "person", id: from.id } : undefined;
}

function isForwarded(message: Message): boolean {
  return message.forward_origin !== undefined || "forward_date" in message || message.via_bot !== undefined;
}

function whoOf(speaker: Speaker, chat: BotChat): string {
  return speaker.is === "person" ? String(speaker.id) : chat.id;
}
