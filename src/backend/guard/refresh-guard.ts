import { authError } from "./auth-error.ts";
import type { AuthRecords } from "./auth-records.ts";

// Two tabs may refresh at once, and supabase-js repeats for 30 s a refresh whose answer was lost.
export const REFRESH_GRACE_MS = 60_000;

/**
 * Refreshes of one token, one after the other: the auth service revokes a token before it has its successor, and whoever
 * comes in between would be told that it was used.
 */
export function createRefreshTurns() {
  const last = new Map<string, Promise<Response>>();
  return async (token: unknown, act: () => Promise<Response>): Promise<Response> => {
    if (typeof token !== "string") return act();
    const turn = (last.get(token) ?? Promise.resolve()).then(act, act);
    last.set(token, turn);
    try {
      return await turn;
    } finally {
      if (last.get(token) === turn) last.delete(token);
    }
  };
}

/** Refuses a refresh token that was used long ago: it was copied, and nobody can say by whom, so its session ends. */
export async function refuseReusedToken(
  token: unknown,
  { records, now }: { records: AuthRecords; now: number },
): Promise<Response | undefined> {
  if (typeof token !== "string") return undefined;
  const used = await records.findUsedRefreshToken(token);
  if (!used || now - used.usedAtMs <= REFRESH_GRACE_MS) return undefined;
  await records.endSession(used.sessionId);
  return authError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used");
}
