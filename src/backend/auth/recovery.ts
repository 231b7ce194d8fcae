// Account recovery by mail: POST /recover, and POST /verify with its link.
import type { z } from "zod";
import { inRepeatableTransaction, inTransaction } from "#platform/database/in-transaction.ts";
import { mailboxIn } from "#platform/email-address.ts";
import type { EmailAccount } from "./accounts.ts";
import type { recoverBody } from "./auth-bodies.ts";
import { authError, userBanned } from "./auth-error.ts";
import type { AuthParts } from "./auth-parts.ts";
import type { Caller } from "./auth-request.ts";
import { addMailedLink, takeMailedLink } from "./mailed-links.ts";

export function createRecovery(parts: AuthParts) {
  const { sql, accounts, sessions, limits, now } = parts;

  /** Accounts that anybody may make with spellings of a mailbox share its mails; a proved address has its own. */
  const takeMail = async ({ email, isProven }: EmailAccount): Promise<boolean> => {
    const mailbox = isProven ? `proved ${email}` : mailboxIn(email);
    return (
      (await limits.resetMails.take(mailbox, now())) && (await limits.resetMailsPerDay.take(mailbox, now()))
    );
  };

  const sendLink = async (email: string, redirectTo: string | undefined) => {
    const account = await accounts.findByEmail(email);
    // Only what is sent counts: otherwise a stranger could use up a mailbox's mails by addresses without an account.
    if (!account || !(await takeMail(account))) return;
    const { id: userId, metadata } = account;
    const tokenHash = await inTransaction(sql, async (db) => {
      await db`update auth.users set recovery_sent_at = ${new Date(now())} where id = ${userId}`;
      return addMailedLink(db, { kind: "recovery", userId, email, nowMs: now() });
    });
    await parts.sendMail({ kind: "recovery", to: account.email, tokenHash, redirectTo, metadata });
  };

  return {
    // The same answer for known and unknown addresses and for repeated requests, given before any lookup.
    recover: async (
      { email }: z.infer<typeof recoverBody>,
      redirectTo: string | undefined,
    ): Promise<Response> => {
      parts.background.run(() => sendLink(email, redirectTo));
      return Response.json({}, { headers: { "cache-control": "no-store" } });
    },

    verify: async (token: string, caller: Caller): Promise<Response> => {
      const outcome = await inRepeatableTransaction(sql, async (db) => {
        const link = await takeMailedLink(db, { kind: "recovery", token, nowMs: now() });
        if (!link) return undefined;
        const start = { userId: link.userId, userAgent: caller.userAgent, method: "recovery" } as const;
        return { session: await sessions.begin(db, start) };
      });
      if (!outcome) return authError(403, "otp_expired", "Email link is invalid or has expired");
      const { session } = outcome;
      if (!session) return userBanned();
      const { user, sessionId } = session;
      parts.record({ kind: "password_reset", userId: user.id, sessionId, ...caller });
      return parts.answers.inBody(session);
    },
  };
}
