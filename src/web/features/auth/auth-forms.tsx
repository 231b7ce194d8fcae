import type { FormEvent, ReactNode } from "react";
import { emailFaultOf } from "#web/lib/auth/account-rules.ts";
import type { AuthMode } from "#web/lib/auth/auth-dialog.ts";
import { failureLine } from "#web/lib/auth/auth-failure.ts";
import { type Failure, useAction } from "#web/lib/browser/use-action.ts";
import { useFaults } from "#web/lib/browser/use-faults.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { FormFailure } from "../../components/failure-notice.tsx";
import { PasswordField } from "../../components/password-field.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { TextField } from "../../components/text-field.tsx";
import { Button } from "../../components/ui/button.tsx";
import { requestReset, signInWithPassword } from "./auth-calls.ts";

/** The typed values, kept when the form changes or fails. */
export interface Draft {
  fullName: string;
  email: string;
  password: string;
}

export interface DraftFormProps {
  draft: Draft;
  onDraftChange(change: Partial<Draft>): void;
}

export interface SignFormProps extends DraftFormProps {
  onModeChange(mode: AuthMode): void;
  onDone(): void;
}

export function SignInForm({ draft, onDraftChange, onModeChange, onDone }: SignFormProps) {
  const t = useTexts("auth");
  const email = draft.email.trim();
  const emailFault = emailFaultOf(email);
  const signIn = useAction({
    run: () => signInWithPassword({ email, password: draft.password }),
    onSuccess: () => {
      onDone();
      return t("signIn.success", { returnObjects: true });
    },
    failure: (error) => ({ title: t("signIn.failure.title"), description: failureLine(error, t) }),
  });
  const { faultOf, onSubmit } = useFaults(
    {
      email: emailFault && t(`validation.${emailFault}`),
      password: draft.password === "" ? t("validation.passwordRequired") : null,
    },
    signIn.run,
  );
  return (
    <AuthForm
      onSubmit={onSubmit}
      isBusy={signIn.isBusy}
      failure={signIn.failure}
      busyText={t("signIn.submitting")}
      submitText={t("signIn.submit")}
    >
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
    </AuthForm>
  );
}

export function ForgotPasswordForm({ draft, onDraftChange, onSent }: DraftFormProps & { onSent(): void }) {
  const t = useTexts("auth");
  const language = useLanguage();
  const email = draft.email.trim();
  const emailFault = emailFaultOf(email);
  const request = useAction({
    run: () => requestReset(email, language),
    onSuccess: () => {
      onSent();
      return t("forgotPassword.success", { returnObjects: true });
    },
    failure: t("forgotPassword.failure", { returnObjects: true }),
  });
  const { faultOf, onSubmit } = useFaults(
    { email: emailFault && t(`validation.${emailFault}`) },
    request.run,
  );
  return (
    <AuthForm
      onSubmit={onSubmit}
      isBusy={request.isBusy}
      failure={request.failure}
      busyText={t("forgotPassword.submitting")}
      submitText={t("forgotPassword.submit")}
    >
      <EmailField draft={draft} onDraftChange={onDraftChange} fault={faultOf("email")} />
    </AuthForm>
  );
}

interface AuthFormProps {
  onSubmit(event: FormEvent<HTMLFormElement>): void;
  isBusy: boolean;
  /** Null also if a field shows it. */
  failure: Failure | null;
  busyText: string;
  submitText: string;
  children: ReactNode;
  footer?: ReactNode;
}

export function AuthForm({
  onSubmit,
  isBusy,
  failure,
  busyText,
  submitText,
  children,
  footer,
}: AuthFormProps) {
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4">
      {children}
      <FormFailure failure={failure} />
      <SubmitButton variant="lantern" size="lg" className="w-full" isBusy={isBusy} busyText={busyText}>
        {submitText}
      </SubmitButton>
      {footer}
    </form>
  );
}

interface EmailFieldProps extends DraftFormProps {
  fault: string | undefined;
  aside?: ReactNode;
}

export function EmailField({ draft, onDraftChange, fault, aside }: EmailFieldProps) {
  const t = useTexts("auth");
  return (
    <TextField
      label={t("fields.email.label")}
      placeholder={t("fields.email.placeholder")}
      fault={fault}
      aside={aside}
      type="email"
      name="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      required
      value={draft.email}
      onValueChange={(email) => onDraftChange({ email })}
    />
  );
}
