import type { GoogleClient } from "./google-client.ts";

export type AuthorizationRequest = {
  redirectUri: string;
  scopes: string[];
  state: string | undefined;
  nonce: string | undefined;
  /** The SHA-256 of the PKCE verifier. */
  challenge: string | undefined;
  /** The original query, which the form sends again. */
  query: string;
};

export type AuthorizationAnswer =
  | { ok: true; request: AuthorizationRequest }
  | { ok: false; error: string; explanation: string };

const SCOPES = ["openid", "email", "profile"];

/** Validates an authorization request. Like Google, it never redirects to an unregistered URL. */
export function checkAuthorization(query: URLSearchParams, client: GoogleClient): AuthorizationAnswer {
  const redirectUri = query.get("redirect_uri") ?? "";
  const scopes = (query.get("scope") ?? "").split(" ").filter(Boolean);
  const challenge = query.get("code_challenge") ?? undefined;
  const method = query.get("code_challenge_method") ?? undefined;
  const isChallenged = challenge !== undefined || method !== undefined;
  const areOffered = scopes.length > 0 && scopes.every((scope) => SCOPES.includes(scope));
  const checks: [boolean, string, string][] = [
    [new Set(query.keys()).size === query.size, "invalid_request", "A parameter is there twice."],
    [query.get("client_id") === client.clientId, "invalid_client", "No such client is known."],
    [client.redirectUris.includes(redirectUri), "redirect_uri_mismatch", "This address is not registered."],
    [query.get("response_type") === "code", "unsupported_response_type", "Only code is offered."],
    [areOffered, "invalid_scope", "This scope is not offered."],
    [!isChallenged || isChallenge(challenge, method), "invalid_request", "The code challenge is malformed."],
  ];
  const failed = checks.find(([holds]) => !holds);
  if (failed) return { ok: false, error: failed[1], explanation: failed[2] };
  const [state, nonce] = [query.get("state") ?? undefined, query.get("nonce") ?? undefined];
  return { ok: true, request: { redirectUri, scopes, state, nonce, challenge, query: query.toString() } };
}

function isChallenge(challenge: string | undefined, method: string | undefined): boolean {
  return method === "S256" && /^[\w.~-]{43,128}$/.test(challenge ?? "");
}
