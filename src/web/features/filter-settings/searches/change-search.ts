import { useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import type { ColumnValues } from "#web/lib/changes/change.ts";
import { saveOrAsk } from "#web/lib/changes/send-unsent.ts";
import { searchNameOf } from "#web/lib/i18n/search-name.ts";
import { useWords } from "#web/lib/i18n/use-texts.ts";
import { showSearch } from "./search-rows.ts";

export type SearchChange = Partial<
  Pick<SavedSearch, "url" | "ids" | "name" | "isPaused" | "isFolded" | "quietFrom" | "quietUntil" | "rules">
>;

/**
 * Changes fields of a search from what they were when the person saw them, and shows it. Returns the search as it is saved, or
 * undefined if the page asks the person first.
 */
export function useChangeSearch(userId: string) {
  const queries = useQueryClient();
  const words = useWords("search");
  return async (
    search: SavedSearch,
    change: SearchChange,
    before: SearchChange = search,
  ): Promise<SavedSearch | undefined> => {
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
    const shown = queries.getQueryData<SavedSearch[]>(queryKeys.searches(userId));
    const current = shown?.find(({ id }) => id === search.id) ?? search;
    const saved = outcome === "asked" ? undefined : { ...current, ...change, ...mergedFields(outcome) };
    await showSearch(queries, userId, saved);
    return saved;
  };
}

/** The columns of each field. */
const COLUMNS = {
  url: "filter_url",
  ids: "receiver_ids",
  name: "name",
  isPaused: "is_paused",
  isFolded: "is_folded",
  quietFrom: "quiet_from",
  quietUntil: "quiet_until",
  rules: "rules",
} as const;

function columnsOf(change: SearchChange): ColumnValues {
  const fields = Object.entries(COLUMNS) as [keyof SearchChange, string][];
  return Object.fromEntries(
    fields.flatMap(([field, column]) => (change[field] === undefined ? [] : [[column, change[field]]])),
  );
}

/** Chats that were added elsewhere meanwhile are saved too. */
function mergedFields({ receiver_ids }: ColumnValues): SearchChange {
  return Array.isArray(receiver_ids) ? { ids: receiver_ids } : {};
}
