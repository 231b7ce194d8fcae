// Records the events that only the auth service sees: sign-ins, failed sign-ins and password changes, with the kind of
// browser. The database stores them, merges repeats and queues the mail about a new browser. The role needs the right
// to execute private.record_auth_event and no right on any table.
import { createHmac } from "node:crypto";
import type { Sql } from "postgres";
import { type Browser, browserOf } from "#core/browser/browser-of.ts";

export type SecurityEvent = {
  kind: "sign_in" | "sign_up" | "wrong_password" | "password_changed" | "password_reset" | "session_ended";
  userId: string;
  sessionId?: string;
  /** Only family and platform are stored. */
  userAgent: string | null;
  /** Not stored. */
  address: string;
};

export function createSecurityEvents(options: { sql: Sql; secret: string; now: () => number }) {
  const { sql, secret, now } = options;
  const hashOf = (userId: string, { family, platform }: Browser) =>
    createHmac("sha256", secret).update(`browser ${userId} ${family} ${platform}`).digest();
  return {
    record: async ({ kind, userId, sessionId, userAgent }: SecurityEvent): Promise<void> => {
      const browser = browserOf(userAgent);
      await sql`
        select private.record_auth_event(
          ${userId}, ${kind}, ${browser.family}, ${browser.platform}, ${hashOf(userId, browser)},
          ${sessionId ?? null}, ${new Date(now())}
        )`;
    },
  };
}
