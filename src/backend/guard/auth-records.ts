import type { Sql } from "postgres";
import type { Bearer } from "./access-token.ts";

export type AuthRecords = ReturnType<typeof createAuthRecords>;

/** What the guards ask and change in the auth service's own tables. */
export function createAuthRecords(sql: Sql) {
  return {
    hasPassword: async (email: string) => {
      const rows = await sql`
        select from auth.users where lower(email) = ${email} and encrypted_password <> ''`;
      return rows.length > 0;
    },
    hasSession: async ({ userId, sessionId }: Bearer) => {
      const rows = await sql`select from auth.sessions where id = ${sessionId} and user_id = ${userId}`;
      return rows.length > 0;
    },
    endOtherSessions: async ({ userId, sessionId }: Bearer) => {
      await sql`delete from auth.sessions where user_id = ${userId} and id <> ${sessionId}`;
    },
    /** When a refresh token was exchanged for its successor, and whose it was. */
    findUsedRefreshToken: async (token: string) => {
      const [row] = await sql<{ sessionId: string; usedAt: string }[]>`
        select session_id as "sessionId", updated_at as "usedAt" from auth.refresh_tokens
        where token = ${token} and revoked and session_id is not null`;
      return row && { sessionId: row.sessionId, usedAtMs: Date.parse(row.usedAt) };
    },
    endSession: async (sessionId: string) => {
      await sql`delete from auth.sessions where id = ${sessionId}`;
    },
    /** Whether who comes from the provider has an account here already, so that none is made. */
    hasAccount: async (provider: string, { email, sub }: { email: string; sub: string }) => {
      const rows = await sql`
        select from auth.users where lower(email) = ${email}
        union all
        select from auth.identities where provider = ${provider} and provider_id = ${sub}`;
      return rows.length > 0;
    },
    /** Whether the account with this address belongs to another account at the provider. */
    isTakenByAnother: async (provider: string, { email, sub }: { email: string; sub: string }) => {
      const rows = await sql`
        select from auth.identities join auth.users on users.id = identities.user_id
        where identities.provider = ${provider} and identities.provider_id <> ${sub} and lower(users.email) = ${email}
          and not exists (select from auth.identities where provider = ${provider} and provider_id = ${sub})`;
      return rows.length > 0;
    },
    metadataOf: async (email: string): Promise<Record<string, unknown>> => {
      const [row] = await sql<{ metadata: unknown }[]>`
        select raw_user_meta_data as metadata from auth.users where lower(email) = ${email.toLowerCase()}`;
      // lite keeps the object written into a JSON string.
      const metadata: unknown = typeof row?.metadata === "string" ? JSON.parse(row.metadata) : row?.metadata;
      return typeof metadata === "object" && metadata !== null ? { ...metadata } : {};
    },
  };
}
