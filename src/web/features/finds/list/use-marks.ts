import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { FoundHome, HomeMark } from "#core/finds/find.ts";
import { codeOf } from "#web/lib/backend/supabase.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { markFind, noteFind } from "../find-calls.ts";
import { changeFind } from "./use-finds.ts";

/** Changes being sent, by home and by listing; each waits for the one before. */
const beingSent = new Map<string, Promise<unknown>>();

export function isBeingChanged(id: string): boolean {
  return beingSent.has(id);
}

/** Counts sent and completed changes, and remembers the count at which each home or listing last changed. */
let changes = 0;
const changedAt = new Map<string, number>();

export function changeCount(): number {
  return changes;
}

/** Whether an answer requested at `count` is older than our own change. */
export function isChangedSince(count: number, id: string): boolean {
  return isBeingChanged(id) || (changedAt.get(id) ?? 0) > count;
}

export interface Marks {
  keep(find: FoundHome): void;
  hide(find: FoundHome): void;
  unmark(find: FoundHome): void;
  /** Resolves to whether it was saved. */
  note(find: FoundHome, note: string | null): Promise<boolean>;
}

/** Shown at once, and reverted with a message if the server refuses. */
export function useMarks(userId: string): Marks {
  const queries = useQueryClient();
  const t = useTexts("finds");
  return useMemo(() => {
    const change = async (
      find: FoundHome,
      now: Partial<FoundHome>,
      before: Partial<FoundHome>,
      send: () => Promise<void>,
    ) => {
      changeFind(queries, userId, find, now);
      try {
        await sendInOrder(find, send);
        return true;
      } catch (error) {
        if (!isBeingChanged(find.homeId)) changeFind(queries, userId, find, before);
        if (codeOf(error) === "") logProblem("A find could not be changed", error);
        notify({ kind: "destructive", title: t("failed.title"), description: t("failed.text") });
        return false;
      }
    };
    const mark = (find: FoundHome, next: HomeMark | null) =>
      change(find, { mark: next }, { mark: find.mark }, () => markFind(find.listingId, next));
    const undoable = (find: FoundHome, next: HomeMark, title: string) => {
      void mark(find, next);
      const onAction = () => void mark({ ...find, mark: next }, find.mark);
      notify({ kind: "success", title, action: { label: t("undo"), onAction } });
    };
    return {
      keep: (find) => undoable(find, "kept", t("keptToast")),
      hide: (find) => undoable(find, "hidden", t("hiddenToast")),
      unmark: (find) => void mark(find, null),
      note: (find, note) => change(find, { note }, { note: find.note }, () => noteFind(find.listingId, note)),
    };
  }, [queries, userId, t]);
}

async function sendInOrder({ homeId, listingId }: FoundHome, send: () => Promise<void>): Promise<void> {
  const before = beingSent.get(homeId) ?? Promise.resolve();
  const sent = before.then(send, send);
  const ids = [homeId, listingId];
  const noteChange = () => {
    changes += 1;
    for (const id of ids) changedAt.set(id, changes);
  };
  for (const id of ids) beingSent.set(id, sent);
  noteChange();
  try {
    await sent;
  } finally {
    noteChange();
    for (const id of ids) if (beingSent.get(id) === sent) beingSent.delete(id);
  }
}
