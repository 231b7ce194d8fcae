import { escapeHtml } from "#core/escape-html.ts";
import type { Language } from "#core/languages.ts";
import type { Search } from "#core/search/search.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { describeSearch } from "#text/describe-search.ts";
import { type SearchName, searchNameAmong } from "#text/search-names.ts";
import { wordsOf } from "#text/translator.ts";
import type { SearchState } from "../rows/watch-state.ts";

const LONGEST_SENTENCE = 300;
const LONGEST_NAME = 60;

/** Describes the search, cut to the limit. */
export function sentenceOf(search: Search, language: Language, limit = LONGEST_SENTENCE): string {
  return cut(describeSearch(search, wordsOf("search", language)).text, limit);
}

/** Returns undefined if the URL is no longer a valid search. */
export function sentenceOfUrl(
  filterUrl: string,
  language: Language,
  limit = LONGEST_SENTENCE,
): string | undefined {
  const parsed = parseSearchUrl(filterUrl);
  return parsed.ok ? sentenceOf(parsed.search, language, limit) : undefined;
}

/** The name given by the user, else the place and what tells the search from others of it. A button has room for the latter. */
export function searchNameInChat(
  { searchId, name, filterUrl, among }: Pick<SearchState, "searchId" | "name" | "filterUrl" | "among">,
  language: Language,
  length: keyof SearchName = "full",
): string {
  const search = { id: searchId, name, url: filterUrl };
  const named = searchNameAmong(search, among, wordsOf("search", language));
  return named === undefined ? "Idealista" : cut(named[length], LONGEST_NAME);
}

export function cut(text: string, limit: number): string {
  const letters = [...text.toWellFormed()];
  return letters.length > limit ? `${letters.slice(0, limit - 1).join("")}…` : text;
}

/** Direction marks and zero-width spaces. Joiners stay: some scripts and emoji need them. */
const UNSEEN = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Reads a name as one line of at most sixty characters. Returns null if nothing visible is left. */
export function readName(typed: string): string | null {
  const line = typed
    .toWellFormed()
    .replace(UNSEEN, "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  const name = [...line].slice(0, LONGEST_NAME).join("").trim();
  return name.replace(/\p{Default_Ignorable_Code_Point}/gu, "") === "" ? null : name;
}

/** The link in the message is read again when a button under it is pressed. */
export function linkedWords(url: string, words: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(words)}</a>`;
}
