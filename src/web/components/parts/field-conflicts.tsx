import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense } from "react";
import type { Rule } from "#core/rules/rule.ts";
import { queryKeys } from "../../lib/backend/query-keys.ts";
import { logProblem } from "../../lib/browser/log.ts";
import { notify } from "../../lib/browser/toast.ts";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import type { FieldConflict } from "../../lib/offline/queue.ts";
import { enqueue } from "../../lib/offline/send-or-queue.ts";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useRulesInWords } from "./use-rules-in-words.ts";

/** Settings changed without a connection that another device changed meanwhile. The person decides about each. */
export function FieldConflicts({ userId }: { userId: string }) {
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
  return conflicts.map((conflict) => {
    const { ofId, title, mine } = conflict.change.fields;
    return (
      <div
        key={`${conflict.kind} ${ofId} ${Object.keys(mine)}`}
        role="alert"
        className="grid gap-2 rounded-2xl border border-strong-line bg-surface px-4 py-3 text-[0.9375rem] leading-snug wrap-anywhere"
      >
        <p className="font-semibold">{t("conflict.title", { what: title })}</p>
        <Suspense fallback={<Skeleton className="h-10 rounded-lg" />}>
          {(["mine", "theirs"] as const).map((whose) => (
            <Value key={whose} userId={userId} conflict={conflict} whose={whose} />
          ))}
        </Suspense>
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
  userId: string;
  conflict: FieldConflict;
  whose: "mine" | "theirs";
}

function Value({ conflict, whose, ...props }: ValueProps) {
  const { mine } = conflict.change.fields;
  const values = whose === "mine" ? mine : conflict.theirs;
  const { rules = null } = values;
  const texts = Object.keys(mine).flatMap((name) => values[name] ?? []);
  return "rules" in mine && rules !== null ? (
    <RulesLine whose={whose} rules={JSON.parse(rules)} {...props} />
  ) : (
    <ValueLine whose={whose} text={texts.join(" – ")} />
  );
}

function RulesLine({ userId, whose, rules }: Omit<ValueProps, "conflict"> & { rules: readonly Rule[] }) {
  return <ValueLine whose={whose} text={useRulesInWords(userId, rules)} />;
}

function ValueLine({ whose, text }: Pick<ValueProps, "whose"> & { text: string }) {
  const t = useTexts("common");
  return (
    <p className="text-muted">
      {t(`conflict.${whose}`, { value: text === "" ? t("conflict.nothing") : text })}
    </p>
  );
}
