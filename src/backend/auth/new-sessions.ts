import { decodeJwt } from "jose";
import { authError } from "./auth-error.ts";
import type { AuthRecords, ProofMethod } from "./auth-records.ts";

const MAX_USER_AGENT_CHARACTERS = 400;

/** Keeps of a session that has just begun what the auth service leaves out: with which program, and by what proof. */
export function createSessionNotes({ records, now }: { records: AuthRecords; now: () => number }) {
  /** Answers whether the session may stay: the auth service lets suspended people in. */
  const note = async (accessToken: unknown, request: Request, method: ProofMethod | undefined) => {
    if (typeof accessToken !== "string") return true;
    const { session_id: sessionId } = decodeJwt(accessToken);
    if (typeof sessionId !== "string") return true;
    if (await records.endIfSuspended(sessionId)) return false;
    const userAgent = request.headers.get("user-agent")?.slice(0, MAX_USER_AGENT_CHARACTERS) ?? null;
    await records.noteSession(sessionId, userAgent);
    if (method) await records.noteProof(sessionId, { method, atMs: now() });
    return true;
  };
  return {
    /** A session in an answer's body. */
    inBody: async (answer: Response, request: Request, method?: ProofMethod): Promise<Response> => {
      if (answer.ok) {
        const body = (await answer.clone().json()) as { access_token?: unknown };
        const isAllowed = await note(body.access_token, request, method);
        if (!isAllowed) return authError(400, "user_banned", "User is banned");
      }
      return answer;
    },
    /** A session in the address that a person is sent to. */
    inLocation: async (answer: Response, request: Request, method: ProofMethod): Promise<Response> => {
      const location = answer.headers.get("location");
      const fragment = new URLSearchParams(location ? new URL(location).hash.slice(1) : "");
      await note(fragment.get("access_token") ?? undefined, request, method);
      return answer;
    },
  };
}
