import type { ReactNode } from "react";
import { Trans } from "react-i18next";
import { type Location, useLocation, useNavigate } from "react-router";
import type { Language } from "#core/languages.ts";
import { localizedPath } from "#core/languages.ts";
import { emailFaultOf, fullNameFaultOf, passwordFaultOf } from "#web/lib/auth/account-rules.ts";
import type { AuthMode } from "#web/lib/auth/auth-dialog.ts";
import { rememberedLocation } from "#web/lib/auth/remembered-location.ts";
import { useConfig } from "#web/lib/backend/use-config.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { useAttempt } from "#web/lib/browser/use-attempt.ts";
import { type Faults, useFaults } from "#web/lib/browser/use-faults.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { PASSWORD_MIN_LENGTH } from "#web/lib/site/constants.ts";
import { FailureNotice } from "../../components/failure-notice.tsx";
import { Field } from "../../components/field.tsx";
import { PasswordField } from "../../components/password-field.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { signUp } from "./auth-calls.ts";
import type { Draft, DraftFormProps } from "./draft.ts";
import { EmailField } from "./email-field.tsx";

interface SignUpFormProps extends DraftFormProps {
  onModeChange(mode: AuthMode): void;
  onDone(): void;
}

const ALREADY_HERE = new Set(["user_already_exists", "email_exists"]);

export function SignUpForm({ draft, onDraftChange, onModeChange, onDone }: SignUpFormProps) {
  const t = useTexts("auth");
  const { isBusy, failure, submit } = useSignUp(draft, onDone);
  const { faultOf, onSubmit } = useFaults(useSignUpFaults(draft), submit);
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4">
      <Field
        label={t("fields.fullName.label")}
        placeholder={t("fields.fullName.placeholder")}
        fault={faultOf("name")}
        name="name"
        autoComplete="name"
        autoCapitalize="words"
        required
        value={draft.fullName}
        onValueChange={(fullName) => onDraftChange({ fullName })}
      />
      <EmailField draft={draft} onDraftChange={onDraftChange} fault={faultOf("email")} />
      <PasswordField
        label={t("fields.password.label")}
        placeholder={t("fields.password.newPlaceholder", { count: PASSWORD_MIN_LENGTH })}
        fault={faultOf("password")}
        name="password"
        autoComplete="new-password"
        value={draft.password}
        onValueChange={(password) => onDraftChange({ password })}
      />
      {failure && (
        <FailureNotice message={failure.message} reasons={failure.reasons}>
          {ALREADY_HERE.has(failure.code) && (
            <Button
              variant="link"
              size="inline"
              className="justify-self-start"
              onClick={() => onModeChange("signin")}
            >
              {t("signUp.switchAction")}
            </Button>
          )}
        </FailureNotice>
      )}
      <SubmitButton
        variant="lantern"
        size="lg"
        className="w-full"
        isBusy={isBusy}
        busyText={t("signUp.submitting")}
      >
        {t("signUp.submit")}
      </SubmitButton>
      <LegalStatement />
    </form>
  );
}

function useSignUp(draft: Draft, onDone: () => void) {
  const t = useTexts("auth");
  const language = useLanguage();
  const navigate = useNavigate();
  const forgetDestination = useForgetDestination();
  const { isBusy, failure, run } = useAttempt({ title: t("signUp.failure.title") });
  const submit = async () => {
    const email = draft.email.trim();
    const person = { fullName: draft.fullName.trim(), email, password: draft.password };
    let isSignedIn = false;
    const restoreDestination = await forgetDestination();
    const isDone = await run(async () => {
      isSignedIn = await signUp(person, language);
    });
    if (!isDone) {
      await restoreDestination();
      return;
    }
    onDone();
    notify({
      kind: "success",
      title: t("signUp.success.title"),
      description: isSignedIn
        ? t("signUp.success.description")
        : t("signUp.success.confirmDescription", { email }),
    });
    if (isSignedIn) await navigate(localizedPath("/filter-settings", language));
  };
  return { isBusy, failure, submit: () => void submit() };
}

/** A new account goes to its filter, wherever the person was going; one that was not made leaves things as they were. */
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

function useSignUpFaults(draft: Draft): Faults {
  const t = useTexts("auth");
  const name = fullNameFaultOf(draft.fullName.trim());
  const email = emailFaultOf(draft.email.trim());
  const password = passwordFaultOf(draft.password);
  return {
    name: name && t(`validation.${name}`),
    email: email && t(`validation.${email}`),
    password: password && t(`validation.${password}`),
  };
}

/** The product's site has its terms in English and in Spanish alone. */
function legalAddress(siteUrl: string, page: "terms" | "privacy", language: Language): string {
  const prefix = language === "es" ? "/es" : "";
  return `${siteUrl.replace(/\/+$/, "")}${prefix}/${page}`;
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
