import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { codeOf } from "#web/lib/backend/supabase.ts";
import type { JoinOffer } from "#web/lib/backend/typed-database.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { FormFailure } from "../../components/failure-notice.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "../../components/ui/dialog.tsx";
import { joinAccounts } from "./account-calls.ts";

/** Asks whether the account that the person has just proved by Telegram is to be joined to this one. */
export function JoinDialog({ offer }: { offer: JoinOffer | null }) {
  const t = useTexts("account");
  const queries = useQueryClient();
  const [isRefused, setRefused] = useState(false);
  const join = useAction({
    run: joinAccounts,
    onSuccess: async () => {
      // Everything of the account may have changed.
      await queries.invalidateQueries();
      return t("telegram.join.success", { returnObjects: true });
    },
    failure: (error) => {
      const words = t("telegram.join.failure", { returnObjects: true });
      return codeOf(error) === "account-held" ? { ...words, description: t("telegram.join.held") } : words;
    },
  });
  if (offer === null || isRefused) return null;
  const name = offer.full_name ?? t("telegram.join.unnamed");
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && setRefused(true)}>
      <DialogContent closeLabel={t("telegram.join.cancel")}>
        <div className="grid gap-5">
          <div className="grid gap-1.5 pr-10">
            <DialogTitle className="text-2xl">{t("telegram.join.title")}</DialogTitle>
            <DialogDescription>{t("telegram.join.description", { name })}</DialogDescription>
          </div>
          <JoinedThings offer={offer} />
          <FormFailure failure={join.failure} />
          <div className="grid gap-2 sm:grid-cols-2">
            <Button
              variant="outline"
              className="h-auto! min-h-11 px-3! py-2 whitespace-normal!"
              onClick={() => setRefused(true)}
            >
              {t("telegram.join.cancel")}
            </Button>
            <SubmitButton
              type="button"
              className="h-auto! min-h-11 px-3! py-2 whitespace-normal!"
              isBusy={join.isBusy}
              busyText={t("telegram.join.submitting")}
              onClick={() => join.run()}
            >
              {t("telegram.join.submit")}
            </SubmitButton>
          </div>
        </div>
      </DialogContent>
    </Dialog>
  );
}

function JoinedThings({ offer }: { offer: JoinOffer }) {
  const t = useTexts("account");
  const { paused_searches: paused, email } = offer;
  const moving = (["searches", "chats", "marks"] as const).filter((thing) => offer[thing] > 0);
  return (
    <div className="grid gap-3 text-[0.9375rem] empty:hidden">
      {moving.length > 0 && (
        <>
          <p>{t("telegram.join.moves")}</p>
          <ul className="grid list-disc gap-1 pl-5">
            {moving.map((thing) => (
              <li key={thing}>{t(`telegram.join.${thing}`, { count: offer[thing] })}</li>
            ))}
          </ul>
        </>
      )}
      {paused > 0 && <p>{t("telegram.join.paused", { count: paused })}</p>}
      {offer.ends_mail_address && <p>{t("telegram.join.mailAddress")}</p>}
      {email !== null && <p>{t("telegram.join.email", { email })}</p>}
    </div>
  );
}
