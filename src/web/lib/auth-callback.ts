/** What an auth service hands back in the address, when it sends a person here. */
export type AuthCallback =
  | { kind: "session"; accessToken: string; refreshToken: string; type: string | null }
  /** A one-time token that is spent only when the person goes on. */
  | { kind: "token"; tokenHash: string; type: string | null }
  | { kind: "error"; error: string; code: string; description: string };

interface Address {
  search: string;
  hash: string;
}

const PARAMETERS = [
  "access_token",
  "refresh_token",
  "expires_in",
  "expires_at",
  "token_type",
  "token_hash",
  "type",
  "provider_token",
  "provider_refresh_token",
  "sb",
  "error",
  "error_code",
  "error_description",
];

/** Errors come in the fragment or in the query; tokens in the fragment alone, which no server ever sees. */
export function parseAuthCallback({ search, hash }: Address): AuthCallback | null {
  const fragment = new URLSearchParams(hash.slice(1));
  const query = new URLSearchParams(search);
  for (const parameters of [fragment, query]) {
    const error = errorIn(parameters);
    if (error) return error;
  }
  const type = fragment.get("type");
  const tokenHash = fragment.get("token_hash");
  if (tokenHash) return { kind: "token", tokenHash, type };
  const accessToken = fragment.get("access_token");
  if (accessToken) {
    return { kind: "session", accessToken, refreshToken: fragment.get("refresh_token") ?? "", type };
  }
  return null;
}

/** The same address without what the auth service wrote into it. */
export function withoutCallback({ pathname, search, hash }: Address & { pathname: string }): string {
  const query = new URLSearchParams(search);
  for (const name of PARAMETERS) query.delete(name);
  const fragment = new URLSearchParams(hash.slice(1));
  const isOurs = PARAMETERS.some((name) => fragment.has(name));
  const rest = query.toString();
  return pathname + (rest ? `?${rest}` : "") + (isOurs ? "" : hash);
}

function errorIn(parameters: URLSearchParams): AuthCallback | null {
  const [error, code, description] = ["error", "error_code", "error_description"].map(
    (name) => parameters.get(name) ?? "",
  );
  if (!error && !code && !description) return null;
  return { kind: "error", error: error ?? "", code: code ?? "", description: description ?? "" };
}
