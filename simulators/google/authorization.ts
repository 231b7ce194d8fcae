import type { GoogleClient } from "./google-client.ts";

export type AuthorizationRequest = {
  redirectUri: string;
  scopes: string[];
  state: string | undefined;
  nonce: string | undefined;
  challenge: { value: string; method: "S256" | "plain" } | undefined;
  /** The query as it came, for the form that sends it again. */
  query: string;
};

export type AuthorizationAnswer =
  | { ok: true; request: AuthorizationRequest }
  | { ok: false; error: string; explanation: string };

const no = (error: string, explanation: string): AuthorizationAnswer => ({ ok: false, error, explanation });

/** Checks what a client asks for; like Google, it never sends anyone back to an address it does not know. */
export function checkAuthorization(query: URLSearchParams, client: GoogleClient): AuthorizationAnswer {
  for (const name of new Set(query.keys())) {
    if (query.getAll(name).length > 1) return no("invalid_request", `The parameter ${name} is there twice.`);
  }
  if (query.get("client_id") !== client.clientId)
    return no("invalid_client", "No such OAuth client is known.");
  const redirectUri = query.get("redirect_uri") ?? "";
  if (!client.redirectUris.includes(redirectUri)) {
    return no("redirect_uri_mismatch", "This address to come back to is not registered for the client.");
  }
  if (query.get("response_type") !== "code")
    return no("unsupported_response_type", "Only code is offered here.");
  const scopes = (query.get("scope") ?? "").split(" ").filter(Boolean);
  const unknown = scopes.find((scope) => !["openid", "email", "profile"].includes(scope));
  if (scopes.length === 0 || unknown)
    return no("invalid_scope", `The scope ${unknown ?? ""} is not offered.`);
  const challenge = challengeIn(query);
  if (challenge === "bad") return no("invalid_request", "The code challenge is not well-formed.");
  return {
    ok: true,
    request: {
      redirectUri,
      scopes,
      state: query.get("state") ?? undefined,
      nonce: query.get("nonce") ?? undefined,
      challenge,
      query: query.toString(),
    },
  };
}

function challengeIn(query: URLSearchParams): AuthorizationRequest["challenge"] | "bad" {
  const value = query.get("code_challenge");
  const method = query.get("code_challenge_method") ?? "plain";
  if (value === null) return query.has("code_challenge_method") ? "bad" : undefined;
  if (!/^[\w.~-]{43,128}$/.test(value)) return "bad";
  return method === "S256" || method === "plain" ? { value, method } : "bad";
}
