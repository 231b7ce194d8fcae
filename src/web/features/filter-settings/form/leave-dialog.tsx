import { Button } from "#web/components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "#web/components/ui/dialog.tsx";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

export function LeaveDialog({ onStay, onLeave }: { onStay(): void; onLeave(): void }) {
  const t = useTexts("filter");
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onStay()}>
      <DialogContent closeLabel={t("leave.stay")} role="alertdialog">
        <div className="grid gap-6">
          <div className="grid gap-2 pr-10">
            <DialogTitle className="text-2xl">{t("leave.title")}</DialogTitle>
            <DialogDescription className="text-muted">{t("leave.text")}</DialogDescription>
          </div>
          <div className="grid gap-2 sm:grid-cols-2">
            <Button onClick={onStay}>{t("leave.stay")}</Button>
            <Button variant="outline" className="border-tile text-tile" onClick={onLeave}>
              {t("leave.leave")}
            </Button>
          </div>
        </div>
      </DialogContent>
    </Dialog>
  );
}
