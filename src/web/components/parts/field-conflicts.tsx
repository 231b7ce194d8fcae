import { Suspense } from "react";
import { useQuestions } from "../../lib/changes/unsent.ts";
import { lazyPart } from "./lazy-part.tsx";

const ConflictList = lazyPart(async () => (await import("./conflict-list.tsx")).ConflictList, {
  namespaces: ["filter", "finds", "home", "rules", "search"],
});

/** Changes that could not be saved, because another device was first or the server refused them. The person decides about each. */
export function FieldConflicts({ userId }: { userId: string }) {
  const questions = useQuestions(userId);
  if (questions.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <ConflictList userId={userId} questions={questions} />
    </Suspense>
  );
}
