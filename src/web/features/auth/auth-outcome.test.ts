import { createInstance } from "i18next";
import { expect, test } from "vitest";
import { LANGUAGES, type Language } from "#core/languages.ts";
import de from "#text/locales/de/auth.json" with { type: "json" };
import en from "#text/locales/en/auth.json" with { type: "json" };
import es from "#text/locales/es/auth.json" with { type: "json" };
import fr from "#text/locales/fr/auth.json" with { type: "json" };
import ru from "#text/locales/ru/auth.json" with { type: "json" };
import { googleErrorText } from "./auth-outcome.tsx";

const TEXTS = { de, en, es, fr, ru };

async function translatorOf(language: Language) {
  const i18n = createInstance();
  await i18n.init({ lng: language, ns: ["auth"], resources: { [language]: { auth: TEXTS[language] } } });
  return i18n.getFixedT(language, "auth");
}

// The errors that the server redirects with: src/backend/auth/google-flow.db.test.ts.
for (const language of LANGUAGES) {
  test(`AUTH-08 an error of Google is explained in words the person can act on (${language})`, async () => {
    const t = await translatorOf(language);
    const { google, errors } = TEXTS[language];
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
      expect([code || error, googleErrorText({ error, code }, t)]).toEqual([code || error, words]);
      expect(words).toMatch(/\S/);
    }
  });
}
