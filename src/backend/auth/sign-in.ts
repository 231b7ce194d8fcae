// Sign-up and sign-in: POST /signup, and POST /token with one function per grant.
import type { z } from "zod";
import { inRepeatableTransaction } from "#platform/database/in-transaction.ts";
import type { exchangeBody, refreshBody, signInBody, signUpBody } from "./auth-bodies.ts";
import { authError, rateLimited, refreshLater, userBanned } from "./auth-error.ts";
import type { AuthParts } from "./auth-parts.ts";
import type { Caller } from "./auth-request.ts";
import type { IssuedSession } from "./gotrue-shapes.ts";
import { signUpsSpent, withinSignUpLimit } from "./limits/sign-up-limit.ts";
import { refuseWeakPassword } from "./passwords/common-passwords.ts";
import { hashPassword } from "./passwords/passwords.ts";

export function createSignIn(parts: AuthParts) {
  const { sql, accounts, sessions, flowStates, answers, limits, record, now } = parts;

  const signedIn = async (session: IssuedSession | undefined, caller: Caller): Promise<Response> => {
    if (!session) return userBanned();
    record({ kind: "sign_in", userId: session.user.id, sessionId: session.sessionId, ...caller });
    return answers.inBody(session);
  };

  return {
    signUp: async (body: z.infer<typeof signUpBody>, caller: Caller): Promise<Response> => {
      const { email, password, data: metadata = {} } = body;
      const weak = refuseWeakPassword(password, email);
      if (weak) return weak;
      const make = async () => {
        if (await accounts.findByEmail(email)) return taken();
        const passwordHash = await hashPassword(password, caller);
        const session = await inRepeatableTransaction(sql, async (db) => {
          const userId = await accounts.create(db, { email, passwordHash, metadata });
          return userId === undefined
            ? undefined
            : sessions.begin(db, { userId, userAgent: caller.userAgent });
        });
        if (!session) return taken();
        await limits.knownAddresses.add(session.user.id, caller.address, now());
        record({ kind: "sign_up", userId: session.user.id, sessionId: session.sessionId, ...caller });
        return answers.inBody(session);
      };
      const isMade = ({ ok }: Response) => ok;
      return (await withinSignUpLimit(parts.signUps, caller.address, { make, isMade })) ?? signUpsSpent();
    },

    signIn: async (body: z.infer<typeof signInBody>, caller: Caller): Promise<Response> => {
      const { email, password } = body;
      const account = await accounts.findByEmail(email);
      const verdict = await parts.checkPassword({ email, account, password, caller });
      if (verdict === "limited") return rateLimited();
      if (verdict === "wrong" || !account) return wrongCredentials();
      const { id: userId, passwordHash: verifiedHash } = account;
      const { userAgent } = caller;
      const session = await sessions.begin(sql, { userId, userAgent, verifiedHash });
      // The password was changed while it was compared.
      if (!session && !(await accounts.isSuspended(sql, userId))) return wrongCredentials();
      return signedIn(session, caller);
    },

    refresh: async (body: z.infer<typeof refreshBody>, caller: Caller): Promise<Response> => {
      const answer = await sessions.refresh(body.refresh_token);
      if (!("refusal" in answer)) return answers.inBody(answer);
      if (answer.refusal === "too_often") return refreshLater();
      if (answer.refusal !== "not_found") {
        const { userId, sessionId } = answer;
        record({ kind: "session_ended", userId, sessionId, ...caller });
      }
      const [code, message] = REFRESH_REFUSALS[answer.refusal];
      return authError(400, code, `Invalid Refresh Token: ${message}`);
    },

    /** Exchanges the code that a provider sign-in ended with. */
    exchange: async (body: z.infer<typeof exchangeBody>, caller: Caller): Promise<Response> => {
      const { auth_code: code, code_verifier: verifier } = body;
      const outcome = await inRepeatableTransaction(sql, async (db) => {
        const used = await flowStates.takeCode(db, { code, verifier });
        if (typeof used === "string") return used;
        const { userAgent } = caller;
        return { session: await sessions.begin(db, { ...used, userAgent, method: "oauth" }) };
      });
      if (typeof outcome === "object") {
        const { session } = outcome;
        if (session) await limits.knownAddresses.add(session.user.id, caller.address, now());
        return signedIn(session, caller);
      }
      const [status, errorCode, message] = EXCHANGE_REFUSALS[outcome];
      return authError(status, errorCode, message);
    },
  };
}

const REFRESH_REFUSALS = {
  not_found: ["refresh_token_not_found", "Refresh Token Not Found"],
  already_used: ["refresh_token_already_used", "Already Used"],
  expired: ["session_expired", "Session Expired"],
  suspended: ["user_banned", "User Banned"],
} as const;

const EXCHANGE_REFUSALS = {
  not_found: [404, "flow_state_not_found", "invalid flow state, no valid flow state found"],
  expired: [422, "flow_state_expired", "invalid flow state, flow state has expired"],
  wrong_verifier: [400, "bad_code_verifier", "code challenge does not match previously saved code verifier"],
} as const;

const wrongCredentials = () => authError(400, "invalid_credentials", "Invalid login credentials");

const taken = () => authError(422, "user_already_exists", "User already registered");
