import type { ReactNode } from "react";
import type { Failure } from "../../lib/browser/use-action.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "../ui/dialog.tsx";
import { FormFailure } from "../ui/failure-notice.tsx";
import { BusyButton } from "./busy-button.tsx";

interface ConfirmDialogProps {
  title: string;
  text: string;
  /** The way out, which also closes the dialog. */
  stay: string;
  act: { text: string; busyText?: string; isBusy?: boolean; onAct(): void };
  failure?: Failure | null;
  onClose(): void;
  children?: ReactNode;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ title, text, stay, act, failure, onClose, children }: ConfirmDialogProps) {
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent closeLabel={stay} role="alertdialog">
        <div className="grid gap-6">
          <div className="grid gap-2 pr-10">
            <DialogTitle className="text-2xl">{title}</DialogTitle>
            <DialogDescription className="text-muted">{text}</DialogDescription>
          </div>
          {children}
          <FormFailure failure={failure ?? null} />
          <div className="grid gap-2 sm:grid-cols-2">
            <Button onClick={onClose}>{stay}</Button>
            <BusyButton
              variant="danger"
              isBusy={act.isBusy ?? false}
              busyText={act.busyText ?? act.text}
              onClick={act.onAct}
            >
              {act.text}
            </BusyButton>
          </div>
        </div>
      </DialogContent>
    </Dialog>
  );
}
