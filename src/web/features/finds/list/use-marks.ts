import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { FoundHome, HomeMark } from "#core/finds/find.ts";
import { homeLine } from "#text/home-words.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { codeOf } from "#web/lib/backend/supabase.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { onSettled, sendOrWait } from "#web/lib/changes/send-unsent.ts";
import { type StoredChange, unsentChanges } from "#web/lib/changes/unsent.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { changeFind } from "./use-finds.ts";

/** Whether a change of a home or a listing is being sent or waits for the connection. */
export function isBeingChanged(id: string): boolean {
  return unsentChanges().some(
    ({ kind, homeId, ofId, question }) =>
      (kind === "mark" || kind === "note") && question === undefined && (homeId === id || ofId === id),
  );
}

/** Counts sent and completed changes, and remembers the count at which each home or listing last changed. */
let changes = 0;
const changedAt = new Map<string, number>();

export function changeCount(): number {
  return changes;
}

function noteChange({ homeId, listingId }: FoundHome): void {
  changes += 1;
  for (const id of [homeId, listingId]) changedAt.set(id, changes);
}

/** Whether an answer requested at `count` is older than our own change. */
export function isChangedSince(count: number, id: string): boolean {
  return isBeingChanged(id) || (changedAt.get(id) ?? 0) > count;
}

export interface Marks {
  keep(find: FoundHome): void;
  hide(find: FoundHome): void;
  unmark(find: FoundHome): void;
  /** Resolves when it is saved, or waits for the connection. `before` is what the person saw when they began to write. */
  note(find: FoundHome, note: string | null, before: string | null): Promise<void>;
}

/** Shown at once, and reverted with a message if the server refuses. */
export function useMarks(userId: string): Marks {
  const queries = useQueryClient();
  const t = useTexts("finds");
  const words = useWords("home");
  return useMemo(() => {
    const change = async (
      find: FoundHome,
      now: Partial<FoundHome>,
      before: Partial<FoundHome>,
      send: () => Promise<unknown>,
    ) => {
      changeFind(queries, userId, find, now);
      noteChange(find);
      try {
        await send();
      } catch (error) {
        if (!isBeingChanged(find.homeId)) changeFind(queries, userId, find, before);
        throw error;
      } finally {
        noteChange(find);
      }
    };
    const about = (find: FoundHome) => ({
      userId,
      ofId: find.listingId,
      homeId: find.homeId,
      title: homeLine(find, words),
    });
    const mark = (find: FoundHome, next: HomeMark | null) =>
      change(find, { mark: next }, { mark: find.mark }, () =>
        sendOrWait({ ...about(find), kind: "mark", before: { mark: find.mark }, mine: { mark: next } }),
      ).catch((error: unknown) => {
        if (codeOf(error) === "") logProblem("A find could not be marked", error);
        notify({ kind: "destructive", title: t("failed.title"), description: t("failed.text") });
      });
    const undoable = (find: FoundHome, next: HomeMark, title: string) => {
      void mark(find, next);
      const onAction = () => void mark({ ...find, mark: next }, find.mark);
      notify({ kind: "success", title, action: { label: t("undo"), onAction } });
    };
    return {
      keep: (find) => undoable(find, "kept", t("keptToast")),
      hide: (find) => undoable(find, "hidden", t("hiddenToast")),
      unmark: (find) => void mark(find, null),
      note: (find, note, before) =>
        change(find, { note }, { note: find.note }, () =>
          sendOrWait({ ...about(find), kind: "note", before: { note: before }, mine: { note } }),
        ),
    };
  }, [queries, userId, t, words]);
}

/** The list shows a mark at once by itself, the map does not. What the person is asked about is shown as it is saved. */
export function useSettledMarks(userId: string): void {
  const queries = useQueryClient();
  useEffect(
    () =>
      onSettled(({ kind, id }: StoredChange) => {
        if (kind === "mark") void queries.invalidateQueries({ queryKey: queryKeys.findPoints(userId) });
        const isAsked = unsentChanges().some((row) => row.id === id && row.question);
        if (isAsked) void queries.invalidateQueries({ queryKey: queryKeys.finds(userId) });
      }),
    [queries, userId],
  );
}
