import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useSession } from "#web/lib/auth/session.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { unsentChanges } from "#web/lib/changes/unsent.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { isInApp } from "#web/lib/mini-app/is-in-app.ts";
import { noteOfflineData, wipeOfflineData } from "#web/lib/offline/wipe.ts";
import { loadAgain } from "#web/lib/parts/load-again.ts";
import type { OfflineStore } from "./offline-store.ts";
import { registerWorker } from "./register-worker.ts";

/** Opens the store of the signed-in person, and wipes it when the session ends, here, in another tab or elsewhere. */
export function useOfflineStore(): void {
  const { user, isUnknown } = useSession();
  const queries = useQueryClient();
  const language = useLanguage();
  const t = useTexts("common");
  const userId = user?.id ?? null;
  const opened = useRef<{ userId: string; store: Promise<OfflineStore> }>(undefined);
  useEffect(() => {
    if (isUnknown || opened.current?.userId === userId) return;
    const ended = opened.current;
    opened.current = undefined;
    const sayNotSaved = () =>
      notify({ kind: "destructive", title: t("parts.notSaved"), description: t("parts.notSavedText") });
    // The session ended before they were sent, here or elsewhere.
    const isSaid = ended !== undefined && unsentChanges().length > 0;
    if (isSaid) sayNotSaved();
    const wiped = ended?.store.then((store) => store.wipe()) ?? Promise.resolve();
    if (userId === null) {
      wipeOfflineData(() => !isSaid && sayNotSaved());
      wiped.catch((error: unknown) => logProblem("The stored data could not be deleted", error));
      return;
    }
    const store = wiped
      .then(() =>
        loadAgain(
          () => import("./offline-store.ts"),
          () => undefined,
        ),
      )
      .then((loaded) => loaded.openOfflineStore(queries, userId, { onDropped: sayNotSaved }));
    noteOfflineData(true);
    // Without storage (private mode of some browsers) changes wait only until the tab is closed.
    store.catch((error: unknown) => logProblem("Nothing is stored for later visits", error));
    opened.current = { userId, store };
  }, [userId, isUnknown, queries, t]);
  useEffect(() => {
    if (userId === null || isInApp(window.location.pathname)) return;
    registerWorker(language).catch((error: unknown) =>
      logProblem("The service worker could not be registered", error),
    );
  }, [userId, language]);
}
