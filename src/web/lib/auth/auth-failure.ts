import type { TFunction } from "i18next";
import { PASSWORD_MIN_LENGTH } from "../site/constants.ts";

/** What went wrong, in the reader's words; for a weak password also what it lacks. */
export interface AuthFailure {
  code: string;
  message: string;
  reasons: string[];
}

type Texts = TFunction<"auth">;

/** Reads whatever supabase-js gave or threw. Known codes are translated, the server's own words are the last resort. */
export function authFailureOf(error: unknown, t: Texts): AuthFailure {
  const { name, code, status, message, reasons } = detailsOf(error);
  return {
    code,
    message: messageFor({ name, code, status, message }, t),
    reasons: reasons.flatMap((reason) => reasonText(reason, t)),
  };
}

/** A failure on one line, for a toast. */
export function failureLine({ message, reasons }: AuthFailure): string {
  return [message, ...reasons].join(" ");
}

interface ErrorDetails {
  name: string;
  code: string;
  status: number | undefined;
  message: string;
}

function messageFor({ name, code, status, message }: ErrorDetails, t: Texts): string {
  if (name === "AuthRetryableFetchError") {
    return status ? t("errors.serverUnavailable") : t("errors.network");
  }
  // Each browser has its own words for a fetch that never arrived.
  if (name === "TypeError" && /fetch|load failed|network/i.test(message)) return t("errors.network");
  if (name === "AuthSessionMissingError") return t("errors.sessionMissing");
  if (name === "AuthInvalidCredentialsError") return t("errors.missingCredentials");
  // "For security purposes, you can only request this after 42 seconds."
  const seconds = code === "over_email_send_rate_limit" ? /after (\d+) second/.exec(message)?.[1] : undefined;
  if (seconds !== undefined) return t("errors.retryAfterSeconds", { count: Number(seconds) });
  const known: Record<string, string> = t("errors.codes", { returnObjects: true });
  const translated = Object.hasOwn(known, code) ? known[code] : undefined;
  if (translated !== undefined) return translated;
  // Without a name it is no answer of the auth service but a fault of ours: its words help nobody.
  return name.startsWith("Auth") && message && message !== "{}" ? message : t("errors.unexpected");
}

function reasonText(reason: string, t: Texts): string[] {
  if (reason === "length") return [t("weakPassword.reasons.length", { count: PASSWORD_MIN_LENGTH })];
  const known = ["characters", "pwned", "common", "email"] as const;
  const found = known.find((name) => name === reason);
  return found ? [t(`weakPassword.reasons.${found}`)] : [];
}

function detailsOf(error: unknown): ErrorDetails & { reasons: string[] } {
  const given: Record<string, unknown> = typeof error === "object" && error !== null ? { ...error } : {};
  const { code, status, reasons } = given;
  return {
    name: error instanceof Error ? error.name : "",
    message: error instanceof Error ? error.message : "",
    code: typeof code === "string" ? code : "",
    status: typeof status === "number" ? status : undefined,
    reasons: Array.isArray(reasons) ? reasons.filter((reason) => typeof reason === "string") : [],
  };
}
