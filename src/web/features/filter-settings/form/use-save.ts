import { useQueryClient } from "@tanstack/react-query";
import type { Dispatch } from "react";
import { intervalKindOf, intervalSentence } from "#text/watch-interval.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { fetchSearches, type SavedSearch } from "#web/lib/backend/searches.ts";
import { useWatchInterval } from "#web/lib/backend/use-watch-interval.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { addSearch } from "../searches/search-calls.ts";
import { type Conflict, conflictOf, refusedFieldOf, saveExisting, saveFirst } from "./filter-calls.ts";
import type { FormAction, SaveBase, SavedFilter } from "./form-state.ts";
import { reloadSearches, showSavedSearch } from "./show-saved-search.ts";

export type Save = ReturnType<typeof useSave>;

interface Input {
  filter: SavedFilter;
  base: SaveBase;
}

/** What the form saves: an existing search, or a new one, which copies the quiet hours of the search it is based on. */
export interface SaveTarget {
  userId: string;
  search: SavedSearch | null;
  others: readonly SavedSearch[];
  like: SavedSearch | undefined;
}

const MOST_CHATS = 10;

/** What the page shows next: the saved search, or the list with one more. */
export type Finished = "saved" | "added";

export function useSave(
  target: SaveTarget,
  dispatch: Dispatch<FormAction>,
  onFinished: (how: Finished) => void,
) {
  const t = useTexts("filter");
  const queries = useQueryClient();
  const savedWords = useSavedWords();
  const { userId, search, others } = target;
  const isAddition = search === null && others.length > 0;
  /** Loads what is saved now and shows it next to the typed values. */
  const showConflict = async (conflict: Conflict, { filter }: Input) => {
    const rows = await fetchSearches(userId);
    queries.setQueryData(queryKeys.searches(userId), rows);
    const row = rows.find(({ id, isFirst }) => (search ? id === search.id : isFirst && !isAddition)) ?? null;
    dispatch({ type: "row-seen", saved: row });
    void queries.invalidateQueries({ queryKey: queryKeys.chats(userId) });
    const ofOthers = rows.filter(({ id }) => id !== row?.id).flatMap(({ ids }) => ids);
    const isAboutAll = new Set([...filter.ids, ...ofOthers]).size > MOST_CHATS;
    return { conflict, isAboutAll };
  };
  const { isBusy, data, error, run } = useAction({
    run: async (input: Input) => {
      try {
        const base = input.base.url === null ? null : { ...input.base, url: input.base.url };
        return search && base
          ? await saveExisting(search, { userId, filter: input.filter, base })
          : await saveNew(target, input);
      } catch (failure) {
        const conflict = conflictOf(failure);
        if (!conflict) throw failure;
        return showConflict(conflict, input);
      }
    },
    onSuccess: async (outcome, { filter }) => {
      if ("conflict" in outcome) return undefined;
      if (isAddition) onFinished("added");
      await showSavedSearch(queries, userId, outcome.search);
      dispatch({ type: "saved", sent: filter, saved: outcome.search });
      if (!isAddition) onFinished("saved");
      reloadSearches(queries, userId);
      return { title: t("messages.success"), description: savedWords(outcome.isNew) };
    },
    failure: { title: t("messages.error"), description: t("messages.errorSave") },
  });
  const refused = data && "conflict" in data ? data : undefined;
  const advice = () => {
    if (refused?.conflict === "too-many-searches") return t("searches.full");
    if (refused?.conflict === "too-many-chats") {
      return refused.isAboutAll ? t("searches.tooManyChats") : t("elsewhere.tooMany");
    }
    if (refused?.conflict === "no-chat-left") return t("elsewhere.noneLeft");
    if (!error) return null;
    const field = refusedFieldOf(error);
    if (field === "url") return t("messages.refusedUrl");
    return field === "ids" ? t("messages.refusedIds") : t("messages.errorSaveAdvice");
  };
  const isQuestion = refused?.conflict === "changed-elsewhere" || refused?.conflict === "deleted-elsewhere";
  return {
    isBusy,
    run,
    failure: advice(),
    /** The last save, if it ended with a question to the person. */
    question: isQuestion ? data : undefined,
  };
}

function saveNew({ userId, others, like }: SaveTarget, { filter, base }: Input) {
  if (others.length === 0) return saveFirst({ userId, filter, base });
  const { quietFrom = null, quietUntil = null } = like ?? others[0] ?? {};
  const usual = {
    name: null,
    isPaused: false,
    rules: like?.rules ?? [],
    unreadableRules: 0,
    isFolded: false,
  };
  return addSearch(userId, { ...filter, ...usual, quietFrom, quietUntil });
}

/** What the person can expect after saving. */
function useSavedWords(): (isNew: boolean) => string {
  const t = useTexts("filter");
  const words = useWords("common");
  const watchInterval = useWatchInterval();
  if (intervalKindOf(watchInterval) === "promised") {
    return (isNew) => (isNew ? t("messages.successInitial") : t("messages.successUpdate"));
  }
  const interval = intervalSentence(watchInterval, words);
  return (isNew) =>
    isNew ? t("messages.successInitialAt", { interval }) : t("messages.successUpdateAt", { interval });
}
