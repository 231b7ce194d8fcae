import { Suspense, useEffect, useEffectEvent, useMemo, useReducer, useRef, useState } from "react";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { useConfig } from "#web/lib/backend/config.ts";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { useIdle } from "#web/lib/browser/use-idle.ts";
import { useWords } from "#web/lib/i18n/use-texts.ts";
import { connectedOf } from "./chats/chat-calls.ts";
import { useChats } from "./chats/use-chats.ts";
import { dropDraft, dropDrafts, keepDraft, readDraft } from "./form/draft-storage.ts";
import { type FormParts, useFieldFaults } from "./form/form-parts.ts";
import {
  type FormAction,
  type FormState,
  isDirty,
  newStateOf,
  nextState,
  stateOf,
} from "./form/form-state.ts";
import { LeaveGuard } from "./form/leave-guard.tsx";
import { type Finished, useSave } from "./form/use-save.ts";
import { EXAMPLE_URL, understandUrl } from "./search/understand-url.ts";
import { useStepHistory } from "./wizard/step-history.ts";
import { loadReview, Wizard } from "./wizard/wizard.tsx";

// Preloaded while a newcomer reads the first question of the wizard.
const loadEditForm = () => import("./edit/edit-form.tsx");
const EditForm = lazyPart(async () => (await loadEditForm()).EditForm);

interface FilterPageProps {
  userId: string;
  /** Null until it is saved, and after it was deleted elsewhere. */
  search: SavedSearch | null;
  others: readonly SavedSearch[];
  draftId: string;
  like?: SavedSearch | undefined;
  link: string;
  onModeChange(mode: FormState["mode"]): void;
  onSaved(): void;
  onAdded(): void;
}

export function FilterPage(props: FilterPageProps) {
  const { userId, search, others, draftId, like, onModeChange } = props;
  const { state, dispatch, isChanged } = useFilterForm(props);
  const [finished, setFinished] = useState<Finished | null>(null);
  const isAdded = finished === "added";
  const save = useSave({ userId, search, others, like }, dispatch, setFinished);
  const [hasOpenForm, setOpenForm] = useState(false);
  const words = useWords("search");
  const config = useConfig();
  const chats = useChats(userId);
  const canSearchByUrl = config?.searchByUrl ?? true;
  const understanding = useMemo(
    () => understandUrl(state.url, { words, canSearchByUrl }),
    [state.url, words, canSearchByUrl],
  );
  const isIdle = useIdle();
  useEffect(() => {
    // The first call builds tables and number formats (about 60 ms): do that before the first paste.
    if (isIdle) understandUrl(EXAMPLE_URL, { words, canSearchByUrl });
    if (isIdle) Promise.all([loadEditForm(), loadReview()]).catch(() => undefined);
  }, [isIdle, words, canSearchByUrl]);
  useEffect(() => onModeChange(state.mode), [state.mode, onModeChange]);
  const seenSearch = useRef(search);
  useEffect(() => {
    // Our own change arrives like any other. The end of a save may be rendered before the row that it saved.
    if (save.isBusy || isAdded) return;
    if (seenSearch.current === search) return;
    seenSearch.current = search;
    dispatch({ type: "row-seen", saved: search });
  }, [search, dispatch, save.isBusy, isAdded]);
  useEffect(() => {
    const connected = connectedOf(chats.data);
    if (connected) dispatch({ type: "chats-seen", ids: connected.map(({ id }) => id) });
  }, [chats.data, dispatch]);

  const parts: FormParts = {
    userId,
    search,
    others,
    state,
    dispatch,
    isDirty: isChanged,
    save,
    understanding,
    chats: chats.data,
    botUsername: config?.botUsername ?? "",
  };
  const faults = useFieldFaults(parts);
  const furthest = faults.url !== null ? 1 : faults.ids !== null ? 2 : 3;
  const { goTo, isAtStart } = useStepHistory(state, dispatch, furthest);
  useAfterSave({ ...props, finished, isAtStart, isChanged, onSettled: () => setFinished(null) });
  return (
    <>
      {state.mode === "wizard" || isAdded ? (
        <Wizard {...parts} goTo={goTo} />
      ) : (
        <Suspense fallback={null}>
          <EditForm {...parts} onOpenFormChange={setOpenForm} />
        </Suspense>
      )}
      <LeaveGuard
        isOn={(isChanged && !isAdded) || (state.mode === "edit" && hasOpenForm)}
        onLeave={() => dropDraft(userId, draftId)}
        onSignOut={dropDrafts}
      />
    </>
  );
}

interface AfterSave extends Pick<FilterPageProps, "onSaved" | "onAdded"> {
  finished: Finished | null;
  isAtStart: boolean;
  isChanged: boolean;
  onSettled(): void;
}

/**
 * Shows the saved search once the steps of the wizard are left. A person who is already typing again is not
 * interrupted.
 */
function useAfterSave({ finished, isAtStart, isChanged, onSaved, onAdded, onSettled }: AfterSave): void {
  const settle = useEffectEvent(() => {
    if (finished === "added") {
      onAdded();
      return;
    }
    onSettled();
    if (!isChanged) onSaved();
  });
  useEffect(() => {
    if (finished !== null && isAtStart) settle();
  }, [finished, isAtStart]);
}

/** The state of the form, restored from the draft of a reload and stored for the next one. */
function useFilterForm({ userId, draftId, search, others, like, link }: FilterPageProps) {
  const [state, dispatch] = useReducer(
    (current: FormState, action: FormAction) => nextState(current, action, savedUrlOf),
    undefined,
    () => {
      const draft = readDraft(userId, draftId);
      if (draft) return nextState(draft, { type: "row-seen", saved: search }, savedUrlOf);
      if (search) return stateOf(search);
      const url = link || (like?.url ?? "");
      return others.length > 0 ? newStateOf(url, (like ?? others[0])?.ids ?? []) : { ...stateOf(null), url };
    },
  );
  const isChanged = isDirty(state, savedUrlOf);
  const keptAs = useRef(draftId);
  useEffect(() => {
    // The same form: its search was saved for the first time, or deleted elsewhere.
    if (keptAs.current !== draftId) dropDraft(userId, keptAs.current);
    keptAs.current = draftId;
    if (isChanged || state.step > 1) keepDraft(userId, draftId, state);
    else dropDraft(userId, draftId);
  }, [userId, draftId, state, isChanged]);
  return { state, dispatch, isChanged };
}

function savedUrlOf(typed: string): string | undefined {
  const parsed = parseSearchUrl(typed);
  return parsed.ok ? parsed.canonicalUrl : undefined;
}
