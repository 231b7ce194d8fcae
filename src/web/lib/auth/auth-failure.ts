import type { TFunction } from "i18next";
import { codeOf } from "../backend/supabase.ts";
import { PASSWORD_MIN_LENGTH } from "../site/constants.ts";

/** What went wrong, in the reader's language; for a weak password also what it lacks. */
interface AuthFailure {
  message: string;
  reasons: string[];
}

type Texts = TFunction<"auth">;

/**
 * Reads any error that supabase-js returned or threw. Known codes are translated; the server's own text is the last
 * resort.
 */
export function authFailureOf(error: unknown, t: Texts): AuthFailure {
  const reasons: unknown = error instanceof Error && "reasons" in error ? error.reasons : [];
  return {
    message: messageFor(error, t),
    reasons: Array.isArray(reasons) ? reasons.flatMap((reason) => reasonText(reason, t)) : [],
  };
}

export function failureLine(error: unknown, t: Texts): string {
  const { message, reasons } = authFailureOf(error, t);
  return [message, ...reasons].join(" ");
}

function messageFor(error: unknown, t: Texts): string {
  if (!(error instanceof Error)) return t("errors.unexpected");
  const { name, message } = error;
  if (name === "AuthRetryableFetchError") {
    return "status" in error && error.status ? t("errors.serverUnavailable") : t("errors.network");
  }
  // Each browser has its own message for a failed fetch.
  if (name === "TypeError" && /fetch|load failed|network/i.test(message)) return t("errors.network");
  if (name === "AuthSessionMissingError") return t("errors.sessionMissing");
  if (name === "AuthInvalidCredentialsError") return t("errors.missingCredentials");
  const code = codeOf(error);
  // "For security purposes, you can only request this after 42 seconds."
  const seconds = code === "over_email_send_rate_limit" ? /after (\d+) second/.exec(message)?.[1] : undefined;
  if (seconds !== undefined) return t("errors.retryAfterSeconds", { count: Number(seconds) });
  const translated = textOfCode(code, t);
  if (translated !== undefined) return translated;
  // Without an Auth name it is a bug of ours, and its message does not help the reader.
  return name.startsWith("Auth") && message && message !== "{}" ? message : t("errors.unexpected");
}

export function textOfCode(code: string, t: Texts): string | undefined {
  const known: Record<string, string> = t("errors.codes", { returnObjects: true });
  return Object.hasOwn(known, code) ? known[code] : undefined;
}

function reasonText(reason: unknown, t: Texts): string[] {
  if (reason === "length") return [t("weakPassword.reasons.length", { count: PASSWORD_MIN_LENGTH })];
  const known = ["characters", "pwned", "common", "email"] as const;
  const found = known.find((name) => name === reason);
  return found ? [t(`weakPassword.reasons.${found}`)] : [];
}
