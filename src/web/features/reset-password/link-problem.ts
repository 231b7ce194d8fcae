/** Each has its own text: `auth:reset.linkErrors`. */
export type LinkProblem = "expired" | "invalid" | "sessionFailed" | "noUser" | "missing" | "unexpected";

/** The error that the auth service put into the address instead of a token. */
export function problemInAddress(given: { error: string; code: string; description: string }): LinkProblem {
  const isExpired =
    given.code === "otp_expired" || given.error === "access_denied" || /expired/i.test(given.description);
  return isExpired ? "expired" : "invalid";
}

/**
 * Whether supabase-js can read an access token. It reads the token before sending it, and fails on an unreadable one
 * without an error of its own.
 */
export function isReadableToken(token: string): boolean {
  try {
    const [header = "", payload = ""] = token.replaceAll("-", "+").replaceAll("_", "/").split(".");
    for (const part of [header, payload]) JSON.parse(atob(part));
    return true;
  } catch {
    return false;
  }
}

/** Why a token was refused. After an error of ours, or if the server could not be reached, the token is still valid. */
export function problemOfToken(error: unknown): LinkProblem {
  // supabase-js reads the token before sending it, and a part of this one is not JSON.
  if (error instanceof SyntaxError) return "sessionFailed";
  if (!(error instanceof Error) || !error.name.startsWith("Auth")) return "unexpected";
  if (error.name === "AuthRetryableFetchError" || error.name === "AuthUnknownError") return "unexpected";
  const code = "code" in error ? error.code : undefined;
  if (code === "otp_expired") return "expired";
  // The token is valid, but its session or its user is gone.
  if (code === "user_not_found" || error.name === "AuthSessionMissingError") return "noUser";
  if (code === "over_request_rate_limit") return "unexpected";
  return "sessionFailed";
}
