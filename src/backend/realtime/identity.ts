import type { CheckAccessToken } from "../auth/access-token.ts";
import { realtimeRefusal } from "../auth/refusals.ts";

/** Whom a channel speaks for. */
export type Identity = {
  /** Undefined for a guest, who owns no rows and so is told of none. */
  userId: string | undefined;
  /** Ends with the session, whatever the token says of its own end. */
  sessionId: string | undefined;
  /** What row-level security sees. */
  claimsJson: string;
  expiresAtMs: number;
};

type IdentityCheck = { ok: true; identity: Identity } | { ok: false; reason: string };

const guest: Identity = {
  userId: undefined,
  sessionId: undefined,
  claimsJson: "{}",
  expiresAtMs: Number.POSITIVE_INFINITY,
};

/** supabase-js sends the API key where a signed-out person has no token; that and no token at all mean a guest. */
export async function identify(
  token: unknown,
  { apiKey, checkToken }: { apiKey: string; checkToken: CheckAccessToken },
): Promise<IdentityCheck> {
  if (token === undefined || token === null || token === apiKey) return { ok: true, identity: guest };
  const answer = await checkToken(String(token));
  if (!answer.ok) return { ok: false, reason: realtimeRefusal(answer.reason) };
  const { bearer, claims, expiresAtMs } = answer;
  return { ok: true, identity: { ...bearer, claimsJson: JSON.stringify(claims), expiresAtMs } };
}
