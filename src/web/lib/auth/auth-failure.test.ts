import {
  AuthRetryableFetchError,
  AuthSessionMissingError,
  AuthWeakPasswordError,
} from "@supabase/supabase-js";
import { createInstance } from "i18next";
import { expect, test } from "vitest";
import de from "#text/locales/de/auth.json" with { type: "json" };
import { authFailureOf, failureLine } from "./auth-failure.ts";

const i18n = createInstance();
await i18n.init({ lng: "de", ns: ["auth"], resources: { de: { auth: de } } });
const t = i18n.getFixedT("de", "auth");

function apiError(code: string, message: string, status = 400): Error {
  return Object.assign(new Error(message), { name: "AuthApiError", code, status });
}

test("AUTH-08 a known code is shown in the reader's language", () => {
  const failure = authFailureOf(apiError("invalid_credentials", "Invalid login credentials"), t);
  expect(failure).toEqual({
    message: de.errors.codes.invalid_credentials,
    reasons: [],
  });
});

test("AUTH-08 an unknown code shows the server's own message", () => {
  expect(authFailureOf(apiError("moon_phase", "Not under this moon"), t).message).toBe("Not under this moon");
});

test("AUTH-08 a code like 'constructor' is not a known code", () => {
  expect(authFailureOf(apiError("constructor", "Odd"), t).message).toBe("Odd");
});

test("AUTH-08 a failure without a message, or not from the auth service, is an unexpected error", () => {
  expect(authFailureOf(apiError("", "{}"), t).message).toBe(de.errors.unexpected);
  expect(authFailureOf(new TypeError("x is undefined"), t).message).toBe(de.errors.unexpected);
  expect(authFailureOf("nonsense", t).message).toBe(de.errors.unexpected);
});

test("AUTH-09 a weak password comes with each of its reasons", () => {
  const weak = new AuthWeakPasswordError("weak", 422, ["length", "pwned"]);
  expect(authFailureOf(weak, t).reasons).toEqual([
    "Nimm mindestens 6\u00a0Zeichen.",
    de.weakPassword.reasons.pwned,
  ]);
  expect(failureLine(weak, t)).toBe(
    `${de.errors.codes.weak_password} Nimm mindestens 6\u00a0Zeichen. ${de.weakPassword.reasons.pwned}`,
  );
});

test("AUTH-08 a server that is down and a missing network have different messages", () => {
  expect(authFailureOf(new AuthRetryableFetchError("x", 503), t).message).toBe(de.errors.serverUnavailable);
  expect(authFailureOf(new AuthRetryableFetchError("x", 0), t).message).toBe(de.errors.network);
  expect(authFailureOf(new TypeError("Failed to fetch"), t).message).toBe(de.errors.network);
});

test("AUTH-08 a missing session has its own message", () => {
  expect(authFailureOf(new AuthSessionMissingError(), t).message).toBe(de.errors.sessionMissing);
});

test("AUTH-08 the message names the wait that the server asks for", () => {
  const message = "For security purposes, you can only request this after 42 seconds.";
  expect(authFailureOf(apiError("over_email_send_rate_limit", message, 429), t).message).toContain("42");
  expect(authFailureOf(apiError("over_email_send_rate_limit", "Too many", 429), t).message).toBe(
    de.errors.codes.over_email_send_rate_limit,
  );
});
