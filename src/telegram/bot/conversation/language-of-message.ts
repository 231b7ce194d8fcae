import type { Context } from "grammy";
import { LANGUAGES, type Language } from "#core/languages.ts";
import { type BotTexts, botTexts } from "../texts.ts";

/** Texts of buttons and headings. Every message with buttons contains one of them unchanged. */
const KNOWN_TEXTS: readonly Parameters<BotTexts>[0][] = [
  ...([
    "yes",
    "no",
    "thatsMe",
    "notMe",
    "hide",
    "keep",
    "mute",
    "muteSearch",
    "message",
    "messageGone",
    "photos",
  ] as const),
  ...(["button_hidden", "button_kept", "button_muted", "settings", "forwardingOpen", "copy"] as const),
  ...(["watch_it", "no_thanks", "listing_watch", "listing_unwatch", "link_whose"] as const),
  ...(["searches_title", "all_searches", "search_pause", "search_resume", "search_rename"] as const),
  ...(["search_delete", "delete_yes", "delete_no", "topic_here", "topic_none"] as const),
  ...(["confirm_first", "whose_question", "whose_all"] as const),
  ...(["questions_button", "question_where", "question_which_place", "question_bedrooms"] as const),
  ...(["question_any_price", "question_any_bedrooms", "account_delete_now", "account_delete_no"] as const),
  ...(["language_question", "place_work", "place_home", "place_named", "place_full"] as const),
];

const DECORATION = /^(?:\d{1,2}\. |✓ |‹ |🏮 )+/u;

/**
 * Detects the language of the message with the pressed button, so that another member of a group continues in the same
 * language. Returns undefined if no language matches best.
 */
export function languageOfMessage(ctx: Context): Language | undefined {
  const message = ctx.callbackQuery?.message;
  if (message === undefined) return undefined;
  const rows = ("reply_markup" in message && message.reply_markup?.inline_keyboard) || [];
  const text = ("text" in message && message.text) || "";
  return languageOfWords([...rows.flat().map((one) => one.text), ...text.split("\n", 3)]);
}

export function languageOfWords(words: readonly string[]): Language | undefined {
  const bare = words.map((one) => one.replace(DECORATION, ""));
  const counts = LANGUAGES.map((language) => {
    const known = knownTextsIn(language);
    return { language, count: bare.filter((one) => known.has(one)).length };
  }).toSorted((one, other) => other.count - one.count);
  const [best, second] = counts;
  return best !== undefined && best.count > (second?.count ?? 0) ? best.language : undefined;
}

const knownTexts = new Map<Language, ReadonlySet<string>>();

function knownTextsIn(language: Language): ReadonlySet<string> {
  const plain = botTexts(language);
  const known =
    knownTexts.get(language) ?? new Set(KNOWN_TEXTS.map((key) => plain(key).replace(DECORATION, "")));
  knownTexts.set(language, known);
  return known;
}
