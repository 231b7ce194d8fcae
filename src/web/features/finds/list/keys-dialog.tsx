import { Checkbox } from "#web/components/form/checkbox.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "#web/components/ui/dialog.tsx";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { LIST_KEYS } from "./use-list-keys.ts";

interface KeysDialogProps {
  isOn: boolean;
  onTurn(isOn: boolean): void;
  onClose(): void;
}

/** The keyboard shortcuts, and a switch for people who use speech input and would press them by accident. */
export function KeysDialog({ isOn, onTurn, onClose }: KeysDialogProps) {
  const t = useTexts("finds");
  const common = useTexts("common");
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent closeLabel={common("dialog.close")}>
        <DialogTitle className="pr-10 text-xl">{t("keys.title")}</DialogTitle>
        <DialogDescription className="mt-1 text-md text-muted">{t("keys.description")}</DialogDescription>
        <dl className="mt-5 grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2.5">
          {LIST_KEYS.map((key) => (
            <div key={key} className="contents">
              <dt>
                <kbd className="grid size-9 place-items-center rounded-lg border border-strong-line bg-background font-sans font-semibold">
                  {key}
                </kbd>
              </dt>
              <dd>{t(`keys.${key === "?" ? "help" : key}`)}</dd>
            </div>
          ))}
        </dl>
        <div className="mt-5 border-t border-line pt-3">
          <Checkbox label={t("keys.isOn")} isChecked={isOn} onCheckedChange={onTurn} />
        </div>
      </DialogContent>
    </Dialog>
  );
}
