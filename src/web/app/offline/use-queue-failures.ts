import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { notify } from "#web/lib/browser/toast.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { QUEUE, QueueConflict, type QueuedChange } from "#web/lib/offline/queue.ts";

/** Shows the failure of a change that was queued: the form that made it may be closed by then. */
export function useQueueFailures(): void {
  const queries = useQueryClient();
  const t = useTexts("common");
  useEffect(
    () =>
      queries.getMutationCache().subscribe((event) => {
        if (event.type !== "updated" || event.action.type !== "error") return;
        const { options, state } = event.mutation;
        if (options.mutationKey?.[0] !== QUEUE || state.error instanceof QueueConflict) return;
        const wasQueued = (state.variables as QueuedChange).isLate || state.failureCount > 1;
        if (wasQueued)
          notify({ kind: "destructive", title: t("parts.notSaved"), description: t("parts.notSavedText") });
      }),
    [queries, t],
  );
}
