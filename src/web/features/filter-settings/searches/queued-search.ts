import { useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { type QueuedChange, type QueuedKind, sendOrQueue } from "#web/lib/offline/queue.ts";
import { changeSearch, type SearchChange } from "./search-calls.ts";

interface QueuedSearchChange extends QueuedChange {
  readonly searchId: string;
  readonly change: SearchChange;
}

/** Pausing, renaming and quiet hours. Only the changed columns are written, so that another device's change stays. */
export const QUEUED_SEARCH: QueuedKind<QueuedSearchChange> = {
  kind: "search",
  send: async ({ searchId, change }) => {
    await changeSearch({ id: searchId }, change);
  },
  onSettled: (queries, { userId }) => {
    for (const keyOf of [queryKeys.searches, queryKeys.watch])
      void queries.invalidateQueries({ queryKey: keyOf(userId) });
  },
};

/** Returns the search as it will be. */
export function useChangeSearch(
  userId: string,
  search: SavedSearch,
): (change: SearchChange) => Promise<SavedSearch> {
  const queries = useQueryClient();
  return async (change) => {
    await sendOrQueue(queries, QUEUED_SEARCH, { userId, searchId: search.id, change });
    const { name = search.name, is_paused: isPaused = search.isPaused } = change;
    const { quiet_from: quietFrom = search.quietFrom, quiet_until: quietUntil = search.quietUntil } = change;
    return { ...search, name, isPaused, quietFrom, quietUntil };
  };
}
