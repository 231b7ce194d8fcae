import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { TokenKeys } from "../server-keys.ts";

/** The person and session of a verified access token. */
export type Bearer = { userId: string; sessionId: string };

export type TokenAnswer =
  | { ok: true; bearer: Bearer; claims: JWTPayload; expiresAtMs: number }
  | { ok: false; reason: "expired" | "invalid" | "session_ended" };

export type CheckAccessToken = (token: string) => Promise<TokenAnswer>;

export const ACCESS_TOKEN_SECONDS = 3_600;

const ALGORITHM = "HS256";
const AUDIENCE = "authenticated";
// The clocks of servers that share a secret may differ.
const MAX_SKEW_MS = 60_000;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export async function signAccessToken(
  keys: TokenKeys,
  { userId, sessionId, claims, nowMs }: Bearer & { claims: JWTPayload; nowMs: number },
): Promise<string> {
  const { kid, key } = await keys.signing();
  const issuedAt = Math.floor(nowMs / 1000);
  return new SignJWT({ ...claims, role: "authenticated", aal: "aal1", session_id: sessionId })
    .setProtectedHeader({ alg: ALGORITHM, typ: "JWT", kid })
    .setSubject(userId)
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
    .sign(key);
}

/**
 * Checks a token for auth, data API and realtime: it must be ours and its session must be alive. The signature is not
 * enough, because a token outlives a sign-out by up to an hour. Tokens of roles other than `authenticated` are refused.
 */
export function createAccessTokenCheck(options: {
  keys: TokenKeys;
  hasSession: (bearer: Bearer) => Promise<boolean>;
  now: () => number;
}): CheckAccessToken {
  const verify = createVerification(options);
  return async (token) => {
    try {
      const payload = await verify(token);
      const isFromFuture = (payload.iat ?? 0) * 1000 > options.now() + MAX_SKEW_MS;
      const bearer = bearerOf(payload);
      if (!bearer || isFromFuture) return { ok: false, reason: "invalid" };
      if (!(await options.hasSession(bearer))) return { ok: false, reason: "session_ended" };
      return { ok: true, bearer, claims: payload, expiresAtMs: (payload.exp ?? 0) * 1000 };
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      return { ok: false, reason: error instanceof errors.JWTExpired ? "expired" : "invalid" };
    }
  };
}

// Pages send several requests with one token. The verified signature is cached while its key is valid; the session is
// checked each time.
const MAX_CACHED = 1_000;

function createVerification({ keys, now }: { keys: TokenKeys; now: () => number }) {
  const cache = new Map<string, { payload: JWTPayload; kid: unknown }>();
  const keyOf = async (kid: unknown) => {
    const key = typeof kid === "string" ? await keys.find(kid) : undefined;
    if (!key) throw new errors.JWSInvalid("No key of ours has this key id");
    return key;
  };
  return async (token: string): Promise<JWTPayload> => {
    const known = cache.get(token);
    if (known?.payload.exp !== undefined && known.payload.exp > Math.floor(now() / 1000)) {
      await keyOf(known.kid);
      return known.payload;
    }
    cache.delete(token);
    const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => keyOf(kid), {
      algorithms: [ALGORITHM],
      audience: AUDIENCE,
      requiredClaims: ["exp", "iat"],
      currentDate: new Date(now()),
    });
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= MAX_CACHED) cache.delete(oldest);
    if (payload.nbf === undefined) cache.set(token, { payload, kid: protectedHeader.kid });
    return payload;
  };
}

// Our tokens have no issuer; a token that has one is not ours.
function bearerOf({ iss, role, sub, session_id: sessionId }: Record<string, unknown>): Bearer | undefined {
  if (iss !== undefined || role !== "authenticated") return undefined;
  if (typeof sub !== "string" || !UUID.test(sub)) return undefined;
  if (typeof sessionId !== "string" || !UUID.test(sessionId)) return undefined;
  return { userId: sub, sessionId };
}

/** The token of a request; undefined for a guest, for whom supabase-js sends the publishable key. */
export function tokenIn(headers: Headers): string | undefined {
  const [, token] = /^Bearer\s+(.*)$/i.exec(headers.get("authorization") ?? "") ?? [];
  return token === undefined || isApiKey(token) ? undefined : token.trim();
}

/** Whether the text is an API key instead of a token. Its sender is a guest, whichever key it is. */
export const isApiKey = (text: string) => text.startsWith("sb_");
