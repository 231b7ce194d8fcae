import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useMemo, useReducer, useState } from "react";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { useConfig } from "#web/lib/backend/config.ts";
import { useIdle } from "#web/lib/browser/use-idle.ts";
import { useLanguage } from "#web/lib/i18n/use-texts.ts";
import { connectedOf, fetchChats } from "./chats/chat-calls.ts";
import { dropDraft, keepDraft, readDraft } from "./form/draft-storage.ts";
import type { FilterRow } from "./form/filter-calls.ts";
import type { FormParts } from "./form/form-parts.ts";
import {
  type FormAction,
  type FormState,
  isDirty,
  nextState,
  type SavedFilter,
  stateOf,
} from "./form/form-state.ts";
import { LeaveGuard } from "./form/leave-guard.tsx";
import { useSave } from "./form/use-save.ts";
import { EXAMPLE_URL, understandUrl } from "./search/understand-url.ts";
import { loadReview, Wizard } from "./wizard/wizard.tsx";

/** While the page is looked at; realtime is quicker, where a network lets it through. */
const CHATS_RELOAD_MS = 20_000;

// Who begins with the wizard reads its first question meanwhile.
const loadEditForm = () => import("./edit/edit-form.tsx");
const EditForm = lazy(async () => ({ default: (await loadEditForm()).EditForm }));

interface FilterPageProps {
  userId: string;
  row: FilterRow | null;
  onModeChange(mode: FormState["mode"]): void;
}

export function FilterPage({ userId, row, onModeChange }: FilterPageProps) {
  const { state, dispatch, isChanged } = useFilterForm(userId, row);
  const save = useSave(userId, dispatch);
  const [hasOpenForm, setOpenForm] = useState(false);
  const language = useLanguage();
  const config = useConfig();
  const chats = useQuery({
    queryKey: ["chats", userId],
    queryFn: () => fetchChats(userId),
    refetchInterval: CHATS_RELOAD_MS,
  });
  const canSearchByUrl = config?.searchByUrl ?? true;
  const understanding = useMemo(
    () => understandUrl(state.url, { language, canSearchByUrl }),
    [state.url, language, canSearchByUrl],
  );
  const isIdle = useIdle();
  useEffect(() => {
    // The first look builds tables and number formats (some 60 ms); the first paste then finds them built.
    if (isIdle) understandUrl(EXAMPLE_URL, { language, canSearchByUrl });
    if (isIdle) Promise.all([loadEditForm(), loadReview()]).catch(() => undefined);
  }, [isIdle, language, canSearchByUrl]);
  useEffect(() => onModeChange(state.mode), [state.mode, onModeChange]);
  useEffect(() => {
    // Our own change comes back as anyone's would; while it is being saved none is looked at.
    if (!save.isBusy) dispatch({ type: "row-seen", saved: row });
  }, [row, dispatch, save.isBusy]);
  useEffect(() => {
    const connected = connectedOf(chats.data);
    if (connected) dispatch({ type: "chats-seen", ids: connected.map(({ id }) => id) });
  }, [chats.data, dispatch]);

  const parts: FormParts = {
    userId,
    state,
    dispatch,
    isDirty: isChanged,
    save,
    understanding,
    chats: chats.data,
    botUsername: config?.botUsername ?? "",
  };
  return (
    <>
      {state.mode === "wizard" ? (
        <Wizard {...parts} />
      ) : (
        <Suspense fallback={null}>
          <EditForm {...parts} isPaused={row?.isPaused ?? false} onOpenFormChange={setOpenForm} />
        </Suspense>
      )}
      <LeaveGuard isOn={isChanged || (state.mode === "edit" && hasOpenForm)} onLeave={dropDraft} />
    </>
  );
}

/** The form's state, begun where a reload interrupted it and kept for the next one. */
function useFilterForm(userId: string, saved: SavedFilter | null) {
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
  return { state, dispatch, isChanged };
}

function savedUrlOf(typed: string): string | undefined {
  const parsed = parseSearchUrl(typed);
  return parsed.ok ? parsed.canonicalUrl : undefined;
}
