import { sitePath } from "#core/site-path.ts";

/** What the auth service returns in the address. */
export type AuthCallback =
  /** Anyone can put one into a link: only the reset page accepts it. */
  | { kind: "session"; accessToken: string; refreshToken: string; type: string | null }
  /** A one-time token, used only after a click. */
  | { kind: "token"; tokenHash: string; type: string | null }
  /** Works only in the browser that started the sign-in and has the verifier. */
  | { kind: "code"; code: string }
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
  "code",
  "sb_flow_id",
  "error",
  "error_code",
  "error_description",
];

/** Matches a secret anywhere in the address, in any spelling. */
const SECRET = /(?:access|refresh|provider)_token=|token_hash=/i;

/**
 * Errors come in the fragment or the query, codes in the query, tokens only in the fragment, which no server sees. A
 * parameter that occurs twice is not a message of the auth service.
 */
export function parseAuthCallback({ search, hash }: Address): AuthCallback | null {
  const fragment = new URLSearchParams(hash.slice(1));
  const query = new URLSearchParams(search);
  for (const parameters of [fragment, query]) {
    const error = errorIn(parameters);
    if (error) return error;
  }
  const tokenHash = onlyOne(fragment, "token_hash");
  const accessToken = onlyOne(fragment, "access_token");
  if ((tokenHash || accessToken) && fragment.getAll("type").length > 1) return null;
  const type = onlyOne(fragment, "type");
  if (tokenHash) return { kind: "token", tokenHash, type };
  if (accessToken) {
    return { kind: "session", accessToken, refreshToken: onlyOne(fragment, "refresh_token") ?? "", type };
  }
  const code = onlyOne(query, "code");
  return code ? { kind: "code", code } : null;
}

/** Whether the address contains something that must be removed, even if it is not a valid message. */
export function mustBeWiped({ search, hash }: Address): boolean {
  return parseAuthCallback({ search, hash }) !== null || SECRET.test(decoded(search + hash));
}

/** The address without the parameters of the auth service. */
export function withoutCallback({ pathname, search, hash }: Address & { pathname: string }): string {
  const query = new URLSearchParams(search);
  for (const name of new Set(query.keys())) if (isParameter(name)) query.delete(name);
  const isOurs =
    [...new URLSearchParams(hash.slice(1)).keys()].some(isParameter) || SECRET.test(decoded(hash));
  const rest = query.toString();
  return sitePath(pathname) + (rest ? `?${rest}` : "") + (isOurs ? "" : hash);
}

function isParameter(name: string): boolean {
  return PARAMETERS.includes(name.toLowerCase()) || SECRET.test(`${name}=`);
}

function onlyOne(parameters: URLSearchParams, name: string): string | null {
  const [value, ...others] = parameters.getAll(name);
  return others.length === 0 ? (value ?? null) : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function errorIn(parameters: URLSearchParams): AuthCallback | null {
  const [error, code, description] = ["error", "error_code", "error_description"].map(
    (name) => parameters.get(name) ?? "",
  );
  if (!error && !code && !description) return null;
  return { kind: "error", error: error ?? "", code: code ?? "", description: description ?? "" };
}
