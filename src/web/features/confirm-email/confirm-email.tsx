import { CircleCheck } from "lucide-react";
import { useEffect, useRef } from "react";
import { useLinkInAddress } from "#web/lib/auth/use-link-in-address.ts";
import { authDataOf, codeOf, createSecondClient, loadSupabase } from "#web/lib/backend/supabase.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { FailureNotice } from "../../components/failure-notice.tsx";
import { LocalLink } from "../../components/local-link.tsx";
import { NightScene } from "../../components/night-scene.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { Button } from "../../components/ui/button.tsx";

/**
 * Opened by the link that proves an added address. It waits for a click: a mail scanner must not add an address that its
 * owner never asked for.
 */
export function ConfirmEmail() {
  const t = useTexts("auth");
  const link = useLinkInAddress();
  const { isBusy, data: email, error, run } = useAction({ run: confirmAddress, failure: null });
  const problem = problemOf(link, error);
  useFocusOnHeading(email ?? problem);
  if (email !== undefined) {
    return (
      <NightScene title={t("confirmEmail.done.title")}>
        <p role="status" className="flex gap-3 text-muted wrap-anywhere">
          <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-good" />
          {t("confirmEmail.done.description", { email })}
        </p>
        <Button variant="lantern" size="lg" asChild>
          <LocalLink to="/profile">{t("confirmEmail.done.profile")}</LocalLink>
        </Button>
      </NightScene>
    );
  }
  if (problem !== null) {
    const retry = problem === "unexpected" && link?.kind === "token" ? () => run(link.tokenHash) : null;
    return (
      <NightScene title={t("confirmEmail.problem.title")}>
        <FailureNotice message={t(`confirmEmail.problem.${problem}`)} />
        {retry && (
          <SubmitButton
            type="button"
            variant="lantern"
            size="lg"
            isBusy={isBusy}
            busyText={t("confirmEmail.submitting")}
            onClick={retry}
          >
            {t("confirmEmail.problem.tryAgain")}
          </SubmitButton>
        )}
        <Button variant={retry ? "ghost" : "lantern"} size="lg" asChild>
          <LocalLink to="/profile">{t("confirmEmail.done.profile")}</LocalLink>
        </Button>
        <Button variant="ghost" size="lg" asChild>
          <LocalLink to="/">{t("confirmEmail.problem.home")}</LocalLink>
        </Button>
      </NightScene>
    );
  }
  if (link?.kind !== "token") {
    return (
      <NightScene title={t("confirmEmail.pageTitle")}>
        <p role="status" className="text-muted">
          {t("confirmEmail.checking")}
        </p>
      </NightScene>
    );
  }
  return (
    <NightScene title={t("confirmEmail.pageTitle")}>
      <p className="text-muted">{t("confirmEmail.description")}</p>
      <SubmitButton
        type="button"
        variant="lantern"
        size="lg"
        className="w-full"
        isBusy={isBusy}
        busyText={t("confirmEmail.submitting")}
        onClick={() => run(link.tokenHash)}
      >
        {t("confirmEmail.submit")}
      </SubmitButton>
      <p className="text-[0.9375rem] text-muted">{t("confirmEmail.notYours")}</p>
    </NightScene>
  );
}

/** Returns the address. Who opens a mail is not signed in by it; the account that is signed in here learns its address. */
async function confirmAddress(tokenHash: string): Promise<string> {
  const second = await createSecondClient({ storageKey: "confirm-email" });
  const { user, session } = authDataOf(
    await second.auth.verifyOtp({ token_hash: tokenHash, type: "email_change" }),
  );
  // Hosted Supabase opens a session.
  if (session) await second.auth.signOut({ scope: "local" });
  const { auth } = await loadSupabase();
  const own = (await auth.getSession()).data.session;
  if (own && own.user.id === user?.id) await auth.refreshSession();
  return user?.email ?? "";
}

type Problem = "expired" | "taken" | "missing" | "unexpected";

function problemOf(link: ReturnType<typeof useLinkInAddress>, error: Error | null): Problem | null {
  if (link === undefined) return null;
  if (link?.kind === "error") return "expired";
  if (link?.kind !== "token" || link.type !== "email_change") return "missing";
  if (error === null) return null;
  const code = codeOf(error);
  if (code === "email_exists") return "taken";
  return code === "otp_expired" || code === "validation_failed" ? "expired" : "unexpected";
}

/** The clicked button is gone. */
function useFocusOnHeading(step: string | null): void {
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    const heading = document.querySelector<HTMLElement>("main h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  }, [step]);
}
