/**
 * The two fields, how far the person has come, and the saved row they were typed against.
 *
 * wizard ─► edit    saved here; saved elsewhere while nothing was typed here
 * edit   ─► wizard  deleted elsewhere
 * In either, a row changed elsewhere is merged with what was typed: what only one side changed holds, chats one by one.
 * Where both changed the search, the person is asked.
 */
import { joinChatIds, parseChatIds, withChatIds } from "../chats/chat-ids.ts";

export interface SavedFilter {
  url: string;
  ids: readonly string[];
}

export type Step = 1 | 2 | 3;

export interface FormState {
  mode: "wizard" | "edit";
  step: Step;
  url: string;
  ids: string;
  /** Null until there is a row. */
  base: SavedFilter | null;
  /** Chats that were added to the field by themselves. One that was removed is not added again. */
  seenChats: readonly string[];
  /** The field was filled with given chats: chats that were connected before are not added to it. */
  areChatsGiven?: boolean;
  /** The wizard continues when the first chat connects while its question is on screen: once, and never after the review. */
  firstChat?: "arrived" | "past";
  /** "overtaken" and "exists" ask whose search holds. Saving while they are shown answers "mine". */
  notice: "newer" | "merged" | "overtaken" | "exists" | "deleted" | null;
}

export type FormAction =
  | { type: "url-typed"; url: string }
  | { type: "ids-typed"; ids: string }
  | { type: "step-taken"; step: Step }
  | { type: "saved"; sent: SavedFilter; saved: SavedFilter }
  | { type: "row-seen"; saved: SavedFilter | null }
  | { type: "chats-seen"; ids: readonly string[] }
  | { type: "base-shown" }
  | { type: "mine-kept" }
  | { type: "other-taken" };

/** What a save is based on: the row as it was seen, or the chats that were there before any. */
export interface SaveBase {
  url: string | null;
  ids: readonly string[];
}

export function saveBaseOf({ base, seenChats }: FormState): SaveBase {
  return base ?? { url: null, ids: seenChats };
}

/** The URL that would be saved for a typed one; undefined if it is not a search. */
type SavedUrlOf = (typed: string) => string | undefined;

const NOTHING: SavedFilter = { url: "", ids: [] };

export function stateOf(saved: SavedFilter | null): FormState {
  return {
    mode: saved ? "edit" : "wizard",
    step: 1,
    url: saved?.url ?? "",
    ids: joinChatIds(saved?.ids ?? []),
    base: saved,
    seenChats: [],
    notice: null,
  };
}

/** The wizard for one search more, with the chats of the one it is like. */
export function newStateOf(url: string, ids: readonly string[]): FormState {
  return { ...stateOf(null), url, ids: joinChatIds(ids), seenChats: ids, areChatsGiven: true };
}

export function isDirty(state: FormState, savedUrlOf: SavedUrlOf): boolean {
  const { ids } = parseChatIds(state.ids);
  if (state.mode === "wizard") {
    return state.url.trim() !== "" || ids.some((id) => !state.seenChats.includes(id));
  }
  const base = state.base ?? NOTHING;
  return isUrlTouched(state, savedUrlOf) || joinChatIds(ids) !== joinChatIds(base.ids);
}

export function nextState(state: FormState, action: FormAction, savedUrlOf: SavedUrlOf): FormState {
  switch (action.type) {
    case "url-typed":
      return { ...state, url: action.url, notice: noticeAfterTyping(state) };
    case "ids-typed":
      return { ...state, ids: action.ids, notice: noticeAfterTyping(state) };
    case "step-taken":
      return withStep(state, action.step);
    case "saved":
      return withSaved(state, action, savedUrlOf);
    case "base-shown":
      return stateOf(state.base);
    case "mine-kept":
      return { ...state, notice: null };
    case "other-taken":
      return state.base ? { ...state, mode: "edit", step: 1, url: state.base.url, notice: null } : state;
    case "chats-seen":
      return withSeenChats(state, action.ids);
    case "row-seen":
      return withRow(state, action.saved, savedUrlOf);
  }
}

/** Typing does not answer whose search holds. Any other notice has been read by then. */
function noticeAfterTyping({ notice }: FormState): FormState["notice"] {
  return notice === "overtaken" || notice === "exists" ? notice : null;
}

/** A person who has seen the review, or stayed with the question when a chat came, continues by themselves. */
function withStep(state: FormState, step: Step): FormState {
  const isPast = step === 3 || state.firstChat === "arrived";
  return isPast ? { ...state, step, firstChat: "past" } : { ...state, step };
}

/** Only before the first save: later the bot writes a new chat into the row itself. */
function withSeenChats(state: FormState, ids: readonly string[]): FormState {
  const fresh = ids.filter((id) => !state.seenChats.includes(id));
  if (state.mode === "edit") return state;
  if (state.areChatsGiven) {
    return { ...state, seenChats: [...state.seenChats, ...fresh], areChatsGiven: false };
  }
  if (fresh.length === 0) return state;
  const isAwaited = state.step === 2 && state.firstChat === undefined && state.ids.trim() === "";
  return {
    ...state,
    ...(isAwaited && { firstChat: "arrived" }),
    ids: withChatIds(state.ids, fresh),
    seenChats: [...state.seenChats, ...fresh],
  };
}

/** What was sent is now the base of what was typed meanwhile. */
function withSaved(
  state: FormState,
  { sent, saved }: { sent: SavedFilter; saved: SavedFilter },
  savedUrlOf: SavedUrlOf,
): FormState {
  const sentState: FormState = { ...state, mode: "edit", step: 1, base: sent, notice: null };
  if (isDirty(sentState, savedUrlOf)) return withRow(sentState, saved, savedUrlOf);
  return { ...stateOf(saved), notice: isAddition(sent, saved) ? null : "merged" };
}

function withRow(state: FormState, saved: SavedFilter | null, savedUrlOf: SavedUrlOf): FormState {
  if (isSame(saved, state.base)) return state;
  if (!saved) {
    return {
      ...state,
      mode: "wizard",
      step: 1,
      base: null,
      notice: state.mode === "edit" ? "deleted" : null,
    };
  }
  if (isDirty(state, savedUrlOf)) return mergedState(state, saved, savedUrlOf);
  if (state.mode === "wizard") return stateOf(saved);
  return { ...stateOf(saved), notice: isAddition(state.base, saved) ? state.notice : "newer" };
}

function mergedState(state: FormState, saved: SavedFilter, savedUrlOf: SavedUrlOf): FormState {
  const { base } = state;
  const isTheirs = isUrl(state, saved, savedUrlOf);
  const isBlank = state.mode === "wizard" && state.url.trim() === "";
  const isMine = !isTheirs && !isBlank && isUrlTouched(state, savedUrlOf);
  const merged: FormState = {
    ...state,
    mode: isMine ? state.mode : "edit",
    base: saved,
    url: isMine || isTheirs ? state.url : saved.url,
    ids: mergedIds(state.ids, saveBaseOf(state).ids, saved.ids),
  };
  if (isMine && saved.url !== base?.url) {
    return { ...merged, notice: state.mode === "wizard" ? "exists" : "overtaken" };
  }
  const isStillAsked = isMine && noticeAfterTyping(state) !== null;
  if (isStillAsked || isAddition(base, saved)) return merged;
  return { ...merged, notice: "merged" };
}

/** Mine, without what they took out and with what they put in. */
function mergedIds(typed: string, base: readonly string[], theirs: readonly string[]): string {
  const { ids } = parseChatIds(typed);
  const kept = ids.filter((id) => theirs.includes(id) || !base.includes(id));
  const added = theirs.filter((id) => !base.includes(id) && !ids.includes(id));
  const isAsTyped = kept.length === ids.length && added.length === 0;
  return isAsTyped ? typed : joinChatIds([...kept, ...added]);
}

function isUrlTouched(state: FormState, savedUrlOf: SavedUrlOf): boolean {
  return !isUrl(state, state.base ?? NOTHING, savedUrlOf);
}

function isUrl({ url }: FormState, saved: SavedFilter, savedUrlOf: SavedUrlOf): boolean {
  return url === saved.url || (savedUrlOf(url) ?? url.trim()) === saved.url;
}

/** Chats came, and nothing else happened: the list of chats says so itself. */
function isAddition(base: SavedFilter | null, saved: SavedFilter): boolean {
  return saved.url === base?.url && base.ids.every((id) => saved.ids.includes(id));
}

function isSame(a: SavedFilter | null, b: SavedFilter | null): boolean {
  if (!a || !b) return a === b;
  return a.url === b.url && joinChatIds(a.ids) === joinChatIds(b.ids);
}
