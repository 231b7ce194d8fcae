import { notifyManager, useMutationState, useQueryClient } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useId, useRef, useState } from "react";
import { WARNING_KINDS, type WarningKind } from "#core/warnings/warning.ts";
import { warningName } from "#text/warning-words.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { QUEUE, useIsWaiting } from "#web/lib/offline/queue.ts";
import { sendOrQueue } from "#web/lib/offline/send-or-queue.ts";
import { Panel } from "../../../components/panel.tsx";
import { Switch } from "../../../components/switch.tsx";
import { ChoiceStrip } from "../../../components/ui/choice-strip.tsx";
import type { FindSettings } from "../find-settings.ts";
import { QUEUED_WARNING, type WarningChange } from "./queued-settings.ts";
import {
  type ChosenWarnings,
  choiceOf,
  WARNING_CHOICES,
  type WarningChoice,
  type WarningSettings,
  withChoice,
} from "./warning-choices.ts";

interface WarningsPanelProps {
  userId: string;
  settings: FindSettings;
}

/** One switch for all warnings; each kind, with its reason and what to do with such listings, is folded below it. */
export function WarningsPanel({ userId, settings }: WarningsPanelProps) {
  const t = useTexts("finds-settings");
  const { shown, choose, status } = useChooseSign(userId, settings);
  const kindsWith = (choice: WarningChoice) =>
    WARNING_KINDS.filter((kind) => choiceOf(kind, shown) === choice);
  const isOn = kindsWith("shown").length > 0;
  return (
    <Panel
      isSpacious
      id="signs"
      title={t("signs.title")}
      description={t("signs.description")}
      aside={
        <p role="status" className="text-sm text-muted">
          {status === "pending" && t("saving")}
          {status === "success" && t("saved")}
          {status === "queued" && t("willBeSaved")}
        </p>
      }
    >
      <Switch
        label={t("signs.switch")}
        isOn={isOn}
        onTurn={(next) =>
          choose({ kinds: kindsWith(next ? "off" : "shown"), choice: next ? "shown" : "off" })
        }
      />
      {status === "error" && (
        <p role="alert" className="font-medium text-tile">
          {t("signs.failed")}
        </p>
      )}
      <details className="group/kinds border-t border-line">
        <summary className="flex min-h-13 cursor-pointer list-none items-center justify-between gap-4 font-semibold [&::-webkit-details-marker]:hidden">
          {t("signs.each")}
          <ChevronDown aria-hidden className="size-5 shrink-0 text-muted group-open/kinds:rotate-180" />
        </summary>
        <dl className="grid gap-1 pb-4 text-[0.9375rem] leading-snug text-muted">
          {WARNING_CHOICES.map((choice) => (
            <div key={choice}>
              <dt className="inline font-semibold text-ink">
                {t("signs.label", { choice: t(`signs.choices.${choice}`) })}
              </dt>{" "}
              <dd className="inline">{t(`signs.explained.${choice}`)}</dd>
            </div>
          ))}
        </dl>
        <div className="grid divide-y divide-line border-t border-line">
          {WARNING_KINDS.map((kind) => (
            <WarningRow
              key={kind}
              kind={kind}
              choice={choiceOf(kind, shown)}
              onChoose={(choice) => choose({ kinds: [kind], choice })}
            />
          ))}
        </div>
      </details>
    </Panel>
  );
}

interface WarningRowProps {
  kind: WarningKind;
  choice: WarningChoice;
  onChoose(choice: WarningChoice): void;
}

function WarningRow({ kind, choice, onChoose }: WarningRowProps) {
  const t = useTexts("finds-settings");
  const words = useWords("home");
  const id = useId();
  return (
    <fieldset
      aria-labelledby={`${id}-name`}
      aria-describedby={`${id}-why`}
      className="grid min-w-0 gap-x-6 gap-y-3 py-4 last:pb-0 sm:grid-cols-[1fr_16rem] sm:items-center"
    >
      <div className="grid min-w-0 gap-1">
        <p id={`${id}-name`} className="leading-tight font-semibold first-letter:uppercase">
          {warningName(kind, words)}
        </p>
        <p id={`${id}-why`} className="text-[0.9375rem] leading-snug text-muted">
          {t(`signs.why.${kind}`)}
        </p>
      </div>
      <ChoiceStrip
        label={warningName(kind, words)}
        choices={WARNING_CHOICES.map((value) => ({ value, text: t(`signs.choices.${value}`) }))}
        chosen={choice}
        onChoose={onChoose}
      />
    </fieldset>
  );
}

/**
 * A choice shows at once, over anything loaded while it is saved. Choices are saved one after the other, each applied
 * to the settings saved by then.
 */
function useChooseSign(userId: string, settings: FindSettings) {
  const queries = useQueryClient();
  const [status, setStatus] = useState<"idle" | "pending" | "success" | "queued" | "error">("idle");
  const beingSaved = useMutationState({
    filters: { mutationKey: [QUEUE, QUEUED_WARNING.kind, userId], status: "pending" },
    select: ({ state }) => state.variables as WarningChange,
  });
  const [tapped, setTapped] = useState<WarningChange>();
  const latest = useRef<WarningChange>(undefined);
  const choose = (choice: ChosenWarnings) => {
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
  const shown = chosen.reduce<WarningSettings>(withChoice, settings);
  // A queued change that has been sent since is saved.
  const shownStatus = status === "queued" && !isWaiting ? "success" : status;
  return { shown, choose, status: isWaiting ? "queued" : shownStatus };
}
