import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "#web/components/ui/button.tsx";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { markFind, noteFind } from "../find-calls.ts";
import type { FindConflict } from "../queued-finds.ts";

/** Changes made without a connection to homes that another device changed meanwhile. The person decides about each. */
export function Conflicts({ userId }: { userId: string }) {
  const t = useTexts("finds");
  const queries = useQueryClient();
  const queryKey = queryKeys.findConflicts(userId);
  const { data: conflicts = [] } = useQuery<FindConflict[]>({ queryKey, enabled: false, queryFn: () => [] });
  const drop = (conflict: FindConflict) =>
    queries.setQueryData<FindConflict[]>(queryKey, (known = []) => known.filter((one) => one !== conflict));
  const saveMine = async (conflict: FindConflict) => {
    try {
      if (conflict.field === "mark") await markFind(conflict.listingId, conflict.mark);
      else await noteFind(conflict.listingId, conflict.note);
      drop(conflict);
      await queries.invalidateQueries({ queryKey: queryKeys.finds(userId) });
    } catch (error) {
      logProblem("A change could not be saved", error);
      notify({ kind: "destructive", title: t("failed.title"), description: t("failed.text") });
    }
  };
  return conflicts.map((conflict) => (
    <div
      key={`${conflict.field} ${conflict.homeId}`}
      role="alert"
      className="mb-4 grid gap-2 rounded-2xl border border-strong-line bg-surface px-4 py-3 text-md leading-snug"
    >
      <p className="font-semibold">{t("conflict.title", { home: conflict.title })}</p>
      <p className="wrap-anywhere whitespace-pre-line text-muted">{mineOf(conflict, t)}</p>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" onClick={() => void saveMine(conflict)}>
          {t("conflict.mine")}
        </Button>
        <Button variant="ghost" onClick={() => drop(conflict)}>
          {t("conflict.theirs")}
        </Button>
      </div>
    </div>
  ));
}

function mineOf(conflict: FindConflict, t: ReturnType<typeof useTexts<"finds">>): string {
  if (conflict.field === "mark") return t(`conflict.marks.${conflict.mark ?? "none"}`);
  return conflict.note === null ? t("conflict.noteRemoved") : t("conflict.note", { note: conflict.note });
}
