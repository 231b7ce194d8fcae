// CORS: which other origins may call the API. Pages served by this server need no permission; other origins are listed
// in the settings. Tokens travel in headers, never in cookies, so credentials are not allowed.

const METHODS = "GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS";
const REQUEST_HEADERS =
  "authorization, apikey, content-type, prefer, range, range-unit, accept-profile, content-profile, x-client-info, x-supabase-api-version, x-request-id, x-retry-count";
const EXPOSED_HEADERS = "content-range, content-location, preference-applied, retry-after, x-request-id";
const MAX_AGE_SECONDS = 7_200;

/** Answers a CORS preflight; returns undefined for any other request. */
export function answerPreflight(request: Request, allowed: readonly string[]): Response | undefined {
  const isPreflight = request.method === "OPTIONS" && request.headers.has("access-control-request-method");
  if (!isPreflight || originOf(request, allowed) === undefined) return undefined;
  const answer = withOrigin(new Response(null, { status: 204 }), request, allowed);
  answer.headers.set("access-control-allow-methods", METHODS);
  answer.headers.set("access-control-allow-headers", REQUEST_HEADERS);
  answer.headers.set("access-control-max-age", String(MAX_AGE_SECONDS));
  return answer;
}

/** Sets the CORS headers, so that only pages of allowed origins can read the response. */
export function withOrigin(answer: Response, request: Request, allowed: readonly string[]): Response {
  const headers = new Headers(answer.headers);
  for (const name of [...headers.keys()]) if (name.startsWith("access-control-")) headers.delete(name);
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  if (allowed.length > 0) headers.append("vary", "origin");
  const origin = originOf(request, allowed);
  if (origin !== undefined) {
    headers.set("access-control-allow-origin", origin);
    headers.set("access-control-expose-headers", EXPOSED_HEADERS);
  }
  return new Response(answer.body, { status: answer.status, headers });
}

function originOf(request: Request, allowed: readonly string[]): string | undefined {
  const origin = request.headers.get("origin") ?? "";
  return allowed.includes(origin) ? origin : undefined;
}
