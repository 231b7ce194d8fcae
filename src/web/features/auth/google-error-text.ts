import type { TFunction } from "i18next";

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
 * Why Google's way did not end in a session. The description in the address is never shown: anybody can write an
 * address, and the page must not say their words.
 */
export function googleErrorText(given: { error: string; code: string }, t: TFunction<"auth">): string {
  const known = BY_CODE.get(given.code === "" ? given.error : given.code);
  if (known) return t(`google.errors.${known}`);
  const codes: Record<string, string> = t("errors.codes", { returnObjects: true });
  const translated = Object.hasOwn(codes, given.code) ? codes[given.code] : undefined;
  return translated ?? t("google.errors.failed");
}
