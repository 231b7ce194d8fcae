/** Each is a text of its own: `auth:reset.linkErrors`. */
export type LinkProblem = "expired" | "invalid" | "sessionFailed" | "noUser" | "missing" | "unexpected";

/** What the auth service wrote into the address instead of a token. */
export function problemInAddress(given: { error: string; code: string; description: string }): LinkProblem {
  const isExpired =
    given.code === "otp_expired" || given.error === "access_denied" || /expired/i.test(given.description);
  return isExpired ? "expired" : "invalid";
}

/** Whether an access token can be read at all. supabase-js reads it before sending it, and fails on others without a word of its own. */
export function isReadableToken(token: string): boolean {
  try {
    const [header = "", payload = ""] = token.replaceAll("-", "+").replaceAll("_", "/").split(".");
    for (const part of [header, payload]) JSON.parse(atob(part));
    return true;
  } catch {
    return false;
  }
}

/** Why a token was not taken. An error of ours, or a server out of reach, leaves the token as good as it was. */
export function problemOfToken(error: unknown): LinkProblem {
  // supabase-js reads the token before it sends it, and part of this one is not JSON.
  if (error instanceof SyntaxError) return "sessionFailed";
  if (!(error instanceof Error) || !error.name.startsWith("Auth")) return "unexpected";
  if (error.name === "AuthRetryableFetchError" || error.name === "AuthUnknownError") return "unexpected";
  const code = "code" in error ? error.code : undefined;
  if (code === "otp_expired") return "expired";
  // The token is genuine, but its session or its person is gone.
  if (code === "user_not_found" || error.name === "AuthSessionMissingError") return "noUser";
  if (code === "over_request_rate_limit") return "unexpected";
  return "sessionFailed";
}
