// POST /token, one function for each grant.
import type { Sql } from "postgres";
import type { z } from "zod";
import { inTransaction } from "#store/connection/in-transaction.ts";
import type { Accounts } from "./accounts.ts";
import type { exchangeBody, refreshBody, signInBody } from "./auth-bodies.ts";
import { authError, rateLimited, userBanned } from "./auth-error.ts";
import type { RecordEvent } from "./auth-events.ts";
import type { Caller } from "./auth-request.ts";
import type { OpenSession, SessionAnswers } from "./gotrue-shapes.ts";
import type { CheckPassword } from "./passwords.ts";
import type { FlowStates } from "./providers/flow-states.ts";
import type { Sessions } from "./sessions.ts";

export function createTokenGrants(options: {
  sql: Sql;
  accounts: Accounts;
  sessions: Sessions;
  flowStates: FlowStates;
  answers: SessionAnswers;
  checkPassword: CheckPassword;
  record: RecordEvent;
}) {
  const { sql, accounts, sessions, flowStates, answers, record } = options;

  const signedIn = async (session: OpenSession | undefined, caller: Caller): Promise<Response> => {
    if (!session) return userBanned();
    record({ kind: "sign_in", userId: session.user.id, sessionId: session.sessionId, ...caller });
    return answers.inBody(session);
  };

  return {
    signIn: async (body: z.infer<typeof signInBody>, caller: Caller): Promise<Response> => {
      const { email, password } = body;
      const account = await accounts.findByEmail(email);
      const verdict = await options.checkPassword({ email, account, password, caller });
      if (verdict === "limited") return rateLimited();
      if (verdict === "wrong" || !account) {
        return authError(400, "invalid_credentials", "Invalid login credentials");
      }
      const { userAgent } = caller;
      return signedIn(await sessions.begin(sql, { userId: account.id, userAgent }), caller);
    },

    refresh: async (body: z.infer<typeof refreshBody>, caller: Caller): Promise<Response> => {
      const answer = await sessions.refresh(body.refresh_token);
      if (!("refusal" in answer)) return answers.inBody(answer);
      if (answer.refusal !== "not_found") {
        const { userId, sessionId } = answer;
        record({ kind: "session_ended", userId, sessionId, ...caller });
      }
      const [code, message] = REFRESH_REFUSALS[answer.refusal];
      return authError(400, code, `Invalid Refresh Token: ${message}`);
    },

    /** The code that a sign-in with a provider ended in. */
    exchange: async (body: z.infer<typeof exchangeBody>, caller: Caller): Promise<Response> => {
      const { auth_code: code, code_verifier: verifier } = body;
      const outcome = await inTransaction(sql, async (db) => {
        const used = await flowStates.takeCode(db, { code, verifier });
        if (typeof used === "string") return used;
        const { userAgent } = caller;
        return { session: await sessions.begin(db, { ...used, userAgent, method: "oauth" }) };
      });
      if (typeof outcome === "object") return signedIn(outcome.session, caller);
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
