import { useSession } from "#web/lib/auth/session.ts";
import { useAttempt } from "#web/lib/browser/use-attempt.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { SubmitButton } from "../../components/submit-button.tsx";

/** For an account without a password: a trip to Google and back to this page shows that its owner is here. */
export function GoogleConfirmation() {
  const t = useTexts("account");
  const { confirmWithGoogle } = useSession();
  const { isBusy, run } = useAttempt(t("confirm.failure", { returnObjects: true }));
  return (
    <div role="alert" className="grid gap-3 rounded-xl border border-line bg-background px-4 py-3">
      <p className="text-[0.9375rem] leading-snug">{t("confirm.prompt")}</p>
      <SubmitButton
        type="button"
        variant="outline"
        className="justify-self-start"
        isBusy={isBusy}
        busyText={t("confirm.button")}
        onClick={() => void run(() => confirmWithGoogle("/profile"))}
      >
        {t("confirm.button")}
      </SubmitButton>
    </div>
  );
}
