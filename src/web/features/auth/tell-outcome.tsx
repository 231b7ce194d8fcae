import { useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { localizedPath } from "#core/languages.ts";
import auth from "#locales/en/auth.json";
import { authFailureOf, failureLine } from "../../lib/auth-failure.ts";
import { registerEnglish } from "../../lib/english.ts";
import { rememberedLocation } from "../../lib/remembered-location.ts";
import { isNewAccount } from "../../lib/session.ts";
import { notify, type Toast } from "../../lib/toast.ts";
import { useLanguage, useTexts } from "../../lib/use-texts.ts";
import type { ReturnOutcome } from "./auth-return.ts";
import { googleErrorText } from "./google-error-text.ts";

registerEnglish("auth", auth);

/** Says how a return from the auth service ended, and leads on to where the person had been going. */
export function TellOutcome({ outcome }: { outcome: ReturnOutcome }) {
  const t = useTexts("auth");
  const language = useLanguage();
  const navigate = useNavigate();
  const told = useRef<ReturnOutcome>(undefined);
  useEffect(() => {
    if (told.current === outcome) return;
    told.current = outcome;
    notify(toastFor(outcome, t));
    const path = destinationAfter(outcome);
    if (path !== null) void navigate(localizedPath(path, language), { replace: true });
  }, [outcome, t, language, navigate]);
  return null;
}

function toastFor(outcome: ReturnOutcome, t: ReturnType<typeof useTexts<"auth">>): Toast {
  if (outcome.kind === "signed-in") {
    const { title, description } = t(isNewAccount(outcome.user) ? "signUp.success" : "signIn.success", {
      returnObjects: true,
    });
    return { kind: "success", title, description };
  }
  if (outcome.kind === "confirmed") {
    return { kind: "success", ...t("signUp.confirmed", { returnObjects: true }) };
  }
  const title = outcome.trip ? t("google.failure.title") : t("signIn.failure.title");
  if (outcome.kind === "failed") {
    return { kind: "destructive", title, description: failureLine(authFailureOf(outcome.error, t)) };
  }
  if (outcome.trip) return { kind: "destructive", title, description: googleErrorText(outcome, t) };
  const codes: Record<string, string> = t("errors.codes", { returnObjects: true });
  const known = Object.hasOwn(codes, outcome.code) ? codes[outcome.code] : undefined;
  return { kind: "destructive", title, description: known ?? t("errors.unexpected") };
}

/** A confirmed address ends a sign-up, which leads to the filter; Google leads back to where one was going. */
function destinationAfter(outcome: ReturnOutcome): string | null {
  if (outcome.kind !== "signed-in") return null;
  if (outcome.isSignUp) return "/filter-settings";
  return rememberedLocation(outcome.trip);
}
