import { emailFaultOf } from "#web/lib/auth/account-rules.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { useAttempt } from "#web/lib/browser/use-attempt.ts";
import { useFaults } from "#web/lib/browser/use-faults.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { FailureNotice } from "../../components/failure-notice.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { requestReset } from "./auth-calls.ts";
import type { DraftFormProps } from "./draft.ts";
import { EmailField } from "./email-field.tsx";

export function ForgotPasswordForm({ draft, onDraftChange, onSent }: DraftFormProps & { onSent(): void }) {
  const t = useTexts("auth");
  const language = useLanguage();
  const { isBusy, failure, run } = useAttempt({
    title: t("forgotPassword.failure.title"),
    description: t("forgotPassword.failure.description"),
  });
  const email = draft.email.trim();
  const emailFault = emailFaultOf(email);
  const submit = async () => {
    if (!(await run(() => requestReset(email, language)))) return;
    onSent();
    notify({
      kind: "success",
      title: t("forgotPassword.success.title"),
      description: t("forgotPassword.success.description"),
    });
  };
  const { faultOf, onSubmit } = useFaults(
    { email: emailFault && t(`validation.${emailFault}`) },
    () => void submit(),
  );
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4">
      <EmailField draft={draft} onDraftChange={onDraftChange} fault={faultOf("email")} />
      {failure && <FailureNotice message={failure.message} />}
      <SubmitButton
        variant="lantern"
        size="lg"
        className="w-full"
        isBusy={isBusy}
        busyText={t("forgotPassword.submitting")}
      >
        {t("forgotPassword.submit")}
      </SubmitButton>
    </form>
  );
}
