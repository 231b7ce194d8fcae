import { Mail } from "lucide-react";
import { SubmitButton } from "#web/components/submit-button.tsx";
import { useSession } from "#web/lib/auth/session.ts";
import { useConfig } from "#web/lib/backend/config.ts";
import { codeOf } from "#web/lib/backend/supabase.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { mailAlertSteps } from "./mail-calls.ts";

/** On a phone: the mailbox's own settings, where most of the steps are done, need a computer. */
export function MailToMyself() {
  const t = useTexts("alert-mails");
  const email = useSession().user?.email ?? "";
  const canMail = useConfig()?.sendsMail ?? false;
  const { isBusy, run } = useAction({
    run: mailAlertSteps,
    onSuccess: () => ({
      title: t("mailed.sent.title"),
      description: t("mailed.sent.description", { email }),
    }),
    failure: (error) =>
      t(codeOf(error) === "too-many-mails" ? "mailed.tooMany" : "mailed.failed", { returnObjects: true }),
  });
  if (!canMail || email === "") return null;
  return (
    <div className="grid gap-3 rounded-xl border border-line bg-background p-4 sm:hidden">
      <p className="text-[0.9375rem]">{t("mailed.text")}</p>
      <SubmitButton
        type="button"
        variant="outline"
        className="h-auto! min-h-11 justify-self-start py-2 whitespace-normal!"
        isBusy={isBusy}
        busyText={t("mailed.sending")}
        onClick={() => run()}
      >
        <Mail aria-hidden className="size-4.5" />
        {t("mailed.button")}
      </SubmitButton>
    </div>
  );
}
