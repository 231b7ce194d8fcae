import { emailFaultOf } from "#web/lib/auth/account-rules.ts";
import type { AuthMode } from "#web/lib/auth/auth-dialog.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { useAttempt } from "#web/lib/browser/use-attempt.ts";
import { useFaults } from "#web/lib/browser/use-faults.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { FailureNotice } from "../../components/failure-notice.tsx";
import { PasswordField } from "../../components/password-field.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { signInWithPassword } from "./auth-calls.ts";
import type { DraftFormProps } from "./draft.ts";
import { EmailField } from "./email-field.tsx";

interface SignInFormProps extends DraftFormProps {
  onModeChange(mode: AuthMode): void;
  onDone(): void;
}

export function SignInForm({ draft, onDraftChange, onModeChange, onDone }: SignInFormProps) {
  const t = useTexts("auth");
  const { isBusy, failure, run } = useAttempt({ title: t("signIn.failure.title") });
  const email = draft.email.trim();
  const emailFault = emailFaultOf(email);
  const submit = async () => {
    const isIn = await run(() => signInWithPassword({ email, password: draft.password }));
    if (!isIn) return;
    onDone();
    notify({
      kind: "success",
      title: t("signIn.success.title"),
      description: t("signIn.success.description"),
    });
  };
  const { faultOf, onSubmit } = useFaults(
    {
      email: emailFault && t(`validation.${emailFault}`),
      password: draft.password === "" ? t("validation.passwordRequired") : null,
    },
    () => void submit(),
  );
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4">
      <EmailField draft={draft} onDraftChange={onDraftChange} fault={faultOf("email")} />
      <PasswordField
        label={t("fields.password.label")}
        placeholder={t("fields.password.placeholder")}
        fault={faultOf("password")}
        name="password"
        autoComplete="current-password"
        value={draft.password}
        onValueChange={(password) => onDraftChange({ password })}
        aside={
          <Button
            variant="link"
            size="inline"
            className="-my-2 py-2 text-sm font-medium"
            onClick={() => onModeChange("forgot-password")}
          >
            {t("signIn.forgotPassword")}
          </Button>
        }
      />
      {failure && <FailureNotice message={failure.message} reasons={failure.reasons} />}
      <SubmitButton
        variant="lantern"
        size="lg"
        className="w-full"
        isBusy={isBusy}
        busyText={t("signIn.submitting")}
      >
        {t("signIn.submit")}
      </SubmitButton>
    </form>
  );
}
