import type { QueryClient } from "@tanstack/react-query";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import type { SavedSearch } from "#web/lib/backend/searches.ts";

/** Shows a search as it was just saved, and asks for everything that follows from it. */
export async function showSearch(
  queries: QueryClient,
  userId: string,
  saved: SavedSearch | undefined,
): Promise<void> {
  const { searches, chats, watch } = queryKeys;
  // An answer requested before the save is older than it.
  await queries.cancelQueries({ queryKey: searches(userId) });
  if (saved) queries.setQueryData<SavedSearch[]>(searches(userId), (rows = []) => withSearch(rows, saved));
  for (const keyOf of [searches, chats, watch]) void queries.invalidateQueries({ queryKey: keyOf(userId) });
}

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
