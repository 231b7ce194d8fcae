// The way back into an account by mail: POST /recover and POST /verify.
import { randomBytes } from "node:crypto";
import type { Sql } from "postgres";
import type { z } from "zod";
import { inTransaction } from "#store/connection/in-transaction.ts";
import type { AuthLimits } from "../limits/auth-limits.ts";
import type { Accounts } from "./accounts.ts";
import type { recoverBody, verifyBody } from "./auth-bodies.ts";
import { authError, userBanned } from "./auth-error.ts";
import type { RecordEvent } from "./auth-events.ts";
import type { Caller } from "./auth-request.ts";
import type { SessionAnswers } from "./gotrue-shapes.ts";
import type { Sessions } from "./sessions.ts";

type AuthMail = {
  kind: "recovery" | "confirmation";
  to: string;
  /** Opens the account once: it must reach nothing but the mail. */
  tokenHash: string;
  /** Where the page that asked for the mail wants its reader to come back to; one of the listed addresses. */
  redirectTo: string | undefined;
  /** What the person said of themselves: not to be trusted. */
  metadata: Record<string, unknown>;
};

export type SendAuthMail = (mail: AuthMail) => Promise<void>;

export function createRecovery(options: {
  sql: Sql;
  accounts: Accounts;
  sessions: Sessions;
  answers: SessionAnswers;
  limits: AuthLimits;
  sendMail: SendAuthMail;
  record: RecordEvent;
  /** Runs what nobody waits for. */
  inBackground: (act: () => Promise<void>) => void;
  now: () => number;
}) {
  const { sql, accounts, sessions, limits } = options;

  const sendLink = async (email: string, redirectTo: string | undefined) => {
    const account = await accounts.findByEmail(email);
    if (!account) return;
    const tokenHash = randomBytes(32).toString("hex");
    await accounts.setRecoveryToken(account.id, tokenHash);
    const { metadata } = account;
    await options.sendMail({ kind: "recovery", to: account.email, tokenHash, redirectTo, metadata });
  };

  return {
    // Known or unknown, first or second within the minute: the same answer, before anything is looked up.
    recover: async (
      { email }: z.infer<typeof recoverBody>,
      redirectTo: string | undefined,
    ): Promise<Response> => {
      if (await limits.mailsToOneAddress.take(email, options.now())) {
        options.inBackground(() => sendLink(email, redirectTo));
      }
      return Response.json({}, { headers: { "cache-control": "no-store" } });
    },

    verify: async ({ token_hash, type }: z.infer<typeof verifyBody>, caller: Caller): Promise<Response> => {
      const isRecovery = type === "recovery";
      const outcome = await inTransaction(sql, async (db) => {
        const userId = await accounts.takeLink(db, isRecovery ? "recovery" : "confirmation", token_hash);
        if (userId === undefined) return undefined;
        const { userAgent } = caller;
        const session = await sessions.begin(db, {
          userId,
          userAgent,
          ...(isRecovery ? { method: "recovery" } : {}),
        });
        return { session };
      });
      if (!outcome) return authError(403, "otp_expired", "Email link is invalid or has expired");
      const { session } = outcome;
      if (!session) return userBanned();
      const kind = isRecovery ? "password_reset" : "sign_in";
      options.record({ kind, userId: session.user.id, sessionId: session.sessionId, ...caller });
      return options.answers.inBody(session);
    },
  };
}
