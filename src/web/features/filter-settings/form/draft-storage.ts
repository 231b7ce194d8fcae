import { createTabStorage } from "#web/lib/browser/storage.ts";
import type { FormState } from "./form-state.ts";

export const DRAFT_KEY = "filterDraft";
const storage = createTabStorage();

/** The id under which the draft of an unsaved search is stored. */
export const NEW_SEARCH = "new";

/**
 * A draft survives a reload of the tab and nothing else: session storage ends with the tab, and a draft is only
 * restored for its author. Each search has its own.
 */
export function readDraft(userId: string, searchId: string): FormState | null {
  const kept = draftsOf(userId)[searchId];
  if (!isDraft(kept)) return null;
  // An open question stays open after a reload; other notices were read.
  const isAsked = kept.base && (kept.notice === "overtaken" || kept.notice === "exists");
  return { ...kept, notice: isAsked ? kept.notice : null };
}

export function keepDraft(userId: string, searchId: string, kept: FormState): void {
  write(userId, { ...draftsOf(userId), [searchId]: kept });
}

export function dropDraft(userId: string, searchId: string): void {
  const { [searchId]: dropped, ...left } = draftsOf(userId);
  if (dropped !== undefined) write(userId, left);
}

export function dropDrafts(): void {
  storage.removeItem(DRAFT_KEY);
}

function write(userId: string, drafts: Record<string, unknown>): void {
  if (Object.keys(drafts).length === 0) dropDrafts();
  else storage.setItem(DRAFT_KEY, JSON.stringify({ userId, drafts }));
}

function draftsOf(userId: string): Record<string, unknown> {
  try {
    const stored: unknown = JSON.parse(storage.getItem(DRAFT_KEY) ?? "null");
    if (typeof stored !== "object" || stored === null) return {};
    if (!("userId" in stored) || stored.userId !== userId || !("drafts" in stored)) return {};
    const { drafts } = stored;
    return typeof drafts === "object" && drafts !== null ? { ...drafts } : {};
  } catch {
    return {};
  }
}

function isDraft(kept: unknown): kept is FormState {
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
