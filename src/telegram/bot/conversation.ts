import type { Api } from "grammy";
import type { ForceReply, InlineKeyboardMarkup } from "grammy/types";
import type { Sql } from "postgres";
import { escapeHtml } from "#core/escape-html.ts";
import { type Language, localizedPath } from "#core/languages.ts";
import type { Logger } from "#core/ports/logger.ts";
import { type ButtonPress, formatCallbackData } from "../callback-data.ts";
import type { BotChat } from "./chats/telegram-chat.ts";
import { type BotTexts, botTexts, htmlTexts } from "./texts.ts";
import type { Admission } from "./updates/inbound-limit.ts";

/** What every conversation needs of the world around it. */
export interface BotParts {
  readonly sql: Sql;
  /** The bot's name without the @. */
  readonly username: string;
  /** Where the website is. */
  readonly siteUrl: string;
  /** Where links to bots begin: https://t.me */
  readonly linkUrl: string;
  readonly now: () => number;
  /** What is logged never names a chat, a person or the token. */
  readonly logger: Logger;
  /** A source is at hand that takes the search's URL as it is. */
  readonly canSearchByUrl: boolean;
  /** Whether this person or chat is still listened to. */
  readonly admit: (who: string) => Admission;
}

/** Who speaks: a person, or the chat itself, as channels and anonymous administrators do. */
export type Speaker = { readonly is: "person"; readonly id: number } | { readonly is: "chat" };

export interface Keyboard extends InlineKeyboardMarkup {}

/** A message and the buttons under it. */
export interface Shown {
  readonly html: string;
  readonly rows: Keyboard["inline_keyboard"];
}

export interface ConversationOptions {
  readonly parts: BotParts;
  readonly api: Api;
  readonly chat: BotChat;
  readonly speaker: Speaker;
  readonly language: Language;
  /** The topic of a forum that it was said in. */
  readonly threadId?: number | undefined;
}

/** One thing said in a chat, and the means to answer it. */
export interface Conversation extends ConversationOptions {
  /** Words for a message. */
  readonly t: BotTexts;
  /** Words for a button or a note. */
  readonly plain: BotTexts;
  reply(html: string, buttons?: Keyboard): Promise<void>;
  /** Asks for a word that is sent as a reply; answers the id of the question's message. */
  ask(html: string): Promise<number>;
}

export function createConversation(options: ConversationOptions): Conversation {
  const { api, chat, language, threadId } = options;
  const send = (html: string, markup: Keyboard | ForceReply | undefined) =>
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
    reply: async (html, buttons) => {
      await send(html, buttons);
    },
    ask: async (html) => (await send(html, { force_reply: true })).message_id,
  };
}

/** The same conversation, gone on with in another language. */
export function inLanguage(conversation: Conversation, language: Language): Conversation {
  return { ...conversation, language, t: htmlTexts(language), plain: botTexts(language) };
}

/** Telegram takes 4,096 letters; what stands in tags does not even count. */
const LONGEST_MESSAGE = 4_000;

/** As few texts as hold them all. */
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
  if (data === undefined) throw new Error("an id does not fit a button");
  return { text, callback_data: data };
}

/** A message that ends with the way to the website: a button, or the address where Telegram takes no link to it. */
export async function replyWithSite(
  conversation: Conversation,
  paragraphs: readonly string[],
  { rows = [], query = "" }: { rows?: Keyboard["inline_keyboard"]; query?: string } = {},
): Promise<void> {
  const { parts, language, plain } = conversation;
  const url = `${parts.siteUrl}${localizedPath("/filter-settings", language)}${query}`;
  if (isLinkable(url)) {
    const button = { text: plain("open_settings"), url };
    await conversation.reply(paragraphs.join("\n\n"), { inline_keyboard: [...rows, [button]] });
  } else {
    const buttons = rows.length === 0 ? undefined : { inline_keyboard: rows };
    await conversation.reply([...paragraphs, escapeHtml(url)].join("\n\n"), buttons);
  }
}

/** Telegram refuses buttons to hosts without a dot, such as localhost. */
function isLinkable(url: string): boolean {
  return URL.canParse(url) && new URL(url).hostname.includes(".");
}
