// Account recovery by mail: POST /recover and POST /verify.
import { randomBytes } from "node:crypto";
import type { z } from "zod";
import { inRepeatableTransaction } from "#platform/database/in-transaction.ts";
import type { recoverBody, verifyBody } from "./auth-bodies.ts";
import { authError, userBanned } from "./auth-error.ts";
import type { AuthParts } from "./auth-parts.ts";
import type { Caller } from "./auth-request.ts";

export function createRecovery(parts: AuthParts) {
  const { sql, accounts, sessions, limits } = parts;

  const sendLink = async (email: string, redirectTo: string | undefined) => {
    const account = await accounts.findByEmail(email);
    if (!account) return;
    const tokenHash = randomBytes(32).toString("hex");
    await accounts.setRecoveryToken(account.id, tokenHash);
    const { metadata } = account;
    await parts.sendMail({ kind: "recovery", to: account.email, tokenHash, redirectTo, metadata });
  };

  return {
    // The same answer for known and unknown addresses and for repeated requests, given before any lookup.
    recover: async (
      { email }: z.infer<typeof recoverBody>,
      redirectTo: string | undefined,
    ): Promise<Response> => {
      if (await limits.mailsToOneAddress.take(email, parts.now())) {
        parts.background.run(() => sendLink(email, redirectTo));
      }
      return Response.json({}, { headers: { "cache-control": "no-store" } });
    },

    verify: async ({ token_hash, type }: z.infer<typeof verifyBody>, caller: Caller): Promise<Response> => {
      const isRecovery = type === "recovery";
      const outcome = await inRepeatableTransaction(sql, async (db) => {
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
      parts.record({ kind, userId: session.user.id, sessionId: session.sessionId, ...caller });
      return parts.answers.inBody(session);
    },
  };
}
