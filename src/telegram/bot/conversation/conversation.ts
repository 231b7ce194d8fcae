import type { Api } from "grammy";
import type { ForceReply, InlineKeyboardButton, InlineKeyboardMarkup } from "grammy/types";
import type { Sql } from "postgres";
import { escapeHtml } from "#core/escape-html.ts";
import { type Language, localizedPath } from "#core/languages.ts";
import type { Logger } from "#core/ports/logger.ts";
import { type ButtonPress, formatCallbackData } from "../../callback-data.ts";
import { isLink } from "../../html.ts";
import type { Admission } from "./inbound-limit.ts";
import type { BotChat } from "./telegram-chat.ts";
import { type BotTexts, botTexts, htmlTexts } from "./texts.ts";

/** The dependencies shared by all conversations. */
export interface BotParts {
  readonly sql: Sql;
  /** Without the @. */
  readonly username: string;
  readonly siteUrl: string;
  /** Where the pages of the Mini App are; undefined where it is not offered. */
  readonly appSiteUrl?: string | undefined;
  /** The start of links to bots: https://t.me */
  readonly linkUrl: string;
  readonly now: () => number;
  /** Never log a chat, a user or the token. */
  readonly logger: Logger;
  /** Whether there is a source that takes the search's URL as it is. */
  readonly canSearchByUrl: boolean;
  /** Whether the owner of a private chat can make an account there. */
  readonly canStartInChat: boolean;
  /** The site with the terms and the privacy policy. */
  readonly legalSiteUrl: string;
  /** How long an offer waits for the watcher's preview of the link. 0: it is not asked. */
  readonly previewMs: number;
  /** Counts a message or button press of a user or chat against the rate limit. */
  readonly admit: (key: string) => Admission;
}

/** The sender: a user, or the chat itself for channel posts and anonymous administrators. */
export type Speaker = { readonly is: "person"; readonly id: number } | { readonly is: "chat" };

export type ButtonRows = InlineKeyboardButton[][];

/** A message with its buttons. */
export interface Shown {
  readonly html: string;
  readonly rows: ButtonRows;
}

export interface ConversationOptions {
  readonly parts: BotParts;
  readonly api: Api;
  readonly chat: BotChat;
  readonly speaker: Speaker;
  readonly language: Language;
  /** The forum topic of the message. */
  readonly threadId?: number | undefined;
}

/** One message or button press, with what is needed to answer it. */
export interface Conversation extends ConversationOptions {
  /** Texts for messages, with escaped values. */
  readonly t: BotTexts;
  /** Texts for buttons and notifications. */
  readonly plain: BotTexts;
  reply(html: string, rows?: ButtonRows): Promise<void>;
  /** Sends a question that the user answers by replying. Returns the message id of the question. */
  ask(html: string): Promise<number>;
}

export function createConversation(options: ConversationOptions): Conversation {
  const { api, chat, language, threadId } = options;
  const send = (html: string, markup?: InlineKeyboardMarkup | ForceReply) =>
    api.sendMessage(chat.id, html, {
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true },
      ...(markup === undefined ? {} : { reply_markup: markup }),
      ...(threadId === undefined ? {} : { message_thread_id: threadId }),
    });
  return {
    ...options,
    t: htmlTexts(language),
    plain: botTexts(language),
    reply: async (html, rows = []) => {
      await send(html, rows.length === 0 ? undefined : { inline_keyboard: rows });
    },
    ask: async (html) => (await send(html, { force_reply: true })).message_id,
  };
}

export function inLanguage(conversation: Conversation, language: Language): Conversation {
  return { ...conversation, language, t: htmlTexts(language), plain: botTexts(language) };
}

/** Telegram allows 4,096 characters, not counting tags. */
const LONGEST_MESSAGE = 4_000;

/** Joins blocks into as few messages as possible. */
export function joinedBlocks(blocks: readonly string[]): string[] {
  const texts: string[] = [];
  for (const block of blocks) {
    const joined = [texts.at(-1), block].filter((text) => text !== undefined).join("\n\n");
    if (joined.length <= LONGEST_MESSAGE && texts.length > 0) texts[texts.length - 1] = joined;
    else texts.push(block);
  }
  return texts;
}

export function button(text: string, press: ButtonPress): { text: string; callback_data: string } {
  const data = formatCallbackData(press);
  if (data === undefined) throw new Error("the id does not fit into callback data");
  return { text, callback_data: data };
}

/** A phone cuts a longer text in a button that is half as wide as a message. */
const LONGEST_IN_PAIR = 17;

/** Two buttons in a row, or one if its text or its neighbour's is long. */
export function inPairs(buttons: ButtonRows[number]): ButtonRows {
  const rows: ButtonRows = [];
  for (const one of buttons) {
    const row = rows.at(-1);
    const isPair = row?.length === 1 && [...row, one].every(({ text }) => text.length <= LONGEST_IN_PAIR);
    if (isPair) row.push(one);
    else rows.push([one]);
  }
  return rows;
}

interface SiteLink {
  readonly rows?: ButtonRows;
  readonly query?: string;
  readonly page?: "/filter-settings" | "/profile";
}

/** Replies with a button to the website, or with its URL as text if Telegram refuses a link to it. */
export async function replyWithSite(
  conversation: Conversation,
  paragraphs: readonly string[],
  link: SiteLink = {},
): Promise<void> {
  const { html, rows } = withSite(conversation, paragraphs, link);
  await conversation.reply(html, rows);
}

export function withSite(
  { parts, language, plain }: Conversation,
  paragraphs: readonly string[],
  { rows = [], query = "", page = "/filter-settings" }: SiteLink = {},
): Shown {
  const url = `${parts.siteUrl}${localizedPath(page, language)}${query}`;
  if (!isLink(url)) return { html: [...paragraphs, escapeHtml(url)].join("\n\n"), rows };
  const words = plain(page === "/profile" ? "open_profile" : "open_settings");
  return { html: paragraphs.join("\n\n"), rows: [...rows, [{ text: words, url }]] };
}
