import type { Context } from "grammy";
import type { InlineQueryResult } from "grammy/types";
import { findChatLanguages } from "../../rows/conversations.ts";
import { cardToSend } from "../../send/render/card-to-send.ts";
import type { BotParts } from "../conversation/conversation.ts";
import { languageOf, readLanguageCode } from "../conversation/telegram-chat.ts";
import { findSharedListing } from "../rows/sent-listings.ts";

const ALERT_ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * "Send to…" opened a chat with the id of an alert: offers the home's card. Only the owner of the chat that got the alert is
 * offered it. Results are personal and not cached, so Telegram shows them to nobody else.
 */
export async function onInlineQuery(parts: BotParts, ctx: Context): Promise<void> {
  const query = ctx.inlineQuery;
  if (query === undefined || !Number.isSafeInteger(query.from?.id)) return;
  const results = await resultsFor(parts, query);
  // Telegram refuses answers that come too late.
  await ctx.answerInlineQuery(results, { cache_time: 0, is_personal: true }).catch(() => undefined);
}

async function resultsFor(
  parts: BotParts,
  { from, query }: NonNullable<Context["inlineQuery"]>,
): Promise<InlineQueryResult[]> {
  // A limit of its own: typing after the bot's name must not use up the messages of a person.
  if (parts.admit(`inline ${from.id}`) !== "admitted") return [];
  const alertId = String(query ?? "");
  if (!ALERT_ID.test(alertId)) return [];
  const senderId = String(from.id);
  const listing = await findSharedListing(parts.sql, { alertId, senderId });
  if (listing === undefined) return [];
  const known = await findChatLanguages(parts.sql, senderId);
  const language = languageOf(known?.chosen ?? known?.spoken, readLanguageCode(from.language_code));
  return [cardToSend(listing, { id: alertId, language, siteUrl: parts.siteUrl })];
}
