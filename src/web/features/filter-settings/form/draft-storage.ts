import { createTabStorage } from "#web/lib/browser/storage.ts";
import type { FormState } from "./form-state.ts";

export const DRAFT_KEY = "filterDraft";
const storage = createTabStorage();

/**
 * What was typed outlives a reload of the tab, and nothing else: session storage ends with the tab, and a draft
 * is read back only for the person who wrote it.
 */
export function readDraft(userId: string): FormState | null {
  try {
    const draft: unknown = JSON.parse(storage.getItem(DRAFT_KEY) ?? "null");
    if (!isDraft(draft) || draft.userId !== userId) return null;
    const { kept } = draft;
    // An open question is still one after a reload; all else was read.
    const isAsked = kept.base && (kept.notice === "overtaken" || kept.notice === "exists");
    return { ...kept, notice: isAsked ? kept.notice : null };
  } catch {
    return null;
  }
}

export function keepDraft(userId: string, kept: FormState): void {
  storage.setItem(DRAFT_KEY, JSON.stringify({ userId, kept }));
}

export function dropDraft(): void {
  storage.removeItem(DRAFT_KEY);
}

function isDraft(value: unknown): value is { userId: string; kept: FormState } {
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
