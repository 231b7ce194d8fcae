import { escapeHtml } from "#core/escape-html.ts";
import type { Language } from "#core/languages.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { nameSearch } from "#text/describe-search.ts";
import type { Lengths } from "#text/home-words.ts";
import { lineOf } from "#text/one-line.ts";
import { wordsOf } from "#text/translator.ts";
import type { NamedSearch, SearchNews } from "../channel.ts";

/** "🔎 Chamberí, Madrid · Near work": for whom it is told, where that must be said; else no line. */
export function namesLine({ searches = [] }: SearchNews, language: Language, lengths: Lengths): string[] {
  const names = searches.flatMap((search) => alertSearchName(search, language, lengths.place) ?? []);
  return names.length === 0 ? [] : [`🔎 ${escapeHtml([...new Set(names)].join(" · "))}`];
}

/** What a person called it, or its place. */
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
