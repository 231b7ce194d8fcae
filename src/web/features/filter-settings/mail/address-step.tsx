import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "#web/components/form/confirm-dialog.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { codeOf } from "#web/lib/backend/supabase.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { CopyField } from "./copy-field.tsx";
import { renewMailAddress } from "./mail-calls.ts";

export function AddressStep({ userId, address }: { userId: string; address: string }) {
  const t = useTexts("alert-mails");
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <p className="text-md text-muted">{t("address.text")}</p>
      <CopyField label={t("address.label")} value={address} />
      <Button
        variant="link"
        size="line"
        aria-haspopup="dialog"
        aria-expanded={isAsking}
        onClick={() => setAsking(true)}
      >
        {t("address.renew")}
      </Button>
      {isAsking && <RenewDialog userId={userId} onClose={() => setAsking(false)} />}
    </>
  );
}

function RenewDialog({ userId, onClose }: { userId: string; onClose(): void }) {
  const t = useTexts("alert-mails");
  const { isBusy, failure, run } = useNewAddress(userId, () => {
    onClose();
    return t("address.renewed", { returnObjects: true });
  });
  return (
    <ConfirmDialog
      title={t("address.dialog.title")}
      text={t("address.dialog.text")}
      stay={t("address.dialog.keep")}
      act={{ text: t("address.dialog.confirm"), busyText: t("beginning"), isBusy, onAct: () => run() }}
      failure={failure}
      onClose={onClose}
    />
  );
}

export function useNewAddress(
  userId: string,
  onSuccess: () => { title: string; description: string } | undefined,
) {
  const t = useTexts("alert-mails");
  const queries = useQueryClient();
  return useAction({
    run: async () => {
      await renewMailAddress();
      await queries.invalidateQueries({ queryKey: queryKeys.alertMails(userId) });
    },
    onSuccess,
    failure: (error) =>
      t(codeOf(error) === "too-many-addresses" ? "address.tooMany" : "address.failed", {
        returnObjects: true,
      }),
  });
}
