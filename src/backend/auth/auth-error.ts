import { restError } from "../rest/rest-error.ts";
import type { TokenAnswer } from "./access-token.ts";

/** A response in GoTrue's format, so that supabase-js gives callers its `code`. */
export function authError(
  status: number,
  code: string,
  message: string,
  headers?: Record<string, string>,
): Response {
  return Response.json(
    { code: status, error_code: code, msg: message },
    { status, headers: { "x-sb-error-code": code, "cache-control": "no-store", ...headers } },
  );
}

export const rateLimited = () =>
  authError(429, "over_request_rate_limit", "Request rate limit reached", { "retry-after": "60" });

/** Not 429: supabase-js would sign the person out, while it repeats what a server answers with 503. */
export const refreshLater = () =>
  authError(503, "over_request_rate_limit", "Request rate limit reached", { "retry-after": "60" });

/** Too many passwords are waiting to be hashed; the queue is empty again within seconds. */
export const passwordsBusy = () =>
  authError(429, "over_request_rate_limit", "Too many sign-ins at the moment; try again in a few seconds", {
    "retry-after": "5",
  });

export const userBanned = () => authError(400, "user_banned", "User is banned");

type TokenFault = Extract<TokenAnswer, { ok: false }>["reason"];

/** Why a token is refused, in GoTrue's format: supabase-js acts on the code. */
export function authRefusal(reason: TokenFault): Response {
  if (reason === "session_ended") {
    return authError(403, "session_not_found", "Session from session_id claim in JWT does not exist");
  }
  return authError(403, "bad_jwt", reason === "expired" ? "invalid JWT: token is expired" : "invalid JWT");
}

export function restRefusal(reason: TokenFault): Response {
  const [code, message] = {
    expired: ["PGRST303", "JWT expired"],
    invalid: ["PGRST301", "JWT invalid"],
    session_ended: ["PGRST303", "The session of this JWT has ended"],
  }[reason] as [string, string];
  const headers = { "www-authenticate": `Bearer error="invalid_token", error_description="${message}"` };
  return restError({ status: 401, code, message, headers });
}

export function realtimeRefusal(reason: TokenFault): string {
  return {
    expired: "Token has expired",
    invalid: "The token provided is not a valid JWT",
    session_ended: "The session of this token has ended",
  }[reason];
}
