import { CircleCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { localizedPath } from "#core/languages.ts";
import { passwordFaultOf } from "#web/lib/auth/account-rules.ts";
import { type AuthFailure, authFailureOf, failureLine } from "#web/lib/auth/auth-failure.ts";
import { useSession } from "#web/lib/auth/session.ts";
import { authDataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { useFaults } from "#web/lib/browser/use-faults.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { PASSWORD_MIN_LENGTH, RESET_REDIRECT_MS } from "#web/lib/site/constants.ts";
import { FailureNotice } from "../../components/failure-notice.tsx";
import { LocalLink } from "../../components/local-link.tsx";
import { PasswordField } from "../../components/password-field.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { finishRecovery, loadRecovery } from "./recovery-session.ts";
import { ResetScene } from "./reset-scene.tsx";
import type { ResetAccount } from "./use-reset-link.ts";

type Passwords = { first: string; second: string; current: string };

export function ResetForm({ account }: { account: ResetAccount }) {
  const t = useTexts("auth");
  const [passwords, setPasswords] = useState<Passwords>({ first: "", second: "", current: "" });
  const { state, failure, isCurrentAsked, submit } = useNewPassword(passwords, account);
  const fault = passwordFaultOf(passwords.first);
  const { faultOf, onSubmit } = useFaults(
    {
      "new-password":
        fault === "passwordRequired"
          ? t("reset.form.newPasswordRequired")
          : fault && t(`validation.${fault}`),
      "confirm-password": passwords.second === "" ? t("reset.form.confirmPasswordRequired") : null,
    },
    () => void submit(),
  );
  if (state === "done") return <Done />;
  return (
    <ResetScene title={t("reset.form.title")}>
      <p className="-mt-3 text-muted">{t("reset.form.description")}</p>
      <Whose account={account} />
      <form noValidate onSubmit={onSubmit} className="grid gap-4">
        {/* Tells a password manager whose password this is. */}
        <input hidden readOnly type="email" name="email" autoComplete="username" value={account.email} />
        <PasswordField
          label={t("reset.form.newPassword")}
          placeholder={t("fields.password.newPlaceholder", { count: PASSWORD_MIN_LENGTH })}
          fault={faultOf("new-password")}
          name="new-password"
          autoComplete="new-password"
          value={passwords.first}
          onValueChange={(first) => setPasswords((current) => ({ ...current, first }))}
        />
        <PasswordField
          label={t("reset.form.confirmPassword")}
          fault={faultOf("confirm-password")}
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
            value={passwords.current}
            onValueChange={(current) => setPasswords((typed) => ({ ...typed, current }))}
          />
        )}
        {failure && <FailureNotice message={failure.message} reasons={failure.reasons} />}
        <SubmitButton
          variant="lantern"
          size="lg"
          className="w-full"
          isBusy={state === "busy"}
          busyText={t("reset.form.submitting")}
        >
          {t("reset.form.submit")}
        </SubmitButton>
        <Button variant="ghost" size="lg" asChild>
          <LocalLink to="/">{t("reset.form.cancel")}</LocalLink>
        </Button>
      </form>
    </ResetScene>
  );
}

/** A link can be anybody's: the page says whose password is about to be set, before it is. */
function Whose({ account }: { account: ResetAccount }) {
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

function useNewPassword({ first, second, current }: Passwords, account: ResetAccount) {
  const t = useTexts("auth");
  const [state, setState] = useState<"idle" | "busy" | "done">("idle");
  const [failure, setFailure] = useState<AuthFailure>();
  // Whoever came here without a link, or long after it, shows in another way that the account is theirs.
  const [isCurrentAsked, setCurrentAsked] = useState(false);
  const refuse = (title: string, reason: AuthFailure) => {
    setState("idle");
    setFailure(reason);
    notify({ kind: "destructive", title, description: failureLine(reason) });
  };
  const submit = async () => {
    if (state !== "idle") return;
    setFailure(undefined);
    const slip = slipIn({ first, second }, t);
    if (slip) {
      refuse(slip.title, { code: slip.code, message: slip.message, reasons: [] });
      return;
    }
    setState("busy");
    try {
      await setPassword(account, { password: first, ...(isCurrentAsked && { current_password: current }) });
      setState("done");
      const { title, description } = t("reset.success", { returnObjects: true });
      notify({ kind: "success", title, description });
    } catch (error) {
      const reason = authFailureOf(error, t);
      if (reason.code === "current_password_required") setCurrentAsked(true);
      if (reason.code === "") logProblem("The password was not changed", error);
      refuse(t("reset.failure.title"), { ...reason, message: messageOf(reason, t) });
    }
  };
  return { state, failure, isCurrentAsked, submit };
}

/** Where the server has no words of its own, those of this page. */
function messageOf({ message }: AuthFailure, t: ReturnType<typeof useTexts<"auth">>): string {
  return message === t("errors.unexpected") ? t("reset.failure.description") : message;
}

/** What can be seen to be wrong without asking the server. */
function slipIn(
  { first, second }: Pick<Passwords, "first" | "second">,
  t: ReturnType<typeof useTexts<"auth">>,
) {
  if (first !== second) {
    const { title, description } = t("reset.mismatch", { returnObjects: true });
    return { code: "mismatch", title, message: description };
  }
  if (first.length >= PASSWORD_MIN_LENGTH) return undefined;
  const message = t("reset.tooShort.description", { count: PASSWORD_MIN_LENGTH });
  return { code: "too_short", title: t("reset.tooShort.title"), message };
}

async function setPassword(
  { id, isOfLink }: ResetAccount,
  change: { password: string; current_password?: string },
): Promise<void> {
  const { auth } = await (isOfLink ? loadRecovery() : loadSupabase());
  authDataOf(await auth.updateUser(change));
  if (!isOfLink) return;
  // The password is set: what does not end well now costs another sign-in, and no more.
  await finishRecovery(id).catch((error: unknown) =>
    logProblem("The session of a reset link was not put away", error),
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
    <ResetScene title={t("reset.success.title")}>
      <p className="flex gap-3 text-muted">
        <CircleCheck aria-hidden className="mt-0.5 size-6 shrink-0 text-good" />
        {t("reset.success.description")}
      </p>
    </ResetScene>
  );
}
