import { ConfirmDialog } from "#web/components/form/confirm-dialog.tsx";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

export function LeaveDialog({ onStay, onLeave }: { onStay(): void; onLeave(): void }) {
  const t = useTexts("filter");
  return (
    <ConfirmDialog
      title={t("leave.title")}
      text={t("leave.text")}
      stay={t("leave.stay")}
      act={{ text: t("leave.leave"), onAct: onLeave }}
      onClose={onStay}
    />
  );
}
