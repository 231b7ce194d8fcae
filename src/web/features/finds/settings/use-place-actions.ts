import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import type { OwnPlace } from "#core/finds/find.ts";
import type { Point } from "#core/geo/polyline.ts";
import { oneLine } from "#text/one-line.ts";
import { addPlace, deletePlace, type PlaceContent } from "#web/lib/backend/own-places.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { codeOf } from "#web/lib/backend/supabase.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import type { ColumnValues } from "#web/lib/changes/change.ts";
import { saveOrAsk } from "#web/lib/changes/send-unsent.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

function useReload(userId: string): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(
    () => queries.invalidateQueries({ queryKey: queryKeys.ownPlaces(userId) }),
    [queries, userId],
  );
}

interface TypedPlace {
  name: string;
  point: Point | null;
}

/** What saving a place does; for the form of one. */
export function useSavePlace(userId: string, place: OwnPlace | null, onDone: () => void) {
  const t = useTexts("finds-settings");
  const reload = useReload(userId);
  const [newId] = useState(() => crypto.randomUUID());
  return {
    run: async ({ name, point }: TypedPlace, before: TypedPlace) => {
      if (point === null) return;
      const content = { name: oneLine(name), ...point };
      try {
        // Another device may have moved the place since the person saw it.
        if (place) await movePlace(userId, { ...place, name: before.name, ...before.point }, content);
        else await addPlace({ id: newId, ...content });
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
  const reload = useReload(userId);
  const undo = async (deleted: OwnPlace) => {
    try {
      await addPlace(deleted);
    } catch (error) {
      if (codeOf(error) === "") logProblem("A deleted place could not be restored", error);
      const description = codeOf(error) === "too-many-places" ? t("places.full") : t("places.failed");
      notify({ kind: "destructive", title: t("places.notBroughtBack"), description });
    }
    await reload();
  };
  return useAction({
    run: (place: OwnPlace) => deletePlace(place.id),
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

/** Only the changed fields, so that a change of another field on another device stays. */
async function movePlace(userId: string, place: OwnPlace, { name, ...point }: PlaceContent): Promise<void> {
  const isMoved = point.latitude !== place.latitude || point.longitude !== place.longitude;
  const mine: ColumnValues = { ...(name !== place.name && { name }), ...(isMoved && point) };
  if (Object.keys(mine).length === 0) return;
  const { latitude, longitude } = place;
  const before = { name: place.name, latitude, longitude };
  await saveOrAsk({ kind: "place", userId, ofId: place.id, title: place.name, before, mine });
}
