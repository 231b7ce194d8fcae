import type { QueryClient } from "@tanstack/react-query";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { withSearch } from "../searches/search-rows.ts";

export function reloadSearches(queries: QueryClient, userId: string): void {
  const { searches, chats, watch } = queryKeys;
  for (const keyOf of [searches, chats, watch]) void queries.invalidateQueries({ queryKey: keyOf(userId) });
}

export async function showSavedSearch(
  queries: QueryClient,
  userId: string,
  search: SavedSearch,
): Promise<void> {
  const queryKey = queryKeys.searches(userId);
  // An answer requested before the save is older than it.
  await queries.cancelQueries({ queryKey });
  queries.setQueryData<SavedSearch[]>(queryKey, (rows = []) => withSearch(rows, search));
}
