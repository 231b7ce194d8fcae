import { BusyButton } from "#web/components/form/busy-button.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { FailureNotice } from "#web/components/ui/failure-notice.tsx";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { FootBar } from "../form/foot-bar.tsx";
import type { Save } from "../form/use-save.ts";

interface SaveBarProps {
  /** The form that the bar saves. */
  formId: string;
  isDirty: boolean;
  save: Save;
  onDiscard(): void;
}

/** On a phone always there; on a larger screen while something is unsaved. */
export function SaveBar({ formId, isDirty, save, onDiscard }: SaveBarProps) {
  const t = useTexts("filter");
  return (
    <FootBar
      label={isDirty ? t("edit.unsaved") : undefined}
      className={isDirty ? "mt-5 sm:bottom-card md:mt-6" : "mt-5 sm:hidden sideways:grid"}
    >
      {save.failure !== null && <FailureNotice message={save.failure} />}
      <div className="flex items-center gap-2 sm:gap-4">
        <BusyButton
          type="submit"
          form={formId}
          variant={isDirty ? "lantern" : "solid"}
          size="lg"
          className={BUTTON}
          disabled={!isDirty}
          isBusy={save.isBusy}
          busyText={t("edit.saving")}
        >
          {t("edit.save")}
        </BusyButton>
        {isDirty && (
          <>
            <Button variant="ghost" size="lg" className={BUTTON} onClick={onDiscard}>
              {t("edit.discard")}
            </Button>
            <p aria-hidden className="hidden text-sm text-muted lg:block">
              {t("edit.unsaved")}
            </p>
          </>
        )}
      </div>
    </FootBar>
  );
}

const BUTTON = "min-w-0 flex-1 px-3! sm:flex-none sm:px-7! sideways:min-h-11";
