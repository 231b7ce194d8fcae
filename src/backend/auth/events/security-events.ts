// Records the events that only the auth service sees: sign-ins, failed sign-ins and password changes, with the kind of
// browser. The database stores them, merges repeats and queues the mail about a new browser. The role needs the right
// to execute private.record_auth_event and no right on any table.
import { createHmac } from "node:crypto";
import type { Sql } from "postgres";
import { type Browser, browserOf } from "#core/browser/browser-of.ts";
import type { Caller } from "../auth-request.ts";

/** A security event of an account, shown to its owner. Of the user agent only family and platform are stored, of the address nothing. */
export type AuthEvent = {
  kind:
    | "sign_up"
    | "sign_in"
    | "mini_app"
    | "wrong_password"
    | "password_changed"
    | "password_reset"
    | "session_ended";
  userId: string;
  sessionId?: string;
} & Caller;

/** Records in the background, so that it neither delays or fails a request nor reveals anything by its duration. */
export type RecordEvent = (event: AuthEvent) => void;

export function createSecurityEvents(options: { sql: Sql; secret: string; now: () => number }) {
  const { sql, secret, now } = options;
  const hashOf = (userId: string, { family, platform }: Browser) =>
    createHmac("sha256", secret).update(`browser ${userId} ${family} ${platform}`).digest();
  return {
    record: async ({ kind, userId, sessionId, userAgent }: AuthEvent): Promise<void> => {
      const browser = browserOf(userAgent);
      await sql`
        select private.record_auth_event(
          ${userId}, ${kind}, ${browser.family}, ${browser.platform}, ${hashOf(userId, browser)},
          ${sessionId ?? null}, ${new Date(now())}
        )`;
    },
  };
}
