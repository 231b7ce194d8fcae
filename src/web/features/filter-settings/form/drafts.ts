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
  const stored = storage.getItem(DRAFT_KEY);
  if (stored === null || isOfAnother(stored, userId)) return false;
  const drafts = draftsOf(userId);
  const readable = Object.entries(drafts).filter(([, draft]) => draftIn(draft));
  if (readable.length > 0 && readable.length === Object.keys(drafts).length) return false;
  write(userId, Object.fromEntries(readable));
  return true;
}

function isOfAnother(stored: string, userId: string): boolean {
  try {
    const kept: unknown = JSON.parse(stored);
    return isRecord(kept) && typeof kept.userId === "string" && kept.userId !== userId;
  } catch {
    return false;
  }
}

function write(userId: string, drafts: Record<string, unknown>): void {
  if (Object.keys(drafts).length === 0) dropDrafts();
  else storage.setItem(DRAFT_KEY, JSON.stringify({ userId, drafts }));
}

function draftsOf(userId: string): Record<string, unknown> {
  try {
    const stored: unknown = JSON.parse(storage.getItem(DRAFT_KEY) ?? "null");
    if (!isRecord(stored) || stored.userId !== userId) return {};
    return isRecord(stored.drafts) && !Array.isArray(stored.drafts) ? stored.drafts : {};
  } catch {
    return {};
  }
}

/** A version before kept the two fields and the saved row beside each other. */
function draftIn(kept: unknown): Draft | null {
  if (!isRecord(kept)) return null;
  if (isRecord(kept.typed) && isRecord(kept.before) && isRecord(kept.shown)) {
    const shown = { url: "", ids: "", ...fieldsIn(kept.shown) };
    return { typed: fieldsIn(kept.typed), before: fieldsIn(kept.before), shown };
  }
  const typed = fieldsIn(kept);
  const { url, ids } = typed;
  if (url === undefined || ids === undefined) return null;
  const base = isRecord(kept.base) ? kept.base : {};
  const before = fieldsIn({ ...base, ...(Array.isArray(base.ids) && { ids: base.ids.join(", ") }) });
  return { typed, before: { url: "", ids: "", ...before }, shown: { url, ids } };
}

function fieldsIn({ url, ids }: Record<string, unknown>): Partial<FilterValues> {
  return { ...(typeof url === "string" && { url }), ...(typeof ids === "string" && { ids }) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
