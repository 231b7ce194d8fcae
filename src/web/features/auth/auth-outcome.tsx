import type { TFunction } from "i18next";
import { useEffect, useRef } from "react";
import { localizedPath } from "#core/languages.ts";
import { failureLine, textOfCode } from "#web/lib/auth/auth-failure.ts";
import { isNewAccount, rememberedLocation } from "#web/lib/auth/session.ts";
import { notify, type Toast } from "#web/lib/browser/toast.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { afterSignUp, destinationOfSignUp } from "./auth-calls.ts";
import type { ReturnOutcome } from "./auth-return.ts";

/** Tells the person how a return from the auth service ended, and continues to the page they wanted. */
export function AuthOutcome({ outcome }: { outcome: ReturnOutcome }) {
  const t = useTexts("auth");
  const language = useLanguage();
  const navigate = useNavigate();
  const shown = useRef<ReturnOutcome>(undefined);
  useEffect(() => {
    if (shown.current === outcome) return;
    shown.current = outcome;
    notify(toastFor(outcome, t));
    const path = destinationAfter(outcome);
    if (path !== null) void navigate(localizedPath(path, language), { replace: true });
  }, [outcome, t, language, navigate]);
  return null;
}

function toastFor(outcome: ReturnOutcome, t: ReturnType<typeof useTexts<"auth">>): Toast {
  if (outcome.kind === "signed-in") {
    const isNew = outcome.isSignUp || isNewAccount(outcome.user);
    const { title, description } = t(isNew ? "signUp.success" : "signIn.success", { returnObjects: true });
    return { kind: "success", title, description };
  }
  if (outcome.kind === "confirmed") {
    return { kind: "success", ...t("signUp.confirmed", { returnObjects: true }) };
  }
  const title = outcome.trip ? t("google.failure.title") : t("signIn.failure.title");
  if (outcome.kind === "failed") {
    return { kind: "destructive", title, description: failureLine(outcome.error, t) };
  }
  if (outcome.trip) return { kind: "destructive", title, description: googleErrorText(outcome, t) };
  return { kind: "destructive", title, description: textOfCode(outcome.code, t) ?? t("errors.unexpected") };
}

/**
 * A confirmed address ends a sign-up and leads to the filter settings. Google leads back to the page the person wanted,
 * otherwise home; from there only a new account continues to the filter settings.
 */
function destinationAfter(outcome: ReturnOutcome): string | null {
  if (outcome.kind !== "signed-in") return null;
  if (outcome.isSignUp) return destinationOfSignUp();
  return rememberedLocation(outcome.trip) ?? (isNewAccount(outcome.user) ? afterSignUp(null) : null);
}

type GoogleError = "cancelled" | "unverifiedEmail" | "accountExists" | "expired" | "failed";

const BY_CODE = new Map<string, GoogleError>(
  Object.entries({
    access_denied: "cancelled",
    provider_email_needs_verification: "unverifiedEmail",
    email_not_confirmed: "unverifiedEmail",
    email_exists: "accountExists",
    user_already_exists: "accountExists",
    identity_already_exists: "accountExists",
    unexpected_failure: "failed",
    flow_state_expired: "expired",
    flow_state_not_found: "expired",
  }),
);

/**
 * Why the sign-in with Google failed. The description in the address is never shown: anyone can write an address, and
 * the page must not repeat their text.
 */
export function googleErrorText(given: { error: string; code: string }, t: TFunction<"auth">): string {
  const known = BY_CODE.get(given.code === "" ? given.error : given.code);
  if (known) return t(`google.errors.${known}`);
  return textOfCode(given.code, t) ?? t("google.errors.failed");
}
