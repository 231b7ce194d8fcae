import { CircleCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { localizedPath } from "#core/languages.ts";
import { passwordFaultOf } from "#web/lib/auth/account-rules.ts";
import { authFailureOf } from "#web/lib/auth/auth-failure.ts";
import { useSession } from "#web/lib/auth/session.ts";
import { authDataOf, codeOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { type Failure, useAction } from "#web/lib/browser/use-action.ts";
import { useFaults } from "#web/lib/browser/use-faults.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { PASSWORD_MIN_LENGTH, RESET_REDIRECT_MS } from "#web/lib/site/constants.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { FormFailure } from "../../components/failure-notice.tsx";
import { LocalLink } from "../../components/local-link.tsx";
import { NightScene } from "../../components/night-scene.tsx";
import { PasswordField } from "../../components/password-field.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { finishRecovery, loadRecovery } from "./recovery-session.ts";
import type { ResetAccount } from "./use-reset-link.ts";

type Passwords = { first: string; second: string; current: string };

export function ResetForm({ account }: { account: ResetAccount }) {
  const t = useTexts("auth");
  const [passwords, setPasswords] = useState<Passwords>({ first: "", second: "", current: "" });
  const { isBusy, isDone, refused, isCurrentAsked, run } = useNewPassword(passwords, account);
  const fault = passwordFaultOf(passwords.first);
  const { faultOf, onSubmit } = useFaults(
    {
      "new-password":
        fault === "passwordRequired"
          ? t("reset.form.newPasswordRequired")
          : fault && t(`validation.${fault}`),
      "confirm-password": passwords.second === "" ? t("reset.form.confirmPasswordRequired") : null,
    },
    () => run(passwords),
  );
  if (isDone) return <Done />;
  return (
    <NightScene title={t("reset.form.title")}>
      <p className="-mt-3 text-muted">{t("reset.form.description")}</p>
      <AccountName account={account} />
      <form noValidate onSubmit={onSubmit} className="grid gap-4">
        {/* Tells password managers which account this is. */}
        <input hidden readOnly type="email" name="email" autoComplete="username" value={account.email} />
        <PasswordField
          label={t("reset.form.newPassword")}
          placeholder={t("fields.password.newPlaceholder", { count: PASSWORD_MIN_LENGTH })}
          fault={faultOf("new-password") ?? refused.first}
          name="new-password"
          autoComplete="new-password"
          value={passwords.first}
          onValueChange={(first) => setPasswords((current) => ({ ...current, first }))}
        />
        <PasswordField
          label={t("reset.form.confirmPassword")}
          fault={faultOf("confirm-password") ?? refused.second}
          name="confirm-password"
          autoComplete="new-password"
          value={passwords.second}
          onValueChange={(second) => setPasswords((current) => ({ ...current, second }))}
        />
        {isCurrentAsked && (
          <PasswordField
            label={t("reset.form.currentPassword")}
            name="current-password"
            autoComplete="current-password"
            fault={refused.current}
            value={passwords.current}
            onValueChange={(current) => setPasswords((typed) => ({ ...typed, current }))}
          />
        )}
        <FormFailure failure={refused.form} />
        <SubmitButton
          variant="lantern"
          size="lg"
          className="w-full"
          isBusy={isBusy}
          busyText={t("reset.form.submitting")}
        >
          {t("reset.form.submit")}
        </SubmitButton>
        <Button variant="ghost" size="lg" asChild>
          <LocalLink to="/">{t("reset.form.cancel")}</LocalLink>
        </Button>
      </form>
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
  ["same_password", "first"],
  ["weak_password", "first"],
  ["current_password_required", "current"],
  ["current_password_invalid", "current"],
]);

function useNewPassword(typed: Passwords, account: ResetAccount) {
  const t = useTexts("auth");
  // Without a recent link the server asks for the current password.
  const [isCurrentAsked, setCurrentAsked] = useState(false);
  const wordsOf = (error: Error) => {
    if (error instanceof FormError) return { title: error.title, description: error.message };
    const { message } = authFailureOf(error, t);
    // If the server gives no reason, use the page's own text.
    const isUnexpected = message === t("errors.unexpected");
    return {
      title: t("reset.failure.title"),
      description: isUnexpected ? t("reset.failure.description") : message,
    };
  };
  const { isBusy, data, error, failedInput, failure, run } = useAction({
    run: async ({ first, second, current }: Passwords) => {
      if (first !== second) throw new FormError("second", t("reset.mismatch", { returnObjects: true }));
      if (first.length < PASSWORD_MIN_LENGTH) {
        const description = t("reset.tooShort.description", { count: PASSWORD_MIN_LENGTH });
        throw new FormError("first", { title: t("reset.tooShort.title"), description });
      }
      try {
        await setPassword(account, { password: first, ...(isCurrentAsked && { current_password: current }) });
      } catch (failed) {
        if (codeOf(failed) === "current_password_required") setCurrentAsked(true);
        throw failed;
      }
      return "done";
    },
    onSuccess: () => t("reset.success", { returnObjects: true }),
    failure: wordsOf,
  });
  return {
    isBusy,
    isDone: data === "done",
    refused: refusalOf({ failure, reasons: authFailureOf(error, t).reasons, error, failedInput }, typed),
    isCurrentAsked,
    run,
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
  const isKept = failedInput?.[field] === typed[field] && failedInput.first === typed.first;
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
