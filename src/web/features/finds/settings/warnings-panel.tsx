import { notifyManager, useMutationState, useQueryClient } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useRef, useState } from "react";
import { WARNING_KINDS, type WarningKind } from "#core/warnings/warning.ts";
import { capitalised } from "#text/labels.ts";
import { warningName } from "#text/warning-words.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { QUEUE, useIsWaiting } from "#web/lib/offline/queue.ts";
import { sendOrQueue } from "#web/lib/offline/send-or-queue.ts";
import { Switch } from "../../../components/form/switch.tsx";
import { Panel } from "../../../components/panel.tsx";
import type { FindSettings } from "../find-settings.ts";
import {
  QUEUED_WARNING,
  type WarningChange,
  type WarningChoice,
  type WarningSettings,
  withChoice,
} from "./queued-settings.ts";

interface WarningsPanelProps {
  userId: string;
  settings: FindSettings;
}

/** One switch for all warnings; one for each kind, with its reason, is folded below it. */
export function WarningsPanel({ userId, settings }: WarningsPanelProps) {
  const t = useTexts("finds-settings");
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
          {status === "queued" && t("willBeSaved")}
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
          {t("warnings.failed")}
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

/**
 * A choice shows at once, over anything loaded while it is saved. Choices are saved one after the other, each applied
 * to the settings saved by then.
 */
function useChooseWarnings(userId: string, settings: FindSettings) {
  const queries = useQueryClient();
  const [status, setStatus] = useState<"idle" | "pending" | "success" | "queued" | "error">("idle");
  const beingSaved = useMutationState({
    filters: { mutationKey: [QUEUE, QUEUED_WARNING.kind, userId], status: "pending" },
    select: ({ state }) => state.variables as WarningChange,
  });
  const [tapped, setTapped] = useState<WarningChange>();
  const latest = useRef<WarningChange>(undefined);
  const choose = (choice: WarningChoice) => {
    const chosen: WarningChange = { userId, ...choice };
    // Renders within the tap; the mutation's own state change is queued before the reset below.
    setTapped(chosen);
    setStatus("pending");
    latest.current = chosen;
    const settle = (next: typeof status) => {
      if (latest.current === chosen) setStatus(next);
    };
    sendOrQueue(queries, QUEUED_WARNING, chosen).then(
      (outcome) => settle(outcome === "sent" ? "success" : "queued"),
      (error: unknown) => {
        logProblem("A warning setting could not be saved", error);
        settle("error");
      },
    );
    notifyManager.schedule(() => setTapped((current) => (current === chosen ? undefined : current)));
  };
  const isWaiting = useIsWaiting((kind) => kind === QUEUED_WARNING.kind);
  const chosen = tapped ? [...beingSaved, tapped] : beingSaved;
  const { hiddenWarnings } = chosen.reduce<WarningSettings>(withChoice, settings);
  // A queued change that has been sent since is saved.
  const shownStatus = status === "queued" && !isWaiting ? "success" : status;
  return { hiddenWarnings, choose, status: isWaiting ? "queued" : shownStatus };
}
