import type { Context } from "grammy";
import { LANGUAGES, type Language } from "#core/languages.ts";
import { type BotTexts, botTexts } from "../texts.ts";

/** Words that stand on buttons and in headings as they are: one of them is under or in every message with buttons. */
const SIGNPOSTS: readonly Parameters<BotTexts>[0][] = [
  ...(["yes", "no", "thatsMe", "notMe", "hide", "keep", "mute", "muteSearch", "message", "photos"] as const),
  ...(["button_hidden", "button_kept", "button_muted", "settings", "forwardingOpen", "copy"] as const),
  ...(["watch_it", "no_thanks", "listing_watch", "listing_unwatch", "link_whose"] as const),
  ...(["searches_title", "all_searches", "search_pause", "search_resume", "search_rename"] as const),
  ...(["search_delete", "delete_yes", "delete_no", "topic_here", "topic_none"] as const),
  ...(["confirm_first", "whose_question", "whose_all"] as const),
  ...(["language_question", "place_work", "place_home", "place_named", "place_full"] as const),
];

const ORNAMENT = /^(?:\d{1,2} · |✓ |‹ |🏮 )+/u;

/**
 * The language of the message that a pressed button stands under, by its words: whoever goes on with what another began in
 * a group goes on in the same. Undefined where the words are of before, or of two languages.
 */
export function languageOfMessage(ctx: Context): Language | undefined {
  const message = ctx.callbackQuery?.message;
  if (message === undefined) return undefined;
  const rows = ("reply_markup" in message && message.reply_markup?.inline_keyboard) || [];
  const text = ("text" in message && message.text) || "";
  return languageOfWords([...rows.flat().map((one) => one.text), ...text.split("\n", 3)]);
}

export function languageOfWords(words: readonly string[]): Language | undefined {
  const bare = words.map((one) => one.replace(ORNAMENT, ""));
  const counts = LANGUAGES.map((language) => {
    const known = signpostsIn(language);
    return { language, count: bare.filter((one) => known.has(one)).length };
  }).toSorted((one, other) => other.count - one.count);
  const [best, second] = counts;
  return best !== undefined && best.count > (second?.count ?? 0) ? best.language : undefined;
}

const signposts = new Map<Language, ReadonlySet<string>>();

function signpostsIn(language: Language): ReadonlySet<string> {
  const plain = botTexts(language);
  const known = signposts.get(language) ?? new Set(SIGNPOSTS.map((key) => plain(key).replace(ORNAMENT, "")));
  signposts.set(language, known);
  return known;
}
