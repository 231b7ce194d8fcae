import { AuthFailureNotice } from "#web/components/failure-notice.tsx";
import { SubmitButton } from "#web/components/submit-button.tsx";
import { useSession } from "#web/lib/auth/session.ts";
import { codeOf } from "#web/lib/backend/supabase.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

/** Why the account was not changed, and what to do where the server wants to know its owner here. */
export function AccountFailure({ error }: { error: Error }) {
  return codeOf(error) === "reauthentication_needed" ? (
    <GoogleConfirmation />
  ) : (
    <AuthFailureNotice error={error} />
  );
}

/** For an account without a password: a trip to Google and back to this page shows that its owner is here. */
function GoogleConfirmation() {
  const t = useTexts("account");
  const { confirmWithGoogle } = useSession();
  const { isBusy, run } = useAction({
    run: () => confirmWithGoogle("/profile"),
    failure: t("confirm.failure", { returnObjects: true }),
  });
  return (
    <div role="alert" className="grid gap-3 rounded-xl border border-line bg-background px-4 py-3">
      <p className="text-[0.9375rem] leading-snug">{t("confirm.prompt")}</p>
      <SubmitButton
        type="button"
        variant="outline"
        className="justify-self-start"
        isBusy={isBusy}
        busyText={t("confirm.button")}
        onClick={() => run()}
      >
        {t("confirm.button")}
      </SubmitButton>
    </div>
  );
}
