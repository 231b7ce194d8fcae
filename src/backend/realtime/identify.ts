import { isApiKey } from "../auth/access-token.ts";
import { realtimeRefusal } from "../auth/auth-error.ts";
import { isRecord } from "./frame.ts";
import type { Identity, OpenChannel } from "./open-channels.ts";
import type { RealtimeContext } from "./realtime-context.ts";

/** Why a join or a token is refused. A client over a limit of its user or address also loses its socket. */
export type JoinRefusal = { reason: string; closesSocket?: boolean };

const overLimit = (reason: string): JoinRefusal => ({ reason, closesSocket: true });
export const tooManyJoins = overLimit("ClientJoinRateLimitReached: Too many joins");
export const tooManySockets = overLimit("ConnectionRateLimitReached: Too many connected sockets");

const guest: Identity = { expiresAtMs: Number.POSITIVE_INFINITY };

/** The token of a payload; undefined for a guest, for whom supabase-js sends no token or the API key. */
export function tokenOf(payload: unknown): unknown {
  const token = isRecord(payload) ? payload.access_token : undefined;
  return token === null || (typeof token === "string" && isApiKey(token)) ? undefined : token;
}

/**
 * Finds out whose token it is. The database is asked only about a token that no open channel of the socket has: a channel
 * is closed when its token expires, its session ends or notifications of ended sessions may be missing.
 */
export async function identify(
  token: unknown,
  ofSocket: Iterable<OpenChannel>,
  context: RealtimeContext,
): Promise<Identity | JoinRefusal> {
  if (token === undefined) return guest;
  if (typeof token !== "string") return invalid("invalid");
  const mayJoin = (userId = "") => context.rates.joinsOfUser.take(userId, context.now());
  const known = [...ofSocket].find(({ identity }) => identity.token === token)?.identity;
  if (known) return mayJoin(known.userId) ? known : tooManyJoins;
  const answer = await context.verifyToken(token);
  if (!answer.ok) return invalid(answer.reason);
  const { bearer, claims, expiresAtMs } = answer;
  if (!mayJoin(bearer.userId)) return tooManyJoins;
  if (!(await context.hasSession(bearer))) return invalid("session_ended");
  return { ...bearer, token, claims, expiresAtMs };
}

function invalid(reason: Parameters<typeof realtimeRefusal>[0]): JoinRefusal {
  return { reason: `InvalidJWTToken: ${realtimeRefusal(reason)}` };
}
