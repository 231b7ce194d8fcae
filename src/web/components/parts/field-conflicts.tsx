import { Suspense, useEffect, useRef } from "react";
import { notify } from "../../lib/browser/toast.ts";
import { type StoredChange, useQuestions } from "../../lib/changes/unsent.ts";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import { lazyPart } from "./lazy-part.tsx";

const ConflictList = lazyPart(async () => (await import("./conflict-list.tsx")).ConflictList, {
  namespaces: ["filter", "finds", "home", "rules", "search"],
});

/** Changes that could not be saved, because another device was first or the server refused them. The person decides about each. */
export function FieldConflicts({ userId }: { userId: string }) {
  const questions = useQuestions(userId);
  const list = useRef<HTMLDivElement>(null);
  useToastOfNew(questions, () => list.current?.focus());
  if (questions.length === 0) return null;
  return (
    <div ref={list} tabIndex={-1} className="grid scroll-mt-24 gap-3 rounded-2xl">
      <Suspense fallback={null}>
        <ConflictList userId={userId} questions={questions} />
      </Suspense>
    </div>
  );
}

/** The list may be a screen away from what was changed: a toast leads there. */
function useToastOfNew(questions: readonly StoredChange[], show: () => void): void {
  const t = useTexts("common");
  const told = useRef(new Set<string>());
  useEffect(() => {
    for (const { id, title } of questions) {
      if (told.current.has(id)) continue;
      told.current.add(id);
      // The id begins with the time of the change.
      if (Number.parseInt(id, 10) < performance.timeOrigin) continue;
      const action = { label: t("conflict.decide"), onAction: show };
      notify({ kind: "destructive", title: t("conflict.title", { what: title }), action });
    }
  });
}
