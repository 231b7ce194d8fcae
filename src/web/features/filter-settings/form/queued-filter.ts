import { type QueryClient, useMutationState, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { fetchSearches, type SavedSearch } from "#web/lib/backend/searches.ts";
import { searchNameOf } from "#web/lib/i18n/search-name.ts";
import { useWords } from "#web/lib/i18n/use-texts.ts";
import { type FieldValues, QUEUE, type QueuedChange, type QueuedKind } from "#web/lib/offline/queue.ts";
import { sendOrQueue } from "#web/lib/offline/send-or-queue.ts";
import { joinChatIds, parseChatIds } from "../chats/chat-ids.ts";
import { withSearch } from "../searches/search-rows.ts";
import { saveExisting } from "./filter-calls.ts";
import type { SavedFilter } from "./form-state.ts";

interface FilterChange extends QueuedChange {
  readonly search: Pick<SavedSearch, "id" | "isFirst">;
  readonly fields: NonNullable<QueuedChange["fields"]>;
}

/** The link and the chats of a search. Chats are not compared: the database merges them one by one. */
export const QUEUED_FILTER: QueuedKind<FilterChange> = {
  kind: "filter",
  send: async ({ userId, search, fields: { before, mine } }, queries) => {
    const save = { userId, filter: filterOf({ ...before, ...mine }), base: filterOf(before) };
    const saved = await saveExisting(search, save);
    await showSavedSearch(queries, userId, saved.search);
  },
  fetchSaved: async ({ userId, search }) => {
    const saved = (await fetchSearches(userId)).find(({ id }) => id === search.id);
    return saved && { filter_url: saved.url };
  },
  onSettled: (queries, { userId }) => reloadSearches(queries, userId),
};

export function reloadSearches(queries: QueryClient, userId: string): void {
  const { searches, chats, watch, watchInterval } = queryKeys;
  for (const keyOf of [searches, chats, watch, watchInterval])
    void queries.invalidateQueries({ queryKey: keyOf(userId) });
}

interface ChangedFilter {
  filter: SavedFilter;
  base: SavedFilter;
}

/** Returns the search as it is saved, or as it will be. */
export function useChangeFilter(userId: string) {
  const queries = useQueryClient();
  const words = useWords("search");
  return async (search: SavedSearch, { filter, base }: ChangedFilter) => {
    const { id, isFirst } = search;
    const before = textsOf(base);
    const mine = Object.fromEntries(
      Object.entries(textsOf(filter)).filter(([name, text]) => text !== before[name]),
    );
    const fields = { ofId: id, title: searchNameOf(search, words), before, mine };
    const outcome = await sendOrQueue(queries, QUEUED_FILTER, { userId, search: { id, isFirst }, fields });
    const isQueued = outcome === "queued";
    const rows = queries.getQueryData<SavedSearch[]>(queryKeys.searches(userId));
    const saved = isQueued ? undefined : rows?.find((row) => row.id === id);
    return { search: saved ?? { ...search, ...filter }, isNew: false, isQueued };
  };
}

/** What the person's last change of a search makes of it, if it is not saved yet. Until then the saved row is older. */
export function useUnsentFilter(userId: string, searchId: string | undefined): SavedFilter | null {
  const changes = useMutationState({
    filters: { mutationKey: [QUEUE, QUEUED_FILTER.kind, userId], status: "pending" },
    select: ({ state }) => state.variables as FilterChange,
  });
  const fields = changes.findLast(({ search }) => search.id === searchId)?.fields;
  return useMemo(() => (fields ? filterOf({ ...fields.before, ...fields.mine }) : null), [fields]);
}

function textsOf({ url, ids }: SavedFilter): FieldValues {
  return { filter_url: url, receiver_ids: joinChatIds(ids) };
}

function filterOf({ filter_url, receiver_ids }: FieldValues): SavedFilter {
  return { url: filter_url ?? "", ids: parseChatIds(receiver_ids ?? "").ids };
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
