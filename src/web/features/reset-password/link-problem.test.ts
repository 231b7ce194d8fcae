import {
  AuthApiError,
  AuthInvalidJwtError,
  AuthRetryableFetchError,
  AuthSessionMissingError,
} from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { isReadableToken, problemInAddress, problemOfToken } from "./link-problem.ts";

test.each([
  { error: "", code: "otp_expired", description: "" },
  { error: "access_denied", code: "", description: "" },
  { error: "server_error", code: "", description: "Email link is invalid or has Expired" },
])("RESET-04 $error $code $description means an expired link", (given) => {
  expect(problemInAddress(given)).toBe("expired");
});

test("RESET-04 any other error means an invalid link", () => {
  expect(problemInAddress({ error: "server_error", code: "unexpected_failure", description: "x" })).toBe(
    "invalid",
  );
});

test.each([
  [new AuthApiError("Email link is invalid or has expired", 403, "otp_expired"), "expired"],
  [new AuthApiError("User from sub claim in JWT does not exist", 403, "user_not_found"), "noUser"],
  [new AuthApiError("invalid JWT", 403, "bad_jwt"), "sessionFailed"],
  [new AuthSessionMissingError(), "noUser"],
  [new AuthInvalidJwtError("Invalid JWT structure"), "sessionFailed"],
  [new AuthRetryableFetchError("Service Unavailable", 503), "unexpected"],
  [new AuthApiError("Request rate limit reached", 429, "over_request_rate_limit"), "unexpected"],
  [new SyntaxError("Unexpected token"), "sessionFailed"],
  [new TypeError("Failed to fetch"), "unexpected"],
])("RESET-05 %s has its own message", (error, problem) => {
  expect(problemOfToken(error)).toBe(problem);
});

test("RESET-05 a token is readable if its header and payload are JSON", () => {
  const encoded = (text: string) => btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const header = encoded('{"alg":"HS256","kid":"0123456789abcdef"}');
  expect(isReadableToken(`${header}.${encoded('{"name":"Ñandú ÿ>?"}')}.c2ln`)).toBe(true);
  for (const token of [
    "",
    "x",
    `${header}.${header.slice(3)}.x`,
    `eyJ${header.slice(2)}.${header}.x`,
    `${header}.*.x`,
  ]) {
    expect(isReadableToken(token), token).toBe(false);
  }
});
