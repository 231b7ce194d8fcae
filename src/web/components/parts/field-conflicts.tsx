import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import type { Rule } from "#core/rules/rule.ts";
import { queryKeys } from "../../lib/backend/query-keys.ts";
import { logProblem } from "../../lib/browser/log.ts";
import { notify } from "../../lib/browser/toast.ts";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import type { FieldConflict } from "../../lib/offline/queue.ts";
import { enqueue } from "../../lib/offline/send-or-queue.ts";
import { Button } from "../ui/button.tsx";

type RenderRules = (rules: readonly Rule[]) => ReactNode;

interface FieldConflictsProps {
  userId: string;
  /** Puts rules into words. A page without it leaves conflicts of rules to the page of the searches. */
  renderRules?: RenderRules;
}

/** Settings changed without a connection that another device changed meanwhile. The person decides about each. */
export function FieldConflicts({ userId, renderRules }: FieldConflictsProps) {
  const t = useTexts("common");
  const queries = useQueryClient();
  const queryKey = queryKeys.conflicts(userId);
  const { data: conflicts = [] } = useQuery<FieldConflict[]>({ queryKey, enabled: false, queryFn: () => [] });
  const drop = (conflict: FieldConflict) =>
    queries.setQueryData<FieldConflict[]>(queryKey, (known = []) => known.filter((one) => one !== conflict));
  const sendMine = async (conflict: FieldConflict) => {
    const { kind, change, theirs } = conflict;
    drop(conflict);
    try {
      await enqueue(queries, kind, { ...change, fields: { ...change.fields, before: theirs } });
    } catch (error) {
      logProblem("A change could not be saved", error);
      queries.setQueryData<FieldConflict[]>(queryKey, (known = []) => [...known, conflict]);
      notify({ kind: "destructive", title: t("parts.notSaved"), description: t("parts.notSavedText") });
    }
  };
  const shown = conflicts.filter((conflict) => renderRules || !isAboutRules(conflict));
  return shown.map((conflict) => {
    const { ofId, title, mine } = conflict.change.fields;
    return (
      <div
        key={`${conflict.kind} ${ofId} ${Object.keys(mine)}`}
        role="alert"
        className="grid gap-2 rounded-2xl border border-strong-line bg-surface px-4 py-3 text-[0.9375rem] leading-snug wrap-anywhere"
      >
        <p className="font-semibold">{t("conflict.title", { what: title })}</p>
        {(["mine", "theirs"] as const).map((whose) => (
          <Value key={whose} conflict={conflict} whose={whose} renderRules={renderRules} />
        ))}
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" onClick={() => void sendMine(conflict)}>
            {t("conflict.useMine")}
          </Button>
          <Button variant="ghost" onClick={() => drop(conflict)}>
            {t("conflict.useTheirs")}
          </Button>
        </div>
      </div>
    );
  });
}

interface ValueProps {
  conflict: FieldConflict;
  whose: "mine" | "theirs";
  renderRules: RenderRules | undefined;
}

function Value({ conflict, whose, renderRules }: ValueProps) {
  const t = useTexts("common");
  const { mine } = conflict.change.fields;
  const values = whose === "mine" ? mine : conflict.theirs;
  const { rules } = values;
  if (isAboutRules(conflict) && rules) {
    return (
      <p className="text-muted">
        {t(`conflict.${whose}`, { value: "" })}
        <Suspense fallback={null}>{renderRules?.(JSON.parse(rules))}</Suspense>
      </p>
    );
  }
  const texts = Object.keys(mine).flatMap((name) => values[name] ?? []);
  const value = texts.length > 0 ? texts.join(" – ") : t("conflict.nothing");
  return <p className="text-muted">{t(`conflict.${whose}`, { value })}</p>;
}

function isAboutRules({ change }: FieldConflict): boolean {
  return "rules" in change.fields.mine;
}
