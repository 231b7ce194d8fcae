import { errors, type JWTPayload, jwtVerify } from "jose";

/** Who asks, as an access token of ours says. */
export type Bearer = { userId: string; sessionId: string };

export type TokenAnswer =
  | { ok: true; bearer: Bearer; claims: JWTPayload; expiresAtMs: number }
  | { ok: false; reason: "expired" | "invalid" | "session_ended" };

export type CheckAccessToken = (token: string) => Promise<TokenAnswer>;

// Servers that share a secret may not share a clock to the second.
const MAX_SKEW_MS = 60_000;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Whether a token is one of ours and its session still lives. The signature alone is not enough: a token outlives a
 * sign-out by up to an hour, and only people's tokens, not those of other roles, come in by this door.
 */
export function createAccessTokenCheck(options: {
  secret: string;
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

// A page asks several times with one token. Its signature holds as long as it does; its session is looked up each time.
const MAX_REMEMBERED = 1_000;

function createVerification({ secret, now }: { secret: string; now: () => number }) {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = crypto.subtle.importKey("raw", Buffer.from(secret), algorithm, false, ["verify"]);
  const remembered = new Map<string, JWTPayload>();
  return async (token: string): Promise<JWTPayload> => {
    const known = remembered.get(token);
    if (known?.exp !== undefined && known.exp > Math.floor(now() / 1000)) return known;
    remembered.delete(token);
    const { payload } = await jwtVerify(token, await imported, {
      algorithms: ["HS256"],
      audience: "authenticated",
      requiredClaims: ["exp", "iat"],
      currentDate: new Date(now()),
    });
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size >= MAX_REMEMBERED) remembered.delete(oldest);
    if (payload.nbf === undefined) remembered.set(token, payload);
    return payload;
  };
}

// The auth service names no issuer: a token that does was made by somebody else.
function bearerOf({ iss, role, sub, session_id: sessionId }: Record<string, unknown>): Bearer | undefined {
  if (iss !== undefined || role !== "authenticated") return undefined;
  if (typeof sub !== "string" || !UUID.test(sub)) return undefined;
  if (typeof sessionId !== "string" || !UUID.test(sessionId)) return undefined;
  return { userId: sub, sessionId };
}

/** The token a request carries; `undefined` for a guest, for whom supabase-js sends the publishable key. */
export function tokenIn(headers: Headers): string | undefined {
  const [, token] = /^Bearer\s+(.*)$/i.exec(headers.get("authorization") ?? "") ?? [];
  return token === undefined || token.startsWith("sb_") ? undefined : token.trim();
}
