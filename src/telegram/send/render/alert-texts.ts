import { escapeHtml } from "#core/escape-html.ts";
import type { Language } from "#core/languages.ts";
import type { Lengths } from "#text/home-words.ts";
import { lineOf } from "#text/one-line.ts";
import { type SearchName, searchNameAmong } from "#text/search-names.ts";
import { translatorOf, wordsOf } from "#text/translator.ts";
import type { NamedSearch, SearchNews } from "../channel.ts";

export const alertTexts = translatorOf("alert");

/** The texts of pressed buttons are the bot's; an edited message must match them. */
export const markTexts = translatorOf("bot");

/** "🔎 Chamberí, Madrid · Near work": the searches that the news matches, if they must be named. The title of an offer does. */
export function namesLine(news: SearchNews, language: Language, lengths: Lengths): string[] {
  const { kind, searches = [] } = news;
  if (kind === "summary-offer") return [];
  const names = searches.flatMap(
    (search) => alertSearchName(search, { language, longest: lengths.place }) ?? [],
  );
  return names.length === 0 ? [] : [`🔎 ${escapeHtml([...new Set(names)].join(" · "))}`];
}

/** The name given by the user, or the place and what tells the search from others of it. A button has room for the latter. */
export function alertSearchName(
  { id, name, filterUrl, among = [] }: NamedSearch,
  { language, longest, length = "full" }: { language: Language; longest: number; length?: keyof SearchName },
): string | null {
  const named = searchNameAmong({ id, name, url: filterUrl }, among, wordsOf("search", language));
  return lineOf(named?.[length] ?? null, longest);
}
