import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { FoundHome, HomeMark } from "#core/finds/find.ts";
import { homeLine } from "#text/home-words.ts";
import { codeOf } from "#web/lib/backend/supabase.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { pendingChanges } from "#web/lib/offline/queue.ts";
import { sendOrQueue } from "#web/lib/offline/send-or-queue.ts";
import { type MarkChange, type NoteChange, QUEUED_MARK, QUEUED_NOTE } from "../queued-finds.ts";
import { changeFind } from "./use-finds.ts";

/** Whether a change of a home or a listing is being sent or waits for the connection. */
export function isBeingChanged(queries: QueryClient, id: string): boolean {
  return [QUEUED_MARK.kind, QUEUED_NOTE.kind].some((kind) =>
    pendingChanges<MarkChange | NoteChange>(queries, kind).some(
      ({ homeId, listingId }) => homeId === id || listingId === id,
    ),
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
export function isChangedSince(queries: QueryClient, count: number, id: string): boolean {
  return isBeingChanged(queries, id) || (changedAt.get(id) ?? 0) > count;
}

export interface Marks {
  keep(find: FoundHome): void;
  hide(find: FoundHome): void;
  unmark(find: FoundHome): void;
  /** Resolves to whether it was saved, or will be when the connection is back. */
  note(find: FoundHome, note: string | null): Promise<boolean>;
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
        return true;
      } catch (error) {
        if (!isBeingChanged(queries, find.homeId)) changeFind(queries, userId, find, before);
        if (codeOf(error) === "") logProblem("A find could not be changed", error);
        notify({ kind: "destructive", title: t("failed.title"), description: t("failed.text") });
        return false;
      } finally {
        noteChange(find);
      }
    };
    const about = (find: FoundHome) => ({
      userId,
      homeId: find.homeId,
      listingId: find.listingId,
      title: homeLine(find, words),
    });
    const mark = (find: FoundHome, next: HomeMark | null) =>
      change(find, { mark: next }, { mark: find.mark }, () =>
        sendOrQueue(queries, QUEUED_MARK, { ...about(find), mark: next, before: find.mark }),
      );
    const undoable = (find: FoundHome, next: HomeMark, title: string) => {
      void mark(find, next);
      const onAction = () => void mark({ ...find, mark: next }, find.mark);
      notify({ kind: "success", title, action: { label: t("undo"), onAction } });
    };
    return {
      keep: (find) => undoable(find, "kept", t("keptToast")),
      hide: (find) => undoable(find, "hidden", t("hiddenToast")),
      unmark: (find) => void mark(find, null),
      note: (find, note) =>
        change(find, { note }, { note: find.note }, () =>
          sendOrQueue(queries, QUEUED_NOTE, { ...about(find), note, before: find.note }),
        ),
    };
  }, [queries, userId, t, words]);
}
