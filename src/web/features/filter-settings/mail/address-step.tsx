import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormFailure } from "#web/components/failure-notice.tsx";
import { SubmitButton } from "#web/components/submit-button.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "#web/components/ui/dialog.tsx";
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
      <p className="text-[0.9375rem] text-muted">{t("address.text")}</p>
      <CopyField label={t("address.label")} value={address} />
      <Button
        variant="link"
        size="inline"
        className="min-h-11 justify-self-start text-left text-[0.9375rem] whitespace-normal!"
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
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent closeLabel={t("address.dialog.keep")} role="alertdialog">
        <div className="grid gap-6">
          <div className="grid gap-2 pr-10">
            <DialogTitle className="text-2xl">{t("address.dialog.title")}</DialogTitle>
            <DialogDescription className="text-muted">{t("address.dialog.text")}</DialogDescription>
          </div>
          <FormFailure failure={failure} />
          <div className="grid gap-2 sm:grid-cols-2">
            <Button className="h-auto! min-h-11 py-2 whitespace-normal!" onClick={onClose}>
              {t("address.dialog.keep")}
            </Button>
            <SubmitButton
              type="button"
              variant="outline"
              className="h-auto! min-h-11 border-tile py-2 whitespace-normal! text-tile"
              isBusy={isBusy}
              busyText={t("beginning")}
              onClick={() => run()}
            >
              {t("address.dialog.confirm")}
            </SubmitButton>
          </div>
        </div>
      </DialogContent>
    </Dialog>
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
