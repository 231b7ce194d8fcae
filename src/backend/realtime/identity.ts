// Whom a channel speaks for: a database role and the claims row-level security sees.

export type TokenCheck =
  | { ok: true; claims: Record<string, unknown>; role: string; expiresAtMs: number }
  | { ok: false; reason: string };

export type VerifyToken = (token: string) => TokenCheck | Promise<TokenCheck>;

export type Identity = {
  /** Equal keys see equal rows, so one check serves all channels that share it. */
  key: string;
  role: string;
  claimsJson: string;
  userId: string | undefined;
  /** Ends with the session, whatever the token says of its own end. */
  sessionId: string | undefined;
  /** Infinity for a guest, who carries no token of their own. */
  expiresAtMs: number;
};

type IdentityCheck = { ok: true; identity: Identity } | { ok: false; reason: string };

export const guestRole = "anon";

/** supabase-js sends the API key where a signed-out person has no token; that and no token at all mean a guest. */
export async function identityOf(
  token: unknown,
  { apiKey, roles, verifyToken }: { apiKey: string; roles: readonly string[]; verifyToken: VerifyToken },
): Promise<IdentityCheck> {
  if (token === undefined || token === null || token === "") return guest();
  if (typeof token !== "string") return { ok: false, reason: "The token provided is not a valid JWT" };
  if (token === apiKey || token.startsWith("sb_")) return guest();
  const check = await verifyToken(token);
  if (!check.ok) return check;
  if (!roles.includes(check.role)) return { ok: false, reason: "The role of the token is not allowed here" };
  return { ok: true, identity: identityFrom(check.role, check.claims, check.expiresAtMs) };
}

function guest(): IdentityCheck {
  return { ok: true, identity: identityFrom(guestRole, { role: guestRole }, Number.POSITIVE_INFINITY) };
}

function identityFrom(role: string, claims: Record<string, unknown>, expiresAtMs: number): Identity {
  const claimsJson = JSON.stringify(claims);
  const userId = typeof claims.sub === "string" ? claims.sub : undefined;
  const sessionId = typeof claims.session_id === "string" ? claims.session_id : undefined;
  return { key: `${role} ${claimsJson}`, role, claimsJson, userId, sessionId, expiresAtMs };
}
