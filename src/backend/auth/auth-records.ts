import type { Sql } from "postgres";
import type { Bearer } from "./access-token.ts";

type Proof = { method: string; atMs: number };

export type AuthRecords = ReturnType<typeof createAuthRecords>;

/** How a session showed that its owner is there, in GoTrue's words: a reset link, Google, the password given anew. */
export type ProofMethod = "recovery" | "oauth" | "password";

export type ProvableAccount = {
  email: string;
  passwordHash: string | null;
  proofs: Proof[];
};

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
    /** What the account behind a session has to show, and what the session has shown. */
    findProvableAccount: async ({ userId, sessionId }: Bearer): Promise<ProvableAccount | undefined> => {
      const [row] = await sql<{ email: string | null; passwordHash: string | null; proofs: Proof[] }[]>`
        select users.email, nullif(users.encrypted_password, '') as "passwordHash", (
          select coalesce(
            jsonb_agg(jsonb_build_object(
              'method', authentication_method, 'atMs', floor(extract(epoch from updated_at) * 1000)
            )), '[]')
          from auth.mfa_amr_claims where session_id = sessions.id
        ) as proofs
        from auth.sessions join auth.users on users.id = sessions.user_id
        where sessions.id = ${sessionId} and users.id = ${userId}`;
      return row && { ...row, email: row.email ?? "" };
    },
    noteSession: async (sessionId: string, userAgent: string | null) => {
      await sql`update auth.sessions set user_agent = ${userAgent} where id = ${sessionId}`;
    },
    noteProof: async (sessionId: string, { method, atMs }: { method: ProofMethod; atMs: number }) => {
      const at = new Date(atMs);
      // The session may have ended meanwhile.
      await sql`
        insert into auth.mfa_amr_claims (session_id, authentication_method, created_at, updated_at)
        select id, ${method}, ${at}, ${at} from auth.sessions where id = ${sessionId}
        on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at`;
    },
    forgetProof: async (sessionId: string, method: ProofMethod) => {
      await sql`
        delete from auth.mfa_amr_claims where session_id = ${sessionId} and authentication_method = ${method}`;
    },
    /** What was proved in another session, by a link that its owner opened, proves nothing of who changes the password in this one. */
    forgetProofsOfOthers: async ({ userId, sessionId }: Bearer) => {
      await sql`
        delete from auth.mfa_amr_claims using auth.sessions
        where sessions.id = mfa_amr_claims.session_id and sessions.user_id = ${userId} and sessions.id <> ${sessionId}`;
    },
    /** Whoever knew the old password is out, who changed it stays, and what proved them for it is used up. */
    notePasswordChange: async ({ userId, sessionId }: Bearer) => {
      await sql.begin(async (transaction) => {
        await transaction`delete from auth.sessions where user_id = ${userId} and id <> ${sessionId}`;
        await transaction`delete from auth.mfa_amr_claims where session_id = ${sessionId}`;
      });
    },
    /** When a refresh token was exchanged for its successor, and whose it was. */
    findUsedRefreshToken: async (token: string) => {
      const [row] = await sql<{ sessionId: string; usedAt: string }[]>`
        select session_id as "sessionId", updated_at as "usedAt" from auth.refresh_tokens
        where token = ${token} and revoked and session_id is not null`;
      return row && { sessionId: row.sessionId, usedAtMs: Date.parse(row.usedAt) };
    },
    /** Ends the session at once where its person is suspended, and says so. */
    endIfSuspended: async (sessionId: string) => {
      const ended = await sql`
        delete from auth.sessions using auth.users
        where sessions.id = ${sessionId} and users.id = sessions.user_id and users.banned_until > now()`;
      return ended.count > 0;
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
