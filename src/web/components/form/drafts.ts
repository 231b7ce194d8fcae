/**
 * What was typed into a form and is not saved. It survives another page, another language, a reload and a session that ended,
 * in this tab and for its author only. Texts are stored for a reload; any other value is kept until the page is left.
 */
import { createTabStorage } from "#web/lib/browser/storage.ts";
import { TAB_STORAGE_KEYS } from "#web/lib/site/constants.ts";

/** What was typed, and what was saved of these fields when the person began to change them. */
export interface Typed<Values> {
  readonly typed: Partial<Values>;
  readonly before: Partial<Values>;
}

interface Draft<Values> extends Typed<Values> {
  /** All that the form showed: what it is about may be gone when it is opened again. */
  readonly shown?: Partial<Values>;
}

type Fields = Readonly<Record<string, unknown>>;

const storage = createTabStorage();
const live = new Map<string, Draft<Fields>>();

/** The values are those of the form that kept them under this name, but another version may have been that form. */
export function readDraft<Values extends object>(userId: string, name: string): Draft<Values> | null {
  // A sign-out removes what is stored.
  const stored = draftIn(draftsOf(userId)[name]);
  return stored && ((live.get(`${userId} ${name}`) ?? stored) as Draft<Values>);
}

export function keepDraft<Values extends object>(userId: string, name: string, draft: Draft<Values>): void {
  live.set(`${userId} ${name}`, draft as Draft<Fields>);
  write(userId, { ...draftsOf(userId), [name]: draft });
}

export function dropDraft(userId: string, name: string): void {
  live.delete(`${userId} ${name}`);
  const { [name]: dropped, ...left } = draftsOf(userId);
  if (dropped !== undefined) write(userId, left);
}

/** Of everybody. */
export function dropDrafts(): void {
  live.clear();
  storage.removeItem(TAB_STORAGE_KEYS.drafts);
}

/** Removes what another version has kept and this one does not understand. Returns whether there was any, so that it is said. */
export function dropUnreadableDrafts(userId: string): boolean {
  const kept = storedDrafts();
  if (kept === null || (isRecord(kept) && kept.userId && kept.userId !== userId)) return false;
  const drafts = Object.entries(draftsOf(userId));
  const readable = drafts.filter(([, draft]) => draftIn(draft));
  if (readable.length > 0 && readable.length === drafts.length) return false;
  write(userId, Object.fromEntries(readable));
  return true;
}

function write(userId: string, drafts: Fields): void {
  if (Object.keys(drafts).length === 0) storage.removeItem(TAB_STORAGE_KEYS.drafts);
  else storage.setItem(TAB_STORAGE_KEYS.drafts, JSON.stringify({ userId, drafts }));
}

function draftsOf(userId: string): Fields {
  const kept = storedDrafts();
  return isRecord(kept) && kept.userId === userId && isRecord(kept.drafts) ? kept.drafts : {};
}

function storedDrafts(): unknown {
  try {
    return JSON.parse(storage.getItem(TAB_STORAGE_KEYS.drafts) ?? "null");
  } catch {
    return undefined;
  }
}

function draftIn(kept: unknown): Draft<Fields> | null {
  if (!isRecord(kept) || !isRecord(kept.typed) || !isRecord(kept.before)) return null;
  const shown = isRecord(kept.shown) ? textsIn(kept.shown) : {};
  return { typed: textsIn(kept.typed), before: textsIn(kept.before), shown };
}

function textsIn(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === "string"));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
