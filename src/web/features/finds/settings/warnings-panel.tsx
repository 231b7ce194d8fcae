import { useQueryClient } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useRef, useState } from "react";
import { WARNING_KINDS, type WarningKind } from "#core/warnings/warning.ts";
import { capitalised } from "#text/labels.ts";
import { warningName } from "#text/warning-words.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { saveOrAsk } from "#web/lib/changes/send-unsent.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { Switch } from "../../../components/form/switch.tsx";
import { Panel } from "../../../components/panel.tsx";
import type { FindSettings } from "../find-settings.ts";
import { type WarningChoice, withChoice } from "./warning-choice.ts";

interface WarningsPanelProps {
  userId: string;
  settings: FindSettings;
}

/** One switch for all warnings; one for each kind, with its reason, is folded below it. */
export function WarningsPanel({ userId, settings }: WarningsPanelProps) {
  const t = useTexts("finds-settings");
  const common = useTexts("common");
  const words = useWords("home");
  const { hiddenWarnings, choose, status } = useChooseWarnings(userId, settings);
  const isShown = (kind: WarningKind) => !hiddenWarnings.includes(kind);
  return (
    <Panel
      isSpacious
      id="warnings"
      title={t("warnings.title")}
      description={t("warnings.description")}
      aside={
        <p role="status" className="text-sm text-muted">
          {status === "pending" && t("saving")}
          {status === "success" && t("saved")}
        </p>
      }
    >
      <Switch
        label={t("warnings.switch")}
        isOn={WARNING_KINDS.some(isShown)}
        onTurn={(areShown) => choose({ kinds: WARNING_KINDS, areShown })}
      />
      {status === "error" && (
        <p role="alert" className="font-medium text-tile">
          {navigator.onLine ? t("warnings.failed") : common("parts.offlineUnsaved")}
        </p>
      )}
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

/** A choice shows at once, over anything loaded while it is saved. Choices are saved one after the other. */
function useChooseWarnings(userId: string, settings: FindSettings) {
  const t = useTexts("finds-settings");
  const queries = useQueryClient();
  const queryKey = queryKeys.findSettings(userId);
  const [status, setStatus] = useState<"idle" | "pending" | "success" | "error">("idle");
  const [wanted, setWanted] = useState<readonly WarningKind[]>();
  const saving = useRef(Promise.resolve());
  const latest = useRef<readonly WarningKind[]>(undefined);
  const hiddenWarnings = wanted ?? settings.hiddenWarnings;
  const save = async (before: readonly WarningKind[], chosen: readonly WarningKind[]) => {
    let outcome: typeof status = "success";
    try {
      await saveOrAsk({
        ...{ kind: "settings", userId, ofId: userId, title: t("warnings.title") },
        ...{ before: { hidden_warnings: before }, mine: { hidden_warnings: chosen } },
      });
    } catch (error) {
      logProblem("A warning setting could not be saved", error);
      outcome = "error";
    }
    if (latest.current !== chosen) return;
    await queries.invalidateQueries({ queryKey });
    setStatus(outcome);
    setWanted(undefined);
  };
  const choose = (choice: WarningChoice) => {
    const chosen = withChoice(hiddenWarnings, choice);
    latest.current = chosen;
    setWanted(chosen);
    setStatus("pending");
    saving.current = saving.current.then(() => save(hiddenWarnings, chosen));
  };
  return { hiddenWarnings, choose, status };
}
