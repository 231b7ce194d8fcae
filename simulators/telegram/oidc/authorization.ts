/** A bot as a client: its id, the secret that BotFather shows under Web Login, and the registered redirect addresses. */
export interface LoginClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
}

export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | undefined;
  readonly nonce: string | undefined;
  /** The SHA-256 of the PKCE verifier. */
  readonly challenge: string;
  /** The original query, which the form sends again. */
  readonly query: string;
}

export type AuthorizationAnswer =
  | { ok: true; request: AuthorizationRequest }
  | { ok: false; error: string; explanation: string };

export const BOT_ACCESS = "telegram:bot_access";
export const SCOPES = ["openid", "profile", "phone", BOT_ACCESS];

/** Validates an authorization request. It never redirects to an address that is not registered, letter for letter. */
export function checkAuthorization(query: URLSearchParams, client: LoginClient): AuthorizationAnswer {
  const redirectUri = query.get("redirect_uri") ?? "";
  const scopes = (query.get("scope") ?? "").split(" ").filter(Boolean);
  const challenge = query.get("code_challenge") ?? "";
  const areOffered = scopes.includes("openid") && scopes.every((scope) => SCOPES.includes(scope));
  const isChallenged = query.get("code_challenge_method") === "S256" && /^[\w-]{43}$/.test(challenge);
  const checks: [boolean, string, string][] = [
    [new Set(query.keys()).size === query.size, "invalid_request", "A parameter is there twice."],
    [query.get("client_id") === client.clientId, "invalid_client", "No bot with this id offers Web Login."],
    [client.redirectUris.includes(redirectUri), "invalid_request", "This redirect_uri is not registered."],
    [query.get("response_type") === "code", "unsupported_response_type", "Only code is offered."],
    [areOffered, "invalid_scope", "This scope is not offered."],
    [isChallenged, "invalid_request", "PKCE with S256 is required."],
  ];
  const failed = checks.find(([holds]) => !holds);
  if (failed) return { ok: false, error: failed[1], explanation: failed[2] };
  const [state, nonce] = [query.get("state") ?? undefined, query.get("nonce") ?? undefined];
  return { ok: true, request: { redirectUri, scopes, state, nonce, challenge, query: query.toString() } };
}
