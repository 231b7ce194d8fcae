import { emailFaultOf } from "#web/lib/auth/account-rules.ts";
import type { AuthMode } from "#web/lib/auth/auth-dialog.ts";
import { failureLine } from "#web/lib/auth/auth-failure.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { Form, FormFooter } from "../../components/form/form.tsx";
import { PasswordField } from "../../components/form/password-field.tsx";
import { type FieldProps, TextField } from "../../components/form/text-field.tsx";
import { useForm } from "../../components/form/use-form.ts";
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
  const form = useForm({
    savesNothing: true,
    saved: NOTHING,
    draft: { typed: draft, onTyped: onDraftChange },
    faultsOf: ({ email, password }) => {
      const fault = emailFaultOf(email.trim());
      return {
        email: fault && t(`validation.${fault}`),
        password: password === "" ? t("validation.passwordRequired") : null,
      };
    },
    run: ({ email, password }) => signInWithPassword({ email: email.trim(), password }),
    onSuccess: () => {
      onDone();
      return t("signIn.success", { returnObjects: true });
    },
    failure: (error) => ({ title: t("signIn.failure.title"), description: failureLine(error, t) }),
  });
  return (
    <Form form={form}>
      <EmailField {...form.field("email")} />
      <PasswordField
        {...form.field("password")}
        label={t("fields.password.label")}
        placeholder={t("fields.password.placeholder")}
        autoComplete="current-password"
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
      <FormFooter
        {...AUTH_FOOTER}
        form={form}
        submit={t("signIn.submit")}
        busyText={t("signIn.submitting")}
      />
    </Form>
  );
}

export function ForgotPasswordForm({ draft, onDraftChange, onSent }: DraftFormProps & { onSent(): void }) {
  const t = useTexts("auth");
  const language = useLanguage();
  const form = useForm({
    savesNothing: true,
    saved: NOTHING,
    draft: { typed: draft, onTyped: onDraftChange },
    faultsOf: ({ email }) => {
      const fault = emailFaultOf(email.trim());
      return { email: fault && t(`validation.${fault}`) };
    },
    run: ({ email }) => requestReset(email.trim(), language),
    onSuccess: () => {
      onSent();
      return t("forgotPassword.success", { returnObjects: true });
    },
    failure: t("forgotPassword.failure", { returnObjects: true }),
  });
  return (
    <Form form={form}>
      <EmailField {...form.field("email")} />
      <FormFooter
        {...AUTH_FOOTER}
        form={form}
        submit={t("forgotPassword.submit")}
        busyText={t("forgotPassword.submitting")}
      />
    </Form>
  );
}

export const NOTHING: Draft = { fullName: "", email: "", password: "" };

/** One wide button in the light of the lantern. */
export const AUTH_FOOTER = { variant: "lantern", size: "lg", className: "w-full" } as const;

type EmailFieldProps = Omit<FieldProps, "label">;

export function EmailField(props: EmailFieldProps) {
  const t = useTexts("auth");
  return (
    <TextField
      label={t("fields.email.label")}
      placeholder={t("fields.email.placeholder")}
      type="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      required
      {...props}
    />
  );
}
