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

export const userBanned = () => authError(400, "user_banned", "User is banned");
