import { useQueryClient } from "@tanstack/react-query";
import type { Dispatch } from "react";
import { intervalKindOf, intervalSentence } from "#text/watch-interval.ts";
import { useWatchInterval } from "#web/lib/backend/use-watch-interval.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { type Conflict, conflictOf, fetchFilter, refusedFieldOf, saveFilter } from "./filter-calls.ts";
import type { FormAction, SaveBase, SavedFilter } from "./form-state.ts";

export type Save = ReturnType<typeof useSave>;

interface Input {
  filter: SavedFilter;
  base: SaveBase;
}

export function useSave(userId: string, dispatch: Dispatch<FormAction>) {
  const t = useTexts("filter");
  const queries = useQueryClient();
  const savedWords = useSavedWords();
  /** Shows what is saved now beside what was to be saved. */
  const showConflict = async (conflict: Conflict) => {
    const row = await fetchFilter(userId);
    queries.setQueryData(["filter", userId], row);
    dispatch({ type: "row-seen", saved: row });
    void queries.invalidateQueries({ queryKey: ["chats", userId] });
    return { conflict };
  };
  const { isBusy, data, error, run } = useAction({
    run: async ({ filter, base }: Input) => {
      try {
        return await saveFilter(userId, filter, base);
      } catch (failure) {
        const conflict = conflictOf(failure);
        if (!conflict) throw failure;
        return showConflict(conflict);
      }
    },
    onSuccess: async (outcome, { filter }) => {
      if ("conflict" in outcome) return undefined;
      await queries.cancelQueries({ queryKey: ["filter", userId] });
      queries.setQueryData(["filter", userId], outcome.row);
      dispatch({ type: "saved", sent: filter, saved: outcome.row });
      for (const name of ["chats", "watch", "watch-interval", "has-filter"]) {
        void queries.invalidateQueries({ queryKey: [name, userId] });
      }
      return { title: t("messages.success"), description: savedWords(outcome.isFirst) };
    },
    failure: { title: t("messages.error"), description: t("messages.errorSave") },
  });
  const conflict = data && "conflict" in data ? data.conflict : undefined;
  const advice = () => {
    if (conflict === "too-many-chats") return t("elsewhere.tooMany");
    if (conflict === "no-chat-left") return t("elsewhere.noneLeft");
    if (!error) return null;
    const field = refusedFieldOf(error);
    if (field === "url") return t("messages.refusedUrl");
    return field === "ids" ? t("messages.refusedIds") : t("messages.errorSaveAdvice");
  };
  const isQuestion = conflict === "changed-elsewhere" || conflict === "deleted-elsewhere";
  return {
    isBusy,
    run,
    /** What to do about the last failure. */
    failure: advice(),
    /** The last save, if it ended in a question to the person. */
    question: isQuestion ? data : undefined,
  };
}

/** What the person may expect now. */
function useSavedWords(): (isFirst: boolean) => string {
  const t = useTexts("filter");
  const language = useLanguage();
  const watchInterval = useWatchInterval();
  if (intervalKindOf(watchInterval) === "promised") {
    return (isFirst) => (isFirst ? t("messages.successInitial") : t("messages.successUpdate"));
  }
  const interval = intervalSentence(watchInterval, language);
  return (isFirst) =>
    isFirst ? t("messages.successInitialAt", { interval }) : t("messages.successUpdateAt", { interval });
}
