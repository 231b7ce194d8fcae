import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { FoundHome } from "#core/finds/find.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { codeOf } from "#web/lib/backend/supabase.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { bringBackFind } from "../../find-calls.ts";

/** Treats a home that rules left out as found. */
export function useBringBack(userId: string): (find: FoundHome) => void {
  const queries = useQueryClient();
  const t = useTexts("finds");
  return useCallback(
    (find) => {
      bringBackFind(find.listingId).then(
        () => {
          notify({ kind: "success", title: t("leftOut.back") });
          for (const keyOf of [queryKeys.finds, queryKeys.watch])
            void queries.invalidateQueries({ queryKey: keyOf(userId) });
        },
        (error: unknown) => {
          if (codeOf(error) === "") logProblem("A home could not be brought back", error);
          notify({ kind: "destructive", title: t("failed.title"), description: t("leftOut.failed") });
        },
      );
    },
    [queries, userId, t],
  );
}
