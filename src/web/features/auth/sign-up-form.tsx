import type { ReactNode } from "react";
import { Trans } from "react-i18next";
import { type Location, useLocation } from "react-router";
import { localizedPath } from "#core/languages.ts";
import { legalAddress } from "#core/legal-address.ts";
import { emailFaultOf, fullNameFaultOf, passwordFaultOf } from "#web/lib/auth/account-rules.ts";
import { authFailureOf } from "#web/lib/auth/auth-failure.ts";
import { rememberedLocation } from "#web/lib/auth/session.ts";
import { useConfig } from "#web/lib/backend/config.ts";
import { codeOf } from "#web/lib/backend/supabase.ts";
import type { Failure } from "#web/lib/browser/use-action.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { PASSWORD_MIN_LENGTH } from "#web/lib/site/constants.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { Form, FormFooter } from "../../components/form/form.tsx";
import { PasswordField } from "../../components/form/password-field.tsx";
import { TextField } from "../../components/form/text-field.tsx";
import type { Faults } from "../../components/form/use-faults.ts";
import { useForm } from "../../components/form/use-form.ts";
import { Button } from "../../components/ui/button.tsx";
import { afterSignUp, signUp } from "./auth-calls.ts";
import { AUTH_FOOTER, type Draft, EmailField, NOTHING, type SignFormProps } from "./auth-forms.tsx";

const ALREADY_HERE = ["user_already_exists", "email_exists"];
const ABOUT_EMAIL = [...ALREADY_HERE, "email_address_invalid", "email_address_not_authorized"];

export function SignUpForm({ draft, onDraftChange, onModeChange, onDone }: SignFormProps) {
  const t = useTexts("auth");
  const form = useForm({
    savesNothing: true,
    saved: NOTHING,
    draft: { typed: draft, onTyped: onDraftChange },
    faultsOf: useSignUpFaults(),
    ...useSignUp({ onDone, onModeChange }),
  });
  const refused = useRefusal(form, draft);
  const email = form.field("email");
  const password = form.field("password");
  return (
    <Form form={form}>
      <TextField
        {...form.field("fullName")}
        label={t("fields.fullName.label")}
        placeholder={t("fields.fullName.placeholder")}
        autoComplete="name"
        autoCapitalize="words"
        required
      />
      <EmailField
        {...email}
        fault={email.fault ?? refused.emailFault}
        aside={
          refused.isAlreadyHere && (
            <Button
              variant="link"
              size="inline"
              className="-my-2 py-2 text-sm font-medium"
              onClick={() => onModeChange("signin")}
            >
              {t("signUp.switchAction")}
            </Button>
          )
        }
      />
      <PasswordField
        {...password}
        label={t("fields.password.label")}
        placeholder={t("fields.password.newPlaceholder", { count: PASSWORD_MIN_LENGTH })}
        fault={password.fault ?? refused.passwordFault}
        autoComplete="new-password"
      />
      <FormFooter
        {...AUTH_FOOTER}
        form={{ ...form, failure: refused.failure }}
        submit={t("signUp.submit")}
        busyText={t("signUp.submitting")}
      />
      <LegalStatement />
    </Form>
  );
}

function useSignUp({ onDone, onModeChange }: Pick<SignFormProps, "onDone" | "onModeChange">) {
  const t = useTexts("auth");
  const language = useLanguage();
  const navigate = useNavigate();
  const wanted = rememberedLocation(useLocation().state);
  const forgetDestination = useForgetDestination();
  return {
    run: async ({ fullName, email, password }: Draft) => {
      const restoreDestination = await forgetDestination();
      const person = { fullName: fullName.trim(), email: email.trim(), password };
      try {
        return { isSignedIn: await signUp(person, language), target: afterSignUp(wanted) };
      } catch (error) {
        await restoreDestination();
        throw error;
      }
    },
    onSuccess: ({ isSignedIn, target }: { isSignedIn: boolean; target: string }, { email }: Draft) => {
      onDone();
      if (isSignedIn) void navigate(localizedPath(target, language));
      const { title, description } = t("signUp.success", { returnObjects: true });
      return {
        title,
        description: isSignedIn
          ? description
          : t("signUp.success.confirmDescription", { email: email.trim() }),
      };
    },
    failure: (error: Error) => ({
      title: t("signUp.failure.title"),
      description: authFailureOf(error, t).message,
      ...(ALREADY_HERE.includes(codeOf(error)) && {
        action: { label: t("signUp.switchAction"), onAction: () => onModeChange("signin") },
      }),
    }),
  };
}

interface Refused {
  error: Error | null;
  failedInput: Draft | undefined;
  failure: Failure | null;
}

/** What the server objected to: at its field until that changes, or in the form. */
function useRefusal({ error, failedInput, failure }: Refused, draft: Draft) {
  const t = useTexts("auth");
  const { message, reasons } = authFailureOf(error, t);
  const isAboutEmail = ABOUT_EMAIL.includes(codeOf(error));
  const isEmailKept = failedInput?.email === draft.email;
  return {
    emailFault: isAboutEmail && isEmailKept ? message : undefined,
    isAlreadyHere: isEmailKept && ALREADY_HERE.includes(codeOf(error)),
    passwordFault: failedInput?.password === draft.password ? reasons.join(" ") || undefined : undefined,
    failure: isAboutEmail || reasons.length > 0 ? null : failure,
  };
}

/** A sign-up leads to the filter settings, so the remembered page is dropped; it is restored if the sign-up fails. */
function useForgetDestination() {
  const navigate = useNavigate();
  const { pathname, search, hash, state }: Location<unknown> = useLocation();
  return async () => {
    if (rememberedLocation(state) === null) return async () => undefined;
    const keepState = async (kept: unknown) =>
      navigate(pathname + search + hash, { replace: true, preventScrollReset: true, state: kept });
    await keepState(null);
    return () => keepState(state);
  };
}

function useSignUpFaults(): (typed: Draft) => Faults {
  const t = useTexts("auth");
  return (typed) => {
    const name = fullNameFaultOf(typed.fullName.trim());
    const email = emailFaultOf(typed.email.trim());
    const password = passwordFaultOf(typed.password);
    return {
      fullName: name && t(`validation.${name}`),
      email: email && t(`validation.${email}`),
      password: password && t(`validation.${password}`),
    };
  };
}

function LegalStatement() {
  const t = useTexts("auth");
  const siteUrl = useConfig()?.legalSiteUrl ?? "";
  const language = useLanguage();
  return (
    <p className="text-sm text-muted">
      <Trans
        t={t}
        i18nKey="signUp.agree"
        components={{
          terms: <LegalLink href={legalAddress(siteUrl, "terms", language)} />,
          privacy: <LegalLink href={legalAddress(siteUrl, "privacy", language)} />,
        }}
      />
    </p>
  );
}

function LegalLink({ href, children }: { href: string; children?: ReactNode }) {
  const t = useTexts("auth");
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener"
      className="text-ink underline decoration-ink/35 underline-offset-2 hover:decoration-ink"
    >
      {children}
      <span className="sr-only"> ({t("dialog.opensInNewTab")})</span>
    </a>
  );
}
