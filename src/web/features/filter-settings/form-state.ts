/**
 * The two fields, how far the person has come, and the saved row they were typed against.
 *
 * wizard ─► edit    saved here; saved elsewhere while nothing was typed here
 * edit   ─► wizard  deleted elsewhere
 * In either, a row changed elsewhere is taken over where nothing was typed, and told of where something was.
 */
import { joinChatIds, parseChatIds, withChatIds } from "./chat-ids.ts";

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
  /** Chats that put themselves into the field; one that was taken out does not come back. */
  seenChats: readonly string[];
  notice: "newer" | "overtaken" | "exists" | null;
}

export type FormAction =
  | { type: "url-typed"; url: string }
  | { type: "ids-typed"; ids: string }
  | { type: "step-taken"; step: Step }
  | { type: "saved"; saved: SavedFilter }
  | { type: "row-seen"; saved: SavedFilter | null }
  | { type: "chats-seen"; ids: readonly string[] }
  | { type: "base-shown" };

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

/** `savedUrlOf` gives the form in which a typed URL would be saved; undefined if it is none. */
export function isDirty(state: FormState, savedUrlOf: (typed: string) => string | undefined): boolean {
  const { ids } = parseChatIds(state.ids);
  if (state.mode === "wizard") {
    return state.url.trim() !== "" || ids.some((id) => !state.seenChats.includes(id));
  }
  const base = state.base ?? { url: "", ids: [] };
  const url = savedUrlOf(state.url) ?? state.url.trim();
  return (url !== base.url && state.url !== base.url) || joinChatIds(ids) !== joinChatIds(base.ids);
}

export function nextState(
  state: FormState,
  action: FormAction,
  savedUrlOf: (typed: string) => string | undefined,
): FormState {
  switch (action.type) {
    case "url-typed":
      return { ...state, url: action.url, notice: noticeAfterTyping(state) };
    case "ids-typed":
      return { ...state, ids: action.ids, notice: noticeAfterTyping(state) };
    case "step-taken":
      return { ...state, step: action.step };
    case "saved":
      return stateOf(action.saved);
    case "base-shown":
      return stateOf(state.base);
    case "chats-seen":
      return withSeenChats(state, action.ids);
    case "row-seen":
      return withRow(state, action.saved, isDirty(state, savedUrlOf));
  }
}

/** Who works on with the newer version has read that it is one. */
function noticeAfterTyping({ notice }: FormState): FormState["notice"] {
  return notice === "newer" ? null : notice;
}

/** Only before the first save: later the bot writes a new chat into the row itself. */
function withSeenChats(state: FormState, ids: readonly string[]): FormState {
  const fresh = ids.filter((id) => !state.seenChats.includes(id));
  if (state.mode === "edit" || fresh.length === 0) return state;
  return { ...state, ids: withChatIds(state.ids, fresh), seenChats: [...state.seenChats, ...fresh] };
}

function withRow(state: FormState, saved: SavedFilter | null, isTouched: boolean): FormState {
  const { base } = state;
  if (isSame(saved, base)) return state;
  if (!saved) return { ...state, mode: "wizard", step: 1, base: null, notice: null };
  if (!base || state.mode === "wizard") {
    return isTouched ? { ...state, base: saved, notice: "exists" } : stateOf(saved);
  }
  const isAddition = saved.url === base.url && base.ids.every((id) => saved.ids.includes(id));
  if (isAddition) {
    const added = saved.ids.filter((id) => !base.ids.includes(id));
    const ids = isTouched ? withChatIds(state.ids, added) : joinChatIds(saved.ids);
    return { ...state, base: saved, ids };
  }
  return isTouched ? { ...state, base: saved, notice: "overtaken" } : { ...stateOf(saved), notice: "newer" };
}

function isSame(a: SavedFilter | null, b: SavedFilter | null): boolean {
  if (!a || !b) return a === b;
  return a.url === b.url && joinChatIds(a.ids) === joinChatIds(b.ids);
}
