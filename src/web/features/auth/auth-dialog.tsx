import { Dialog, DialogContent, DialogTitle } from "../../components/ui/dialog.tsx";
import type { AuthMode } from "../../lib/auth-dialog.ts";
import { useTexts } from "../../lib/use-texts.ts";

interface AuthDialogProps {
  mode: AuthMode;
  onModeChange(mode: AuthMode): void;
  onClose(): void;
}

export function AuthDialog({ mode, onClose }: AuthDialogProps) {
  const t = useTexts("common");
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent closeLabel={t("dialog.close")} aria-describedby={undefined}>
        <DialogTitle className="text-2xl font-bold tracking-tight">
          {mode === "signup" ? t("header.signUp") : t("header.signIn")}
        </DialogTitle>
      </DialogContent>
    </Dialog>
  );
}
