import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { localizedPath } from "#core/languages.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { codeOf } from "#web/lib/backend/supabase.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { searchNameOf } from "#web/lib/i18n/search-name.ts";
import { useLanguage, useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { useChangeSearch } from "./change-search.ts";
import { addSearch, deleteSearch, setAllPaused } from "./search-calls.ts";

function useReload(userId: string): () => Promise<unknown> {
  const queries = useQueryClient();
  return useCallback(
    () =>
      Promise.all(
        [queryKeys.searches, queryKeys.watch, queryKeys.chats].map((keyOf) =>
          queries.invalidateQueries({ queryKey: keyOf(userId) }),
        ),
      ),
    [queries, userId],
  );
}

export function usePause(userId: string, search: SavedSearch) {
  const t = useTexts("filter");
  const change = useChangeSearch(userId);
  return useAction({
    run: () => change(search, { isPaused: !search.isPaused }),
    failure: (error) => ({
      title: t("messages.error"),
      description: fullLine(error, t) ?? (search.isPaused ? t("watch.resumeFailed") : t("watch.pauseFailed")),
    }),
  });
}

export function usePauseAll(userId: string) {
  const t = useTexts("filter");
  const reload = useReload(userId);
  return useAction({
    run: async (isPaused: boolean) => {
      await setAllPaused(userId, isPaused);
      await reload();
    },
    onSuccess: (_, isPaused) =>
      t(isPaused ? "searches.pausedAll" : "searches.resumedAll", { returnObjects: true }),
    failure: (error) => ({
      title: t("messages.error"),
      description: fullLine(error, t) ?? t("searches.notChanged"),
    }),
  });
}

/** Deletes at once; for some seconds a toast offers to restore the search. */
export function useDelete(userId: string, onDeleted: (search: SavedSearch) => void) {
  const t = useTexts("filter");
  const words = useWords("search");
  const queries = useQueryClient();
  const reload = useReload(userId);
  const undo = useUndo(userId);
  return useAction({
    run: (search: SavedSearch) => deleteSearch(search),
    onSuccess: async (deleted, search) => {
      await queries.cancelQueries({ queryKey: queryKeys.searches(userId) });
      const before = queries.getQueryData<SavedSearch[]>(queryKeys.searches(userId));
      onDeleted(search);
      queries.setQueryData(queryKeys.searches(userId), (rows: SavedSearch[] = []) => without(rows, search));
      void reload();
      notify({
        kind: "success",
        title: t("searches.deleted", { name: searchNameOf(search, words, before) }),
        action: { label: t("searches.undo"), onAction: () => void undo(deleted) },
      });
      return undefined;
    },
    failure: { title: t("messages.error"), description: t("searches.notDeleted") },
  });
}

function useUndo(userId: string): (deleted: SavedSearch) => Promise<void> {
  const t = useTexts("filter");
  const language = useLanguage();
  const navigate = useNavigate();
  const reload = useReload(userId);
  return async (deleted) => {
    try {
      await addSearch(userId, { ...deleted, id: crypto.randomUUID() });
      await reload();
      await navigate(localizedPath("/filter-settings", language));
    } catch (error) {
      if (codeOf(error) === "") logProblem("A deleted search could not be restored", error);
      const description = fullLine(error, t) ?? t("searches.notBroughtBack");
      notify({ kind: "destructive", title: t("messages.error"), description });
    }
  };
}

function fullLine(error: unknown, t: ReturnType<typeof useTexts<"filter">>): string | undefined {
  return codeOf(error) === "too-many-searches" ? t("searches.full") : undefined;
}

/** The oldest remaining search becomes the first. */
function without(searches: readonly SavedSearch[], { id, isFirst }: SavedSearch): SavedSearch[] {
  const left = searches.filter((one) => one.id !== id);
  return isFirst ? left.map((one, index) => ({ ...one, isFirst: index === 0 })) : left;
}
