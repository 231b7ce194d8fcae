import { useQueryClient } from "@tanstack/react-query";
import { type Dispatch, type RefObject, useRef, useState } from "react";
import { logProblem } from "#web/lib/browser/log.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { conflictOf, fetchFilter, refusedFieldOf, saveFilter } from "./filter-calls.ts";
import type { FormAction, SaveBase, SavedFilter } from "./form-state.ts";

export interface Save {
  isBusy: boolean;
  /** Our own change comes back as anyone's would; meanwhile none is looked at. */
  isRunning: RefObject<boolean>;
  /** What to do about the last failure. */
  failure: string | null;
  /** How many saves have ended in a question to the person. */
  conflicts: number;
  run(filter: SavedFilter, base: SaveBase): Promise<void>;
}

export function useSave(userId: string, dispatch: Dispatch<FormAction>): Save {
  const t = useTexts("filter");
  const queries = useQueryClient();
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [conflicts, setConflicts] = useState(0);
  /** Shows what is saved now beside what was to be saved, and says what to do about it. */
  const showConflict = async (conflict: NonNullable<ReturnType<typeof conflictOf>>) => {
    const row = await fetchFilter(userId);
    queries.setQueryData(["filter", userId], row);
    dispatch({ type: "row-seen", saved: row });
    void queries.invalidateQueries({ queryKey: ["chats", userId] });
    if (conflict === "too-many-chats") setFailure(t("elsewhere.tooMany"));
    else if (conflict === "no-chat-left") setFailure(t("elsewhere.noneLeft"));
    else setConflicts((count) => count + 1);
  };
  const tellFailure = (error: unknown) => {
    logProblem("The filter could not be saved", error);
    notify({ kind: "destructive", title: t("messages.error"), description: t("messages.errorSave") });
    const field = refusedFieldOf(error);
    const advice = { url: t("messages.refusedUrl"), ids: t("messages.refusedIds") };
    setFailure(field ? advice[field] : t("messages.errorSaveAdvice"));
  };
  const run = async (filter: SavedFilter, base: SaveBase) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setFailure(null);
    try {
      const { row, isFirst } = await saveFilter(userId, filter, base);
      await queries.cancelQueries({ queryKey: ["filter", userId] });
      queries.setQueryData(["filter", userId], row);
      dispatch({ type: "saved", sent: filter, saved: row });
      for (const name of ["chats", "watch", "has-filter"]) {
        void queries.invalidateQueries({ queryKey: [name, userId] });
      }
      const description = isFirst ? t("messages.successInitial") : t("messages.successUpdate");
      notify({ kind: "success", title: t("messages.success"), description });
    } catch (error) {
      const conflict = conflictOf(error);
      if (conflict) await showConflict(conflict).catch(tellFailure);
      else tellFailure(error);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { isBusy, isRunning, failure, conflicts, run };
}
