/**
 * What was typed into the form of a search. A draft survives a reload of the tab and nothing else: session storage ends with the
 * tab, and a draft is only restored for its author. Each search has its own.
 */
import type { Typed } from "#web/components/form/use-form.ts";
import { createTabStorage } from "#web/lib/browser/storage.ts";

export interface FilterValues {
  url: string;
  /** As typed: "501, -1002". */
  ids: string;
}

interface Draft extends Typed<FilterValues> {
  /** All that the form showed: the search may be gone when the form is opened again. */
  readonly shown: FilterValues;
}

const DRAFT_KEY = "filterDraft";
const storage = createTabStorage();

/** The ids under which the drafts of unsaved searches are stored: of one search more, and of the first one. */
export const NEW_SEARCH = "new";
export const FIRST_SEARCH = "first";

export function readDraft(userId: string, searchId: string): Draft | null {
  return draftIn(draftsOf(userId)[searchId]);
}

export function keepDraft(userId: string, searchId: string, draft: Draft): void {
  write(userId, { ...draftsOf(userId), [searchId]: draft });
}

export function dropDraft(userId: string, searchId: string): void {
  const { [searchId]: dropped, ...left } = draftsOf(userId);
  if (dropped !== undefined) write(userId, left);
}

export function dropDrafts(): void {
  storage.removeItem(DRAFT_KEY);
}

/** Removes what another version has kept and this one does not understand. Returns whether there was any, so that it is said. */
export function dropUnreadableDrafts(userId: string): boolean {
  const kept = stored();
  if (kept === null || (isRecord(kept) && kept.userId && kept.userId !== userId)) return false;
  const drafts = Object.entries(draftsOf(userId));
  const readable = drafts.filter(([, draft]) => draftIn(draft));
  if (readable.length > 0 && readable.length === drafts.length) return false;
  write(userId, Object.fromEntries(readable));
  return true;
}

function write(userId: string, drafts: Record<string, unknown>): void {
  if (Object.keys(drafts).length === 0) dropDrafts();
  else storage.setItem(DRAFT_KEY, JSON.stringify({ userId, drafts }));
}

function draftsOf(userId: string): Record<string, unknown> {
  const kept = stored();
  return isRecord(kept) && kept.userId === userId && isRecord(kept.drafts) ? kept.drafts : {};
}

function stored(): unknown {
  try {
    return JSON.parse(storage.getItem(DRAFT_KEY) ?? "null");
  } catch {
    return undefined;
  }
}

function draftIn(kept: unknown): Draft | null {
  if (!isRecord(kept) || !isRecord(kept.typed) || !isRecord(kept.before) || !isRecord(kept.shown))
    return null;
  const shown = { url: "", ids: "", ...fieldsIn(kept.shown) };
  return { typed: fieldsIn(kept.typed), before: fieldsIn(kept.before), shown };
}

function fieldsIn({ url, ids }: Record<string, unknown>): Partial<FilterValues> {
  return { ...(typeof url === "string" && { url }), ...(typeof ids === "string" && { ids }) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
