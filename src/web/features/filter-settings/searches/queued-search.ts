import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { fetchSearches, rulesText, type SavedSearch } from "#web/lib/backend/searches.ts";
import { searchNameOf } from "#web/lib/i18n/search-name.ts";
import { useWords } from "#web/lib/i18n/use-texts.ts";
import type { FieldValues, QueuedChange, QueuedKind } from "#web/lib/offline/queue.ts";
import { sendOrQueue } from "#web/lib/offline/send-or-queue.ts";
import { changeSearch, type SearchChange, setAllPaused } from "./search-calls.ts";

interface QueuedSearchChange extends QueuedChange {
  readonly searchId: string;
  readonly change: SearchChange;
}

/** Pausing, renaming, quiet hours and rules. Only the changed columns are written, so that another device's change stays. */
export const QUEUED_SEARCH: QueuedKind<QueuedSearchChange> = {
  kind: "search",
  send: async ({ searchId, change }) => {
    await changeSearch({ id: searchId }, change);
  },
  fetchSaved: async ({ userId, searchId }) => {
    const saved = (await fetchSearches(userId)).find(({ id }) => id === searchId);
    return saved && textsOf(saved);
  },
  onSettled: reload,
};

interface QueuedPauseOfAll extends QueuedChange {
  readonly isPaused: boolean;
  /** The searches that were not in this state yet. */
  readonly searchIds: readonly string[];
}

export const QUEUED_PAUSE_OF_ALL: QueuedKind<QueuedPauseOfAll> = {
  kind: "pause-all",
  // Another device may have added a search meanwhile, or have changed one that this change would have left as it was.
  send: ({ userId, isPaused, isLate, searchIds }) =>
    setAllPaused(userId, isPaused, isLate ? searchIds : undefined),
  onSettled: reload,
};

function textsOf({ name, quietFrom, quietUntil, rules }: SavedSearch): FieldValues {
  return { name, quiet_from: quietFrom, quiet_until: quietUntil, rules: rulesText(rules) };
}

function reload(queries: QueryClient, { userId }: QueuedChange): void {
  for (const keyOf of [queryKeys.searches, queryKeys.watch])
    void queries.invalidateQueries({ queryKey: keyOf(userId) });
}

/** Returns the search as it will be. `shown` is the search that the person has changed, if it was saved differently since. */
export function useChangeSearch(userId: string, search: SavedSearch) {
  const queries = useQueryClient();
  const words = useWords("search");
  return async (change: SearchChange, shown = search): Promise<{ saved: SavedSearch; isQueued: boolean }> => {
    // A switch has two values: what another device has changed it to is what this change wants.
    const { is_paused: _, is_folded: _folded, rules = search.rules, ...texts } = change;
    const mine = { ...texts, ...(change.rules && { rules: rulesText(rules) }) };
    const { id } = search;
    const fields = { ofId: id, title: searchNameOf(search, words), before: textsOf(shown), mine };
    const isCompared = Object.keys(mine).length > 0;
    const outcome = await sendOrQueue(queries, QUEUED_SEARCH, {
      userId,
      searchId: id,
      change,
      ...(isCompared && { fields }),
    });
    const { name = search.name, is_paused: isPaused = search.isPaused } = change;
    const { is_folded: isFolded = search.isFolded } = change;
    const { quiet_from: quietFrom = search.quietFrom, quiet_until: quietUntil = search.quietUntil } = change;
    const saved = { ...search, name, isPaused, isFolded, quietFrom, quietUntil, rules };
    return { saved, isQueued: outcome === "queued" };
  };
}

export async function pauseAllSearches(
  queries: QueryClient,
  userId: string,
  isPaused: boolean,
): Promise<{ isQueued: boolean }> {
  const queryKey = queryKeys.searches(userId);
  const known = queries.getQueryData<SavedSearch[]>(queryKey) ?? [];
  const searchIds = known.filter((search) => search.isPaused !== isPaused).map(({ id }) => id);
  const outcome = await sendOrQueue(queries, QUEUED_PAUSE_OF_ALL, { userId, isPaused, searchIds });
  queries.setQueryData<SavedSearch[]>(queryKey, (rows) => rows?.map((search) => ({ ...search, isPaused })));
  return { isQueued: outcome === "queued" };
}
