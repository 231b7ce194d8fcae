import type { Sql } from "postgres";
import type { z } from "zod";
import { inTransaction } from "#store/connection/in-transaction.ts";
import { type SignUpLimit, withinSignUpLimit } from "../limits/sign-up-limit.ts";
import type { Accounts } from "./accounts.ts";
import type { signUpBody } from "./auth-bodies.ts";
import { authError } from "./auth-error.ts";
import type { RecordEvent } from "./auth-events.ts";
import type { Caller } from "./auth-request.ts";
import { refuseWeakPassword } from "./common-passwords.ts";
import type { SessionAnswers } from "./gotrue-shapes.ts";
import { hashPassword } from "./passwords.ts";
import type { Sessions } from "./sessions.ts";

/** POST /signup: an account and its first session at once. */
export function createSignUp(options: {
  sql: Sql;
  accounts: Accounts;
  sessions: Sessions;
  answers: SessionAnswers;
  signUps: SignUpLimit;
  record: RecordEvent;
}) {
  const { sql, accounts, sessions } = options;
  return async (body: z.infer<typeof signUpBody>, caller: Caller): Promise<Response> => {
    const { email, password, data: metadata = {} } = body;
    const weak = refuseWeakPassword(password, email);
    if (weak) return weak;
    return withinSignUpLimit(options.signUps, caller.address, async () => {
      if (await accounts.findByEmail(email)) return taken();
      const passwordHash = await hashPassword(password, caller.address);
      const session = await inTransaction(sql, async (db) => {
        const userId = await accounts.create(db, { email, passwordHash, metadata });
        return userId === undefined ? undefined : sessions.begin(db, { userId, userAgent: caller.userAgent });
      });
      if (!session) return taken();
      options.record({ kind: "sign_up", userId: session.user.id, sessionId: session.sessionId, ...caller });
      return options.answers.inBody(session);
    });
  };
}

const taken = () => authError(422, "user_already_exists", "User already registered");
