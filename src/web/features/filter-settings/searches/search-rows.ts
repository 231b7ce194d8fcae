import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import type { SavedSearch } from "#web/lib/backend/searches.ts";

/** Replaces the search with the same id, or adds it. */
export function withSearch(searches: readonly SavedSearch[], search: SavedSearch): SavedSearch[] {
  const isKnown = searches.some(({ id }) => id === search.id);
  if (!isKnown) return [...searches, search];
  return searches.map((one) => (one.id === search.id ? search : one));
}

/** The first other search that asks for the same, however its link is written. */
export function sameSearchOf(url: string, others: readonly SavedSearch[]): SavedSearch | undefined {
  const key = searchKeyOf(url);
  return key === undefined ? undefined : others.find((other) => searchKeyOf(other.url) === key);
}

function searchKeyOf(url: string): string | undefined {
  const parsed = parseSearchUrl(url);
  return parsed.ok ? parsed.searchKey : undefined;
}
