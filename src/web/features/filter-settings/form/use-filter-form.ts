import { type Dispatch, useEffect, useReducer } from "react";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { dropDraft, keepDraft, readDraft } from "./draft-storage.ts";
import {
  type FormAction,
  type FormState,
  isDirty,
  nextState,
  type SavedFilter,
  stateOf,
} from "./form-state.ts";

interface FilterForm {
  state: FormState;
  dispatch: Dispatch<FormAction>;
  isDirty: boolean;
}

/** The form's state, begun where a reload interrupted it and kept for the next one. */
export function useFilterForm(userId: string, saved: SavedFilter | null): FilterForm {
  const [state, dispatch] = useReducer(
    (current: FormState, action: FormAction) => nextState(current, action, savedUrlOf),
    undefined,
    () => {
      const draft = readDraft(userId);
      if (!draft) return stateOf(saved);
      return nextState(draft, { type: "row-seen", saved }, savedUrlOf);
    },
  );
  const isChanged = isDirty(state, savedUrlOf);
  useEffect(() => {
    if (isChanged || state.step > 1) keepDraft(userId, state);
    else dropDraft();
  }, [userId, state, isChanged]);
  return { state, dispatch, isDirty: isChanged };
}

function savedUrlOf(typed: string): string | undefined {
  const parsed = parseSearchUrl(typed);
  return parsed.ok ? parsed.canonicalUrl : undefined;
}
