import type { Context } from "grammy";
import { DEFAULT_LANGUAGE } from "#core/languages.ts";
import { parseCallbackData } from "../../callback-data.ts";
import { findChatLanguages, meetChat, noteLanguage } from "../../rows/conversations.ts";
import { type BotParts, createConversation } from "../conversation/conversation.ts";
import { chatOf, languageOf, readLanguageCode, topicOf } from "../conversation/telegram-chat.ts";
import { botTexts } from "../conversation/texts.ts";
import { pressButton } from "../router/router.ts";

/** A longer text does not fit the notification at the top of the chat, so it is shown as an alert. */
const STRIP_LENGTH = 70;

/** Always answers the query: otherwise the button shows a progress bar for half a minute. */
export async function onCallbackQuery(parts: BotParts, ctx: Context): Promise<void> {
  const query = ctx.callbackQuery;
  if (query === undefined || !Number.isSafeInteger(query.from?.id)) return;
  const code = readLanguageCode(query.from.language_code);
  let note = botTexts(languageOf(undefined, code))("trouble");
  try {
    note = await noteOn(parts, ctx, query.from);
  } finally {
    const answer = note === "" ? {} : { text: note, show_alert: note.length > STRIP_LENGTH };
    // Telegram refuses answers that come too late.
    await ctx.answerCallbackQuery(answer).catch(() => undefined);
  }
}

async function noteOn(
  parts: BotParts,
  ctx: Context,
  from: { readonly id: number; readonly language_code?: string },
): Promise<string> {
  // Presses have their own limit, so that a user who sent too many messages can still press buttons.
  const admission = parts.admit(`press ${from.id}`);
  if (admission === "ignored") return "";
  const chat = chatOf(ctx.callbackQuery?.message?.chat);
  const known = chat && (await findChatLanguages(parts.sql, chat.id));
  const code = readLanguageCode(from.language_code);
  // Another member of a group continues in the language of the last message.
  const begun = known?.chosen ?? known?.last;
  const plain = botTexts(begun ?? known?.spoken ?? languageOf(undefined, code));
  if (admission === "over-limit") return plain("too_much");
  const press = parseCallbackData(String(ctx.callbackQuery?.data ?? ""));
  if (press === undefined || chat === undefined || known === undefined) return plain("note_dead_button");
  const { spoken } = await meetChat(parts.sql, { ...chat, telegramLanguage: code });
  const language = begun ?? spoken ?? DEFAULT_LANGUAGE;
  await noteLanguage(parts.sql, chat.id, language);
  const speaker = { is: "person", id: from.id } as const;
  const threadId = topicOf(ctx.callbackQuery?.message);
  const conversation = createConversation({ parts, api: ctx.api, chat, speaker, language, threadId });
  return pressButton(conversation, ctx, press);
}
