import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useConfig } from "#web/lib/backend/use-config.ts";
import { useIdle } from "#web/lib/browser/use-idle.ts";
import { useLanguage } from "#web/lib/i18n/use-texts.ts";
import { connectedOf, fetchChats } from "./chats/chat-calls.ts";
import { EditForm } from "./edit/edit-form.tsx";
import { dropDraft } from "./form/draft-storage.ts";
import type { FilterRow } from "./form/filter-calls.ts";
import type { FormParts } from "./form/form-parts.ts";
import type { FormState } from "./form/form-state.ts";
import { LeaveGuard } from "./form/leave-guard.tsx";
import { useFilterForm } from "./form/use-filter-form.ts";
import { useSave } from "./form/use-save.ts";
import { EXAMPLE_URL } from "./search/example-url.ts";
import { understandUrl } from "./search/understand-url.ts";
import { Wizard } from "./wizard/wizard.tsx";

/** While the page is looked at; realtime is quicker, where a network lets it through. */
const CHATS_RELOAD_MS = 20_000;

interface FilterPageProps {
  userId: string;
  row: FilterRow | null;
  onModeChange(mode: FormState["mode"]): void;
}

export function FilterPage({ userId, row, onModeChange }: FilterPageProps) {
  const { state, dispatch, isDirty } = useFilterForm(userId, row);
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
  }, [isIdle, language, canSearchByUrl]);
  useEffect(() => onModeChange(state.mode), [state.mode, onModeChange]);
  useEffect(() => {
    if (!save.isRunning.current) dispatch({ type: "row-seen", saved: row });
  }, [row, dispatch, save.isRunning]);
  useEffect(() => {
    const connected = connectedOf(chats.data);
    if (connected) dispatch({ type: "chats-seen", ids: connected.map(({ id }) => id) });
  }, [chats.data, dispatch]);

  const parts: FormParts = {
    userId,
    state,
    dispatch,
    isDirty,
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
        <EditForm {...parts} isPaused={row?.isPaused ?? false} onOpenFormChange={setOpenForm} />
      )}
      <LeaveGuard isOn={isDirty || (state.mode === "edit" && hasOpenForm)} onLeave={dropDraft} />
    </>
  );
}
