import { useQueryClient } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useRef, useState } from "react";
import { WARNING_KINDS, type WarningKind } from "#core/warnings/warning.ts";
import { capitalised } from "#text/labels.ts";
import { warningName } from "#text/warning-words.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { saveOrAsk } from "#web/lib/changes/send-unsent.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { Switch } from "../../../components/form/switch.tsx";
import { Panel } from "../../../components/panel.tsx";
import { FormFailure } from "../../../components/ui/failure-notice.tsx";
import type { FindSettings } from "../find-settings.ts";
import { type WarningChoice, withChoice } from "./warning-choice.ts";

interface WarningsPanelProps {
  userId: string;
  settings: FindSettings;
}

/** One switch for all warnings; one for each kind, with its reason, is folded below it. */
export function WarningsPanel({ userId, settings }: WarningsPanelProps) {
  const t = useTexts("finds-settings");
  const words = useWords("home");
  const { hiddenWarnings, choose, isBusy, data, failure } = useChooseWarnings(userId, settings);
  const isShown = (kind: WarningKind) => !hiddenWarnings.includes(kind);
  return (
    <Panel
      isSpacious
      id="warnings"
      title={t("warnings.title")}
      description={t("warnings.description")}
      aside={
        <p role="status" className="text-sm text-muted">
          {isBusy && t("saving")}
          {data && t("saved")}
        </p>
      }
    >
      <Switch
        label={t("warnings.switch")}
        isOn={WARNING_KINDS.some(isShown)}
        onTurn={(areShown) => choose({ kinds: WARNING_KINDS, areShown })}
      />
      <FormFailure failure={failure} />
      <details className="group/kinds border-t border-line">
        <summary className="flex min-h-13 cursor-pointer list-none items-center justify-between gap-4 font-semibold [&::-webkit-details-marker]:hidden">
          {t("warnings.each")}
          <ChevronDown aria-hidden className="size-5 shrink-0 text-muted group-open/kinds:rotate-180" />
        </summary>
        <div className="grid divide-y divide-line border-t border-line">
          {WARNING_KINDS.map((kind) => (
            <div key={kind} className="py-3 last:pb-0">
              <Switch
                label={capitalised(warningName(kind, words))}
                description={t(`warnings.why.${kind}`)}
                isOn={isShown(kind)}
                onTurn={(areShown) => choose({ kinds: [kind], areShown })}
              />
            </div>
          ))}
        </div>
      </details>
    </Panel>
  );
}

/** A choice shows at once, over anything loaded while it is saved. One that is made meanwhile is saved after it. */
function useChooseWarnings(userId: string, settings: FindSettings) {
  const t = useTexts("finds-settings");
  const queries = useQueryClient();
  const [wanted, setWanted] = useState<readonly WarningKind[]>();
  const latest = useRef(settings.hiddenWarnings);
  const hiddenWarnings = wanted ?? settings.hiddenWarnings;
  const saving = useAction({
    run: async (saved: readonly WarningKind[]) => {
      const of = { kind: "settings", userId, ofId: userId, title: t("warnings.title") } as const;
      try {
        for (let before = saved; before !== latest.current; ) {
          const chosen = latest.current;
          await saveOrAsk({ ...of, before: { hidden_warnings: before }, mine: { hidden_warnings: chosen } });
          before = chosen;
        }
      } finally {
        await queries.invalidateQueries({ queryKey: queryKeys.findSettings(userId) });
        setWanted(undefined);
      }
      return "saved" as const;
    },
    failure: { title: t("warnings.title"), description: t("warnings.failed") },
  });
  const choose = (choice: WarningChoice) => {
    latest.current = withChoice(hiddenWarnings, choice);
    setWanted(latest.current);
    saving.run(settings.hiddenWarnings);
  };
  return { hiddenWarnings, choose, ...saving };
}
