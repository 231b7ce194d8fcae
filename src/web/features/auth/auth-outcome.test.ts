import { expect, test } from "vitest";
import { LANGUAGES } from "#core/languages.ts";
import type { Namespaces } from "#text/namespaces.ts";
import { prerenderI18n } from "#web/lib/i18n/i18n.server.ts";
import { providerErrorText } from "./auth-outcome.tsx";

// The errors that the server redirects with: src/backend/auth/providers/provider-flow.db.test.ts.
for (const language of LANGUAGES) {
  test(`AUTH-08 an error of Google is explained in words the person can act on (${language})`, () => {
    const i18n = prerenderI18n(language);
    const t = i18n.getFixedT(language, "auth");
    const { google, errors }: Namespaces["auth"] = i18n.getResourceBundle(language, "auth");
    for (const [error, code, words] of [
      ["access_denied", "", google.errors.cancelled],
      ["server_error", "", google.errors.failed],
      ["server_error", "unexpected_failure", google.errors.failed],
      ["access_denied", "provider_email_needs_verification", google.errors.unverifiedEmail],
      ["access_denied", "email_exists", google.errors.accountExists],
      ["invalid_request", "flow_state_expired", google.errors.expired],
      ["invalid_request", "bad_oauth_state", errors.codes.bad_oauth_state],
      ["server_error", "constructor", google.errors.failed],
      ["server_error", "anything-else", google.errors.failed],
    ] as const) {
      expect([code || error, providerErrorText("google", { error, code }, t)]).toEqual([
        code || error,
        words,
      ]);
      expect(words).toMatch(/\S/);
    }
  });

  test(`START-08 an error of Telegram is explained in words the person can act on (${language})`, () => {
    const i18n = prerenderI18n(language);
    const t = i18n.getFixedT(language, "auth");
    const { telegram, errors }: Namespaces["auth"] = i18n.getResourceBundle(language, "auth");
    for (const [error, code, words] of [
      ["access_denied", "", telegram.errors.cancelled],
      ["server_error", "unexpected_failure", telegram.errors.failed],
      ["invalid_request", "flow_state_expired", telegram.errors.expired],
      ["invalid_request", "bad_oauth_state", errors.codes.bad_oauth_state],
      ["access_denied", "over_sign_up_rate_limit", errors.codes.over_sign_up_rate_limit],
      ["server_error", "anything-else", telegram.errors.failed],
    ] as const) {
      expect([code || error, providerErrorText("telegram", { error, code }, t)]).toEqual([
        code || error,
        words,
      ]);
    }
  });
}
