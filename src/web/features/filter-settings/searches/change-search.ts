import { useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import type { ColumnValues } from "#web/lib/changes/change.ts";
import { saveOrAsk } from "#web/lib/changes/send-unsent.ts";
import { searchNameOf } from "#web/lib/i18n/search-name.ts";
import { useWords } from "#web/lib/i18n/use-texts.ts";

/** Pausing, renaming, quiet hours and rules. */
export type SearchChange = Partial<
  Pick<SavedSearch, "name" | "isPaused" | "isFolded" | "quietFrom" | "quietUntil" | "rules">
>;

/**
 * Changes fields of a search from what they were when the person saw them. Returns the search as it will be, or undefined if the
 * page asks the person first.
 */
export function useChangeSearch(userId: string, search: SavedSearch) {
  const queries = useQueryClient();
  const words = useWords("search");
  return async (change: SearchChange, before: SearchChange = search): Promise<SavedSearch | undefined> => {
    const mine = columnsOf(change);
    const seen = columnsOf(before);
    const outcome = await saveOrAsk({
      kind: "search",
      userId,
      ofId: search.id,
      title: searchNameOf(search, words, queries.getQueryData(queryKeys.searches(userId))),
      before: Object.fromEntries(Object.keys(mine).map((name) => [name, seen[name] ?? null])),
      mine,
    });
    for (const keyOf of [queryKeys.searches, queryKeys.watch])
      void queries.invalidateQueries({ queryKey: keyOf(userId) });
    return outcome === "saved" ? { ...search, ...change } : undefined;
  };
}

function columnsOf({ name, isPaused, isFolded, quietFrom, quietUntil, rules }: SearchChange): ColumnValues {
  return {
    ...(name !== undefined && { name }),
    ...(isPaused !== undefined && { is_paused: isPaused }),
    ...(isFolded !== undefined && { is_folded: isFolded }),
    ...(quietFrom !== undefined && { quiet_from: quietFrom }),
    ...(quietUntil !== undefined && { quiet_until: quietUntil }),
    ...(rules !== undefined && { rules }),
  };
}
