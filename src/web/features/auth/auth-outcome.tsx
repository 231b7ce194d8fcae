import type { TFunction } from "i18next";
import { useEffect, useRef } from "react";
import { localizedPath } from "#core/languages.ts";
import { failureLine, textOfCode } from "#web/lib/auth/auth-failure.ts";
import { PROVIDERS, type ProviderName } from "#web/lib/auth/providers.ts";
import { isNewAccount, rememberedLocation } from "#web/lib/auth/session.ts";
import { notify, type Toast } from "#web/lib/browser/toast.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { afterSignUp } from "./auth-calls.ts";
import type { ReturnOutcome } from "./auth-return.ts";

type SignedIn = Extract<ReturnOutcome, { kind: "signed-in" }>;

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
    const { title, description } = t(isMade(outcome) ? "signUp.success" : "signIn.success", {
      returnObjects: true,
    });
    return { kind: "success", title, description };
  }
  const title = outcome.trip ? t(`${outcome.trip.provider}.failure.title`) : t("signIn.failure.title");
  if (outcome.kind === "failed") {
    return { kind: "destructive", title, description: failureLine(outcome.error, t) };
  }
  const { trip, code } = outcome;
  if (trip) return { kind: "destructive", title, description: providerErrorText(trip.provider, outcome, t) };
  return { kind: "destructive", title, description: textOfCode(code, t) ?? t("errors.unexpected") };
}

/** Whether the trip to the provider created the account. */
function isMade({ user, trip }: SignedIn): boolean {
  return trip !== null && isNewAccount(user, PROVIDERS[trip.provider].id);
}

/**
 * A provider leads back to the page the person wanted, otherwise home; from there only a new account continues to the filter
 * settings.
 */
function destinationAfter(outcome: ReturnOutcome): string | null {
  if (outcome.kind !== "signed-in") return null;
  return rememberedLocation(outcome.trip) ?? (isMade(outcome) ? afterSignUp(null) : null);
}

type ProviderErrorKey = "cancelled" | "expired" | "failed";

const BY_CODE = new Map<string, ProviderErrorKey>(
  Object.entries({
    access_denied: "cancelled",
    unexpected_failure: "failed",
    flow_state_expired: "expired",
    flow_state_not_found: "expired",
  }),
);

/** Telegram knows no addresses. */
const ABOUT_ADDRESS = new Map<string, "unverifiedEmail" | "accountExists">(
  Object.entries({
    provider_email_needs_verification: "unverifiedEmail",
    email_not_confirmed: "unverifiedEmail",
    email_exists: "accountExists",
    user_already_exists: "accountExists",
    identity_already_exists: "accountExists",
  }),
);

/**
 * Why the sign-in with a provider failed. The description in the address is never shown: anyone can write an address,
 * and the page must not repeat their text.
 */
export function providerErrorText(
  provider: ProviderName,
  given: { error: string; code: string },
  t: TFunction<"auth">,
): string {
  const said = given.code === "" ? given.error : given.code;
  const known = BY_CODE.get(said);
  if (known) return t(`${provider}.errors.${known}`);
  if (said === "identity_already_exists" && provider === "telegram") return t("telegram.errors.ownAccount");
  const aboutAddress = ABOUT_ADDRESS.get(said);
  if (aboutAddress && provider === "google") return t(`google.errors.${aboutAddress}`);
  return textOfCode(given.code, t) ?? t(`${provider}.errors.failed`);
}
