import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { OwnPlace } from "#core/finds/find.ts";
import type { Point } from "#core/geo/polyline.ts";
import { oneLine } from "#text/one-line.ts";
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

/** What saving a place does; for the form of one. */
export function useSavePlace(userId: string, place: OwnPlace | null, onDone: () => void) {
  const t = useTexts("finds-settings");
  const queries = useQueryClient();
  const reload = useReload(userId);
  return {
    run: async ({ name, point }: { name: string; point: Point | null }) => {
      if (point === null) return;
      try {
        await savePlace(queries, { userId, place, content: { name: oneLine(name), ...point } });
      } finally {
        await reload();
      }
    },
    onSuccess: () => {
      onDone();
      return undefined;
    },
    failure: (error: Error) => ({
      title: t("places.notSaved"),
      description: codeOf(error) === "too-many-places" ? t("places.full") : t("places.failed"),
    }),
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
