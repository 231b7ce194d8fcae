import { BusyButton } from "#web/components/form/busy-button.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { FailureNotice, FormFailure } from "#web/components/ui/failure-notice.tsx";
import type { Failure } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { FootBar } from "../form/foot-bar.tsx";

interface SaveBarProps {
  isBusy: boolean;
  failure: string | null;
  rulesFailure: Failure | null;
  onSave(): void;
  onDiscard(): void;
}

/** The page's one Save, there while something is unsaved. */
export function SaveBar({ isBusy, failure, rulesFailure, onSave, onDiscard }: SaveBarProps) {
  const t = useTexts("filter");
  return (
    <FootBar label={t("edit.unsaved")} className="mt-5 sm:bottom-card md:mt-6">
      {failure !== null && <FailureNotice message={failure} />}
      <FormFailure failure={rulesFailure} />
      <div className="flex items-center gap-2 sm:gap-4">
        <BusyButton
          variant="lantern"
          size="barLg"
          className="max-sm:text-md"
          isBusy={isBusy}
          busyText={t("edit.saving")}
          onClick={onSave}
        >
          {t("edit.save")}
        </BusyButton>
        <Button variant="ghost" size="barLg" className="max-sm:flex-none max-sm:text-md" onClick={onDiscard}>
          {t("edit.discard")}
        </Button>
        <p aria-hidden className="hidden text-sm text-muted lg:block">
          {t("edit.unsaved")}
        </p>
      </div>
    </FootBar>
  );
}
