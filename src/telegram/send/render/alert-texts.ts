import { escapeHtml } from "#core/escape-html.ts";
import type { Language } from "#core/languages.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { nameSearch } from "#text/describe-search.ts";
import type { Lengths } from "#text/home-words.ts";
import { lineOf } from "#text/one-line.ts";
import { translatorOf, wordsOf } from "#text/translator.ts";
import type { NamedSearch, SearchNews } from "../channel.ts";

export const alertTexts = translatorOf("alert");

/** The texts of pressed buttons are the bot's; an edited message must match them. */
export const markTexts = translatorOf("bot");

/** "🔎 Chamberí, Madrid · Near work": the searches that the news matches, if they must be named. The title of an offer does. */
export function namesLine(news: SearchNews, language: Language, lengths: Lengths): string[] {
  const { kind, searches = [] } = news;
  if (kind === "summary-offer") return [];
  const names = searches.flatMap((search) => alertSearchName(search, language, lengths.place) ?? []);
  return names.length === 0 ? [] : [`🔎 ${escapeHtml([...new Set(names)].join(" · "))}`];
}

/** The name given by the user, or the place. */
export function alertSearchName(
  { name, filterUrl }: NamedSearch,
  language: Language,
  longest: number,
): string | null {
  const parsed = name === null ? parseSearchUrl(filterUrl) : null;
  return lineOf(
    name ?? (parsed?.ok ? nameSearch(parsed.search, wordsOf("search", language)) : null),
    longest,
  );
}
