import { errors, jwtVerify } from "jose";
import type { TokenCheck, VerifyToken } from "./identity.ts";

/** Checks tokens signed with the shared secret, answering in the words hosted Realtime uses. */
export function createTokenVerifier({
  secret,
  now = Date.now,
}: {
  secret: string;
  now?: () => number;
}): VerifyToken {
  const key = new TextEncoder().encode(secret);
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ["HS256"],
        currentDate: new Date(now()),
      });
      return tokenCheckOf(payload);
    } catch (error) {
      if (error instanceof errors.JOSEError) return { ok: false, reason: reasonOf(error, now()) };
      throw error;
    }
  };
}

function tokenCheckOf(claims: Record<string, unknown>): TokenCheck {
  const { role, exp } = claims;
  if (typeof role !== "string" || typeof exp !== "number") {
    return { ok: false, reason: "Fields `role` and `exp` are required in JWT" };
  }
  return { ok: true, claims, role, expiresAtMs: exp * 1000 };
}

function reasonOf(error: errors.JOSEError, nowMs: number): string {
  if (error instanceof errors.JWTExpired) {
    const seconds = Math.max(0, Math.floor(nowMs / 1000 - (error.payload.exp ?? 0)));
    return `Token has expired ${seconds} seconds ago`;
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return "Failed to validate JWT signature";
  return "The token provided is not a valid JWT";
}
