import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { OwnPlace } from "#core/finds/find.ts";
import type { PlaceContent } from "#web/lib/backend/own-places.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { codeOf } from "#web/lib/backend/supabase.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { removePlace, savePlace } from "./queued-places.ts";

function useReload(userId: string): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(
    () => queries.invalidateQueries({ queryKey: queryKeys.ownPlaces(userId) }),
    [queries, userId],
  );
}

/** Reports a failure in the form, and keeps the typed values. */
export function useSavePlace(userId: string, place: OwnPlace | null, onDone: () => void) {
  const t = useTexts("finds-settings");
  const queries = useQueryClient();
  const reload = useReload(userId);
  const { status, error, mutate } = useMutation({
    networkMode: "always",
    mutationFn: async (content: PlaceContent) => {
      await savePlace(queries, { userId, place, content });
      await reload();
    },
    onSuccess: onDone,
    onError: (failed) => {
      if (codeOf(failed) === "") logProblem("A place could not be saved", failed);
      void reload();
    },
  });
  const words = () => (codeOf(error) === "too-many-places" ? t("places.full") : t("places.failed"));
  return {
    isBusy: status === "pending",
    failure: error ? words() : null,
    run: (content: PlaceContent) => {
      if (status !== "pending") mutate(content);
    },
  };
}

/** Deletes at once; for some seconds a toast offers to restore the place. */
export function useDeletePlace(userId: string) {
  const t = useTexts("finds-settings");
  const queries = useQueryClient();
  const reload = useReload(userId);
  const undo = async ({ name, latitude, longitude }: OwnPlace) => {
    try {
      await savePlace(queries, { userId, place: null, content: { name, latitude, longitude } });
    } catch (error) {
      if (codeOf(error) === "") logProblem("A deleted place could not be restored", error);
      const description = codeOf(error) === "too-many-places" ? t("places.full") : t("places.failed");
      notify({ kind: "destructive", title: t("places.notBroughtBack"), description });
    }
    await reload();
  };
  return useAction({
    run: (place: OwnPlace) => removePlace(queries, userId, place),
    onSuccess: async (_, deleted) => {
      await reload();
      notify({
        kind: "success",
        title: t("places.deleted", { name: deleted.name }),
        action: { label: t("places.undo"), onAction: () => void undo(deleted) },
      });
      return undefined;
    },
    failure: { title: t("places.notDeleted"), description: t("places.failed") },
  });
}
