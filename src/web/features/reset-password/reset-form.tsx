import { CircleCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { localizedPath } from "#core/languages.ts";
import { passwordFaultOf } from "#web/lib/auth/account-rules.ts";
import { authFailureOf } from "#web/lib/auth/auth-failure.ts";
import { useSession } from "#web/lib/auth/session.ts";
import { authDataOf, codeOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import type { Failure } from "#web/lib/browser/use-action.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { PASSWORD_MIN_LENGTH, RESET_REDIRECT_MS } from "#web/lib/site/constants.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { AccountOfPassword, Form, FormFooter } from "../../components/form/form.tsx";
import { PasswordField } from "../../components/form/password-field.tsx";
import { useForm } from "../../components/form/use-form.ts";
import { LocalLink } from "../../components/local-link.tsx";
import { NightScene } from "../../components/night-scene.tsx";
import { Button } from "../../components/ui/button.tsx";
import { finishRecovery, loadRecovery } from "./recovery-session.ts";
import type { ResetAccount } from "./use-reset-link.ts";

const NO_PASSWORDS = { "new-password": "", "confirm-password": "", "current-password": "" };
type Passwords = typeof NO_PASSWORDS;

export function ResetForm({ account }: { account: ResetAccount }) {
  const t = useTexts("auth");
  const { isCurrentAsked, ...newPassword } = useNewPassword(account);
  const form = useForm({
    saved: NO_PASSWORDS,
    faultsOf: (typed) => {
      const fault = passwordFaultOf(typed["new-password"]);
      return {
        "new-password":
          fault === "passwordRequired"
            ? t("reset.form.newPasswordRequired")
            : fault && t(`validation.${fault}`),
        "confirm-password": typed["confirm-password"] === "" ? t("reset.form.confirmPasswordRequired") : null,
      };
    },
    ...newPassword,
  });
  const refused = refusalOf({ ...form, reasons: authFailureOf(form.error, t).reasons }, form.values);
  const fieldOf = (name: keyof Passwords) => {
    const field = form.field(name);
    return { ...field, fault: field.fault ?? refused[name] };
  };
  if (form.data === "done") return <Done />;
  return (
    <NightScene title={t("reset.form.title")}>
      <p className="-mt-3 text-muted">{t("reset.form.description")}</p>
      <AccountName account={account} />
      <Form form={form}>
        <AccountOfPassword email={account.email} />
        <PasswordField
          {...fieldOf("new-password")}
          label={t("reset.form.newPassword")}
          placeholder={t("fields.password.newPlaceholder", { count: PASSWORD_MIN_LENGTH })}
          autoComplete="new-password"
        />
        <PasswordField
          {...fieldOf("confirm-password")}
          label={t("reset.form.confirmPassword")}
          autoComplete="new-password"
        />
        {isCurrentAsked && (
          <PasswordField
            {...fieldOf("current-password")}
            label={t("reset.form.currentPassword")}
            autoComplete="current-password"
          />
        )}
        <FormFooter
          form={{ ...form, failure: refused.form }}
          submit={t("reset.form.submit")}
          busyText={t("reset.form.submitting")}
          variant="lantern"
          size="lg"
          className="w-full"
        />
        <Button variant="ghost" size="lg" asChild>
          <LocalLink to="/">{t("reset.form.cancel")}</LocalLink>
        </Button>
      </Form>
    </NightScene>
  );
}

/** Names the account: anyone can send a link, so the person must see whose password they set. */
function AccountName({ account }: { account: ResetAccount }) {
  const t = useTexts("auth");
  const { user } = useSession();
  const isOther = account.isOfLink && user !== null && user.id !== account.id;
  return (
    <div className="grid gap-1 rounded-xl border border-line bg-background px-4 py-3">
      <p className="text-sm text-muted">{t("reset.form.account")}</p>
      <p translate="no" className="font-semibold wrap-anywhere">
        {account.email}
      </p>
      {account.isOfLink && <p className="text-sm text-muted">{t("reset.form.notYours")}</p>}
      {isOther && (
        <p className="text-sm text-muted wrap-anywhere">
          {t("reset.form.signedInAs", { email: user.email })}
        </p>
      )}
    </div>
  );
}

/** A mistake that can be found without asking the server. */
class FormError extends Error {
  readonly title: string;
  readonly field: keyof Passwords;
  readonly code = "form-error";
  constructor(field: keyof Passwords, words: { title: string; description: string }) {
    super(words.description);
    this.title = words.title;
    this.field = field;
  }
}

const FIELD_OF_CODE = new Map<string, keyof Passwords>([
  ["same_password", "new-password"],
  ["weak_password", "new-password"],
  ["current_password_required", "current-password"],
  ["current_password_invalid", "current-password"],
]);

function useNewPassword(account: ResetAccount) {
  const t = useTexts("auth");
  // Without a recent link the server asks for the current password.
  const [isCurrentAsked, setCurrentAsked] = useState(false);
  return {
    isCurrentAsked,
    run: async (typed: Passwords) => {
      const password = typed["new-password"];
      if (password !== typed["confirm-password"])
        throw new FormError("confirm-password", t("reset.mismatch", { returnObjects: true }));
      if (password.length < PASSWORD_MIN_LENGTH) {
        const description = t("reset.tooShort.description", { count: PASSWORD_MIN_LENGTH });
        throw new FormError("new-password", { title: t("reset.tooShort.title"), description });
      }
      try {
        const current = typed["current-password"];
        await setPassword(account, { password, ...(isCurrentAsked && { current_password: current }) });
      } catch (failed) {
        if (codeOf(failed) === "current_password_required") setCurrentAsked(true);
        throw failed;
      }
      return "done" as const;
    },
    onSuccess: () => t("reset.success", { returnObjects: true }),
    failure: (error: Error) => {
      if (error instanceof FormError) return { title: error.title, description: error.message };
      const { message } = authFailureOf(error, t);
      // If the server gives no reason, use the page's own text.
      const isUnexpected = message === t("errors.unexpected");
      return {
        title: t("reset.failure.title"),
        description: isUnexpected ? t("reset.failure.description") : message,
      };
    },
  };
}

interface Refused {
  error: Error | null;
  failure: Failure | null;
  /** What a weak password lacks. */
  reasons: string[];
  failedInput: Passwords | undefined;
}

type Refusal = { form: Failure | null } & { [field in keyof Passwords]?: string | undefined };

/** Shows the failure at its field until that or the password it was compared with changes, or in the form. */
function refusalOf({ error, failure, reasons, failedInput }: Refused, typed: Passwords): Refusal {
  const field = error instanceof FormError ? error.field : FIELD_OF_CODE.get(codeOf(error));
  if (!field) return { form: failure };
  const isKept =
    failedInput?.[field] === typed[field] && failedInput["new-password"] === typed["new-password"];
  return { form: null, [field]: isKept ? reasons.join(" ") || failure?.description : undefined };
}

async function setPassword(
  { id, isOfLink }: ResetAccount,
  change: { password: string; current_password?: string },
): Promise<void> {
  const { auth } = await (isOfLink ? loadRecovery() : loadSupabase());
  authDataOf(await auth.updateUser(change));
  if (!isOfLink) return;
  // The password is set: if this fails, the person only has to sign in again.
  await finishRecovery(id).catch((error: unknown) =>
    logProblem("The recovery session could not be replaced", error),
  );
}

function Done() {
  const t = useTexts("auth");
  const language = useLanguage();
  const navigate = useNavigate();
  useEffect(() => {
    const goHome = () => void navigate(localizedPath("/", language), { replace: true });
    const timer = setTimeout(goHome, RESET_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [navigate, language]);
  return (
    <NightScene title={t("reset.success.title")}>
      <p className="flex gap-3 text-muted">
        <CircleCheck aria-hidden className="mt-0.5 size-6 shrink-0 text-good" />
        {t("reset.success.description")}
      </p>
    </NightScene>
  );
}
