import type { FormState } from "./form-state.ts";

export const DRAFT_KEY = "filterDraft";

type Kept = Omit<FormState, "notice">;

/**
 * What was typed outlives a reload of the tab, and nothing else: session storage ends with the tab, and a draft
 * is read back only for the person who wrote it.
 */
export function readDraft(userId: string): Kept | null {
  try {
    const draft: unknown = JSON.parse(window.sessionStorage.getItem(DRAFT_KEY) ?? "null");
    return isDraft(draft) && draft.userId === userId ? draft.kept : null;
  } catch {
    return null;
  }
}

export function keepDraft(userId: string, { notice: _, ...kept }: FormState): void {
  try {
    window.sessionStorage.setItem(DRAFT_KEY, JSON.stringify({ userId, kept }));
  } catch {
    // Then a reload forgets it.
  }
}

export function dropDraft(): void {
  try {
    window.sessionStorage.removeItem(DRAFT_KEY);
  } catch {
    // There is none then.
  }
}

function isDraft(value: unknown): value is { userId: string; kept: Kept } {
  if (typeof value !== "object" || value === null || !("userId" in value) || !("kept" in value)) return false;
  const { kept } = value;
  return (
    typeof kept === "object" &&
    kept !== null &&
    "url" in kept &&
    typeof kept.url === "string" &&
    "ids" in kept &&
    typeof kept.ids === "string" &&
    "seenChats" in kept &&
    Array.isArray(kept.seenChats) &&
    "step" in kept &&
    (kept.step === 1 || kept.step === 2 || kept.step === 3)
  );
}
