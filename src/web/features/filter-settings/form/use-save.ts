import { useQueryClient } from "@tanstack/react-query";
import type { Dispatch } from "react";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
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
      for (const name of ["chats", "watch", "has-filter"]) {
        void queries.invalidateQueries({ queryKey: [name, userId] });
      }
      const description = outcome.isFirst ? t("messages.successInitial") : t("messages.successUpdate");
      return { title: t("messages.success"), description };
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
